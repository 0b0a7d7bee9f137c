// Policies after c2sp.org/tlog-policy, written by hand, with the sets of witnesses that are a quorum and that are not.
// Data only, from the specification alone: each reader of policies is held to it. policy-malformed.ts holds what is no
// policy.
import { keyFromSeed, LOG_KEY, type NoteKey, WITNESS_KEY } from './signed-note.ts';

// `quorums` and `not` hold sets of names, as the policy names its witnesses.
export type PolicyCase = { name: string; text: string; quorums: string[][]; not: string[][] };

const KELVIN = '\u212a';
const COMPOSED = '\u00e9';
const DECOMPOSED = 'e\u0301';
const WITH_WIDE_SPACE = 'one\u3000name';
const WITH_NO_BREAK = 'one\u00a0name';
const WITH_NEXT_LINE = 'one\u0085name';
const LOOK_ALIKE = ['K', KELVIN, COMPOSED, DECOMPOSED];
const WITH_SPACES = [WITH_WIDE_SPACE, WITH_NO_BREAK, WITH_NEXT_LINE];
const MANY = Array.from({ length: 32 }, (_, index) => `w${index + 1}`);
const NAMES = [
  ...'A B C D X1 X2 X3 Y1 Y2 Y3 any all quorum 2 3 #1 a+b'.split(' '),
  ...MANY,
  ...LOOK_ALIKE,
  ...WITH_SPACES,
];

// The key of each witness, by its name in the policies. Its name as a key is another one.
export const witnessKeys: ReadonlyMap<string, NoteKey> = new Map(
  NAMES.map((name, index) => [
    name,
    keyFromSeed(`witness.example/${index}`, WITNESS_KEY, `policy witness ${Buffer.from(name).toString('hex')}`),
  ]),
);
export const logKeys: readonly NoteKey[] = Array.from({ length: 32 }, (_, index) =>
  keyFromSeed(`log.example/${index}`, LOG_KEY, `policy log ${index}`),
);

const LOG = `log ${logKeys[0]?.vkey}`;
const XY = ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'].map(witnessLine).join('\n');
const ABC = ['A', 'B', 'C'].map(witnessLine).join('\n');
const ABCD = `${ABC}\n${witnessLine('D')}`;

