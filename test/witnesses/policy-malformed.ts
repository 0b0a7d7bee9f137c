// Texts that are no policy after c2sp.org/tlog-policy, each with one fault. Data only, from the specification alone.
import { logKeys, witnessKeys, witnessLine } from './policy-table.ts';
import { formatVkey, keyId, LOG_KEY, rawKey, WITNESS_KEY } from './signed-note.ts';

const [LOG_A, LOG_B] = [`log ${logKeys[0]?.vkey}`, `log ${logKeys[1]?.vkey}`];
const [A, B, C] = [witnessLine('A'), witnessLine('B'), witnessLine('C')];
const VKEY = vkeyOf('A');

export const MALFORMED: { name: string; text: string }[] = [
  // The quorum
  { name: 'an empty file', text: '' },
  { name: 'only a comment', text: '# quorum none\n' },
  { name: 'no quorum', text: lines(LOG_A, A) },
  { name: 'two quorums', text: lines(LOG_A, A, B, 'quorum A', 'quorum B') },
  { name: 'the same quorum twice', text: lines(LOG_A, A, 'quorum A', 'quorum A') },
  { name: 'a quorum after quorum none', text: lines(LOG_A, A, 'quorum none', 'quorum A') },
  { name: 'a quorum without a name', text: lines(LOG_A, A, 'quorum') },
  { name: 'a quorum of two names', text: lines(LOG_A, A, B, 'quorum A B') },
  { name: 'a comment after the quorum on its line', text: lines(LOG_A, A, 'quorum A # why') },
  { name: 'an undefined quorum', text: lines(LOG_A, A, 'quorum B') },
  { name: 'a quorum that is defined after it', text: lines(LOG_A, 'quorum A', A) },
  { name: 'a quorum in other letters', text: lines(LOG_A, A, 'quorum a') },
  { name: 'none in other letters', text: lines(LOG_A, A, 'quorum None') },
  { name: 'a quorum by the name of the key', text: lines(LOG_A, A, `quorum ${witnessKeys.get('A')?.name}`) },
  { name: 'a quorum of a log', text: lines(LOG_A, A, `quorum ${logKeys[0]?.name}`) },
  { name: 'a quorum with a letter that looks the same', text: lines(LOG_A, witnessLine('K'), 'quorum \u212a') },

  // Groups
  { name: 'a group without all', text: grouped('group') },
  { name: 'a group without a threshold', text: grouped('group g') },
  { name: 'a group without a member', text: grouped('group g any') },
  { name: 'a group of all without a member', text: grouped('group g all') },
  { name: 'a group of k without a member', text: grouped('group g 1') },
  { name: 'a group with a member for its threshold', text: grouped('group g A B') },
  ...['0', '4', '-1', '+2', '2.0', '0x2', '2e0', 'two', 'Any', 'ALL', '\u00b2', '\uff12', '18446744073709551617'].map(
    (k) => ({ name: `the threshold ${k} of 3`, text: grouped(`group g ${k} A B C`) }),
  ),
  { name: 'a threshold of 2 of 1', text: grouped('group g 2 A') },
  { name: 'an undefined member', text: grouped('group g any A D') },
  { name: 'a member that is defined after the group', text: lines(LOG_A, A, 'group g any A B', B, 'quorum g') },
  { name: 'a group in itself', text: grouped('group g any A g') },
  {
    name: 'groups in a circle',
    text: lines(LOG_A, A, B, 'group g any A h', 'group h any B g', 'quorum g'),
  },
  { name: 'none as a member', text: grouped('group g any A none') },
  { name: 'none as the only member', text: grouped('group g all none') },
  { name: 'a witness twice in a group', text: grouped('group g 2 A B A') },
  { name: 'a witness in two groups', text: grouped('group h any A B', 'group g all B C') },
  { name: 'a witness in a group and in the group around it', text: grouped('group h any A B', 'group g 2 h A') },
  {
    name: 'a witness in two groups of which one is not used',
    text: grouped('group unused any A B', 'group g any A C'),
  },
  { name: 'a group twice in a group', text: grouped('group h any A B', 'group g any h h') },
  {
    name: 'a group in two groups',
    text: grouped('group h any A', 'group i all h B', 'group g 1 h C'),
  },

  // Names
  { name: 'two witnesses of one name', text: lines(LOG_A, A, `witness A ${vkeyOf('B')}`, 'quorum A') },
  { name: 'a group of the name of a witness', text: lines(LOG_A, A, B, 'group A any B', 'quorum A') },
  { name: 'a witness of the name of a group', text: lines(LOG_A, A, 'group B any A', B, 'quorum B') },
  { name: 'two groups of one name', text: grouped('group g any A', 'group g any B') },
  { name: 'a witness named none', text: lines(LOG_A, `witness none ${VKEY}`, 'quorum none') },
  { name: 'a group named none', text: lines(LOG_A, A, 'group none any A', 'quorum none') },

  // Keys
  { name: 'a log twice', text: lines(LOG_A, LOG_A, A, 'quorum A') },
  { name: 'a log twice, with another URL', text: lines(LOG_A, `${LOG_A} https://log.example/`, A, 'quorum A') },
  { name: 'a log under two names', text: lines(LOG_A, `log ${sameLogRenamed()}`, A, 'quorum A') },
  { name: 'a witness key twice', text: lines(LOG_A, A, `witness B ${VKEY}`, 'quorum A') },
  { name: 'a witness key under two names', text: lines(LOG_A, A, `witness B ${sameWitnessRenamed()}`, 'quorum A') },
  { name: 'a log without a key', text: lines('log', A, 'quorum A') },
  { name: 'a witness without a key', text: lines(LOG_A, 'witness A', 'quorum A') },
  { name: 'a witness without a name', text: lines(LOG_A, `witness ${VKEY}`, 'quorum none') },
  { name: 'a witness without all', text: lines(LOG_A, 'witness', 'quorum none') },
  { name: 'a witness with the key of a log', text: lines(LOG_A, `witness A ${logKeys[1]?.vkey}`, 'quorum A') },
  { name: 'a log with more than a URL', text: lines(`${LOG_B} https://log.example/ more`, A, 'quorum A') },
  { name: 'a witness with more than a URL', text: lines(LOG_A, `${A} https://a.example/ more`, 'quorum A') },
  ...[
    { name: 'a key without its parts', vkey: 'witness.example' },
    { name: 'a key without its ID', vkey: VKEY.replace(/\+[0-9a-f]{8}\+/, '+') },
    { name: 'a key without a name', vkey: VKEY.slice(VKEY.indexOf('+')) },
    { name: 'a key with another ID', vkey: VKEY.replace(/\+[0-9a-f]{8}\+/, '+00000000+') },
    { name: 'a key whose ID has seven digits', vkey: VKEY.replace(/\+[0-9a-f]([0-9a-f]{7})\+/, '+$1+') },
    { name: 'a key that is no base64', vkey: VKEY.replace(/\+[^+]*$/, '+!!!!') },
    { name: 'a key of 31 bytes', vkey: vkeyOfBytes(31) },
    { name: 'a key of 33 bytes', vkey: vkeyOfBytes(33) },
    { name: 'a key of no bytes', vkey: vkeyOfBytes(0) },
  ].map(({ name, vkey }) => ({ name, text: lines(LOG_A, `witness A ${vkey}`, 'quorum A') })),

  // Lines and characters
  { name: 'an unknown line', text: lines(LOG_A, A, 'quorum A', 'version 1') },
  { name: 'a keyword in other letters', text: lines(LOG_A, A, 'Quorum A') },
  { name: 'a byte order mark', text: `\ufeff${lines(LOG_A, A, 'quorum A')}` },
  { name: 'a no-break space between items', text: lines(LOG_A, A, 'quorum\u00a0A') },
  { name: 'a line separator between lines', text: `${LOG_A}\n${A}\u2028quorum A\n` },
  ...[0x00, 0x01, 0x08, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x7f].map((code) => ({
    name: `the control character 0x${code.toString(16).padStart(2, '0')} in a comment`,
    text: lines(`# a${String.fromCharCode(code)}b`, LOG_A, A, 'quorum A'),
  })),
  { name: 'a control character in a name', text: lines(LOG_A, A.replace(' A ', ' A\u0001 '), 'quorum A\u0001') },
  { name: 'a control character in a URL', text: lines(LOG_A, `${A} https://a.example/\u007f`, 'quorum A') },
  { name: 'carriage returns at the ends of the lines', text: lines(LOG_A, A, 'quorum A').replaceAll('\n', '\r\n') },
  { name: 'a form feed between items', text: lines(LOG_A, A, 'quorum\fA') },
];

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`;
}

// Three witnesses, the groups, and the group g as the quorum.
function grouped(...groups: string[]): string {
  return lines(LOG_A, A, B, C, ...groups, 'quorum g');
}

function vkeyOf(name: string): string {
  return witnessKeys.get(name)?.vkey ?? '';
}

function sameLogRenamed(): string {
  return renamed('log.example/renamed', logKeys[0], LOG_KEY);
}

function sameWitnessRenamed(): string {
  return renamed('witness.example/renamed', witnessKeys.get('A'), WITNESS_KEY);
}

function renamed(name: string, key: Parameters<typeof typedKey>[0], type: number): string {
  const typed = typedKey(key, type);
  return formatVkey(name, keyId(name, typed), typed);
}

// The right ID of a key that has the wrong length.
function vkeyOfBytes(length: number): string {
  const typed = Buffer.concat([Buffer.of(WITNESS_KEY), Buffer.alloc(length, 1)]);
  return formatVkey('witness.example/length', keyId('witness.example/length', typed), typed);
}

function typedKey(key: { publicKey: Parameters<typeof rawKey>[0] } | undefined, type: number): Buffer {
  if (key === undefined) throw new Error('There is no such key.');
  return Buffer.concat([Buffer.of(type), rawKey(key.publicKey)]);
}