export const POLICIES: PolicyCase[] = [
  {
    name: 'the example of the specification',
    text: [
      LOG,
      '',
      ...['X1', 'X2', 'X3'].map(witnessLine),
      'group X-witnesses 2 X1 X2 X3',
      '',
      ...['Y1', 'Y2', 'Y3'].map(witnessLine),
      'group Y-witnesses any Y1 Y2 Y3',
      '',
      'group X-and-Y all X-witnesses Y-witnesses',
      'quorum X-and-Y',
      '',
    ].join('\n'),
    quorums: [
      ['X1', 'X2', 'Y1'],
      ['X1', 'X3', 'Y2'],
      ['X2', 'X3', 'Y3'],
      ['Y3', 'X3', 'X2'],
      ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'],
    ],
    not: [[], ['X1', 'X2', 'X3'], ['Y1', 'Y2', 'Y3'], ['X1', 'Y1', 'Y2', 'Y3'], ['X1', 'X2'], ['X3', 'Y3']],
  },
  {
    name: 'no cosignature, no witness and no log',
    text: 'quorum none\n',
    quorums: [[]],
    not: [],
  },
  {
    name: 'no cosignature although there are witnesses',
    text: `${LOG}\n${ABC}\nquorum none\n`,
    quorums: [[], ['A'], ['A', 'B', 'C']],
    not: [],
  },
  {
    name: 'one witness of several',
    text: `${LOG}\n${ABC}\nquorum B\n`,
    quorums: [['B'], ['A', 'B'], ['A', 'B', 'C']],
    not: [[], ['A'], ['C'], ['A', 'C']],
  },
  {
    name: 'a member of a group as the quorum',
    text: `${LOG}\n${ABC}\ngroup g all A B C\nquorum A\n`,
    quorums: [['A'], ['A', 'B', 'C']],
    not: [[], ['B', 'C']],
  },
  {
    name: 'a group inside another as the quorum',
    text: `${LOG}\n${ABCD}\ngroup inner 2 A B C\ngroup outer all inner D\nquorum inner\n`,
    quorums: [
      ['A', 'B'],
      ['B', 'C'],
    ],
    not: [[], ['A', 'D'], ['D']],
  },
  {
    name: 'any',
    text: `${LOG}\n${ABC}\ngroup g any A B C\nquorum g\n`,
    quorums: [['A'], ['B'], ['C'], ['A', 'C'], ['A', 'B', 'C']],
    not: [[]],
  },
  {
    name: 'all',
    text: `${LOG}\n${ABC}\ngroup g all A B C\nquorum g\n`,
    quorums: [['A', 'B', 'C']],
    not: [[], ['A'], ['A', 'B'], ['A', 'C'], ['B', 'C']],
  },
  {
    name: '1 of 3',
    text: `${LOG}\n${ABC}\ngroup g 1 A B C\nquorum g\n`,
    quorums: [['A'], ['B'], ['C']],
    not: [[]],
  },
  {
    name: '2 of 3',
    text: `${LOG}\n${ABC}\ngroup g 2 A B C\nquorum g\n`,
    quorums: [
      ['A', 'B'],
      ['A', 'C'],
      ['B', 'C'],
      ['A', 'B', 'C'],
    ],
    not: [[], ['A'], ['B'], ['C']],
  },
  {
    name: '3 of 3',
    text: `${LOG}\n${ABC}\ngroup g 3 A B C\nquorum g\n`,
    quorums: [['A', 'B', 'C']],
    not: [[], ['A', 'B'], ['B', 'C']],
  },
  {
    name: 'a witness outside of the group',
    text: `${LOG}\n${ABCD}\ngroup g 2 A B C\nquorum g\n`,
    quorums: [
      ['A', 'B'],
      ['A', 'B', 'D'],
    ],
    not: [['D'], ['A', 'D'], ['C', 'D']],
  },
  {
    name: 'groups of one member',
    text: `${LOG}\n${witnessLine('A')}\ngroup g any A\ngroup h all g\ngroup i 1 h\nquorum i\n`,
    quorums: [['A']],
    not: [[]],
  },
  {
    name: 'any of groups and a witness',
    text: `${LOG}\n${XY}\n${witnessLine('A')}\ngroup X 2 X1 X2 X3\ngroup Y all Y1 Y2 Y3\ngroup q any X Y A\nquorum q\n`,
    quorums: [['A'], ['X1', 'X3'], ['Y1', 'Y2', 'Y3'], ['X1', 'Y1', 'A']],
    not: [[], ['X1', 'Y1', 'Y2'], ['X3', 'Y2', 'Y3'], ['Y1', 'Y2']],
  },
  {
    name: '2 of two groups and a witness',
    text: `${LOG}\n${XY}\n${witnessLine('A')}\ngroup X 2 X1 X2 X3\ngroup Y any Y1 Y2 Y3\ngroup q 2 X Y A\nquorum q\n`,
    quorums: [
      ['A', 'Y2'],
      ['X1', 'X2', 'A'],
      ['X2', 'X3', 'Y3'],
    ],
    // Two of one group count once.
    not: [[], ['A'], ['Y1', 'Y2', 'Y3'], ['X1', 'X2', 'X3'], ['A', 'X1'], ['X1', 'Y1']],
  },
  {
    name: 'groups of groups of groups',
    text: `${LOG}\n${XY}\n${ABC}\ngroup X all X1 X2\ngroup XY any X Y1\ngroup XYA all XY A\ngroup q 2 XYA B C\nquorum q\n`,
    quorums: [
      ['B', 'C'],
      ['Y1', 'A', 'B'],
      ['X1', 'X2', 'A', 'C'],
    ],
    not: [
      ['Y1', 'A'],
      ['X1', 'A', 'B'],
      ['Y1', 'B'],
      ['X1', 'X2', 'Y1', 'C'],
      ['A', 'B'],
    ],
  },
  {
    name: 'groups that the quorum does not use',
    text: `${LOG}\n${ABCD}\ngroup unused all A B\ngroup q any C D\nquorum q\n`,
    quorums: [['C'], ['D']],
    not: [[], ['A', 'B']],
  },
  {
    name: 'logs and witnesses after the quorum, and a log with a plus in its key',
    text: `${witnessLine('A')}\nquorum A\n${LOG}\n${witnessLine('B')}\ngroup late any B\nlog ${logWithPlus()} https://log.example/\n`,
    quorums: [['A']],
    not: [[], ['B']],
  },
  {
    name: 'URLs',
    text: `${LOG} https://log.example/\n${witnessLine('A')} https://a.example/w#1?x=y\n${witnessLine('B')} http://ß.example/\ngroup g all A B\nquorum g\n`,
    quorums: [['A', 'B']],
    not: [['A'], ['B']],
  },
  {
    name: 'comments, empty lines, tabs, and spaces at both ends',
    text: [
      '# A policy',
      '#quorum none',
      '  \t# quorum none \u00e9 \u2028',
      '#',
      ` \t${LOG.replace(' ', ' \t  ')}\t`,
      '\t',
      '   ',
      '',
      witnessLine('A').replaceAll(' ', '\t'),
      `   ${witnessLine('B').replaceAll(' ', '    ')}  `,
      '\tgroup\tg\t2\tA\tB\t',
      '# group g any A B',
      ' quorum \t g ',
      '# the end',
      '',
    ].join('\n'),
    quorums: [['A', 'B']],
    not: [[], ['A'], ['B']],
  },
  {
    name: 'names that look alike',
    text: `${LOG}\n${LOOK_ALIKE.map(witnessLine).join('\n')}\ngroup g all ${KELVIN} ${DECOMPOSED}\nquorum g\n`,
    quorums: [
      [KELVIN, DECOMPOSED],
      ['K', KELVIN, COMPOSED, DECOMPOSED],
    ],
    not: [
      ['K', DECOMPOSED],
      [KELVIN, COMPOSED],
      ['K', COMPOSED],
    ],
  },
  {
    name: 'names with what is a space elsewhere',
    text: `${LOG}\n${WITH_SPACES.map(witnessLine).join('\n')}\ngroup g 2 ${WITH_SPACES.join(' ')}\nquorum g\n`,
    quorums: [
      [WITH_WIDE_SPACE, WITH_NO_BREAK],
      [WITH_NO_BREAK, WITH_NEXT_LINE],
    ],
    not: [[], [WITH_WIDE_SPACE], [WITH_NEXT_LINE]],
  },
  {
    name: 'names that are words of the format',
    text: `${LOG}\n${['any', 'all', 'quorum', '2', '3'].map(witnessLine).join('\n')}\ngroup group 2 any all 2\ngroup log all group 3 quorum\nquorum log\n`,
    quorums: [
      ['any', 'all', '3', 'quorum'],
      ['2', 'all', '3', 'quorum'],
    ],
    not: [
      ['any', 'all', '2'],
      ['any', 'all', '3'],
      ['2', '3', 'quorum'],
    ],
  },
  {
    name: 'names with a number sign and a plus',
    text: `${LOG}\n${witnessLine('#1')}\n${witnessLine('a+b')}\ngroup g#2 all #1 a+b\nquorum g#2\n`,
    quorums: [['#1', 'a+b']],
    not: [['#1'], ['a+b']],
  },
  {
    name: 'names in capital and small letters',
    text: `${LOG}\n${witnessLine('A')}\ngroup a any A\nquorum a\n`,
    quorums: [['A']],
    not: [[]],
  },
  {
    name: '32 logs, 32 witnesses and 32 groups',
    text: [
      ...logKeys.map(({ vkey }) => `log ${vkey}`),
      ...MANY.map(witnessLine),
      // Each of the first 31 groups holds one witness; the last one holds those groups and the last witness.
      ...MANY.slice(0, 31).map((name) => `group of-${name} all ${name}`),
      `group q 17 ${MANY.slice(0, 31)
        .map((name) => `of-${name}`)
        .join(' ')} w32`,
      'quorum q',
      '',
    ].join('\n'),
    quorums: [MANY, MANY.slice(0, 17), MANY.slice(15)],
    not: [[], MANY.slice(0, 16), MANY.slice(16)],
  },
];

export function witnessLine(name: string): string {
  return `witness ${name} ${witnessKeys.get(name)?.vkey}`;
}

// A plus separates the parts of a verifier key, and base64 has it too.
function logWithPlus(): string {
  const found = logKeys.slice(1).find(({ vkey }) => vkey.split('+').length > 3);
  if (found === undefined) throw new Error('No key of these logs has a plus in its base64.');
  return found.vkey;
}
