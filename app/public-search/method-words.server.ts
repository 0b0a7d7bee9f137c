// The method of the error at a check load: formulas, a worked example that the product's own function works out,
// sources. The loader gives it to the page, so that no script holds it.
import { absolute, formatFraction, whole } from '#app/readings/fraction.ts';
import { METHOD_VERSION } from '#app/readings/errors-at-check.ts';
import { judgeError, type WeighedBy } from '#app/readings/judge-error.ts';
import { decisionWord } from '#app/visits/error-words.ts';

export type Method = {
  version: number;
  sections: { title: string; lines: string[] }[];
  example: { label: string; value: string }[];
  sources: string[];
};

const by = (kg: number): WeighedBy[] => [{ kg, e: 20, share: whole(1) }];

export function methodWords(assumedKg: number): Method {
  return { version: METHOD_VERSION, sections: sections(assumedKg), example: example(), sources: SOURCES };
}

const sections = (assumedKg: number): Method['sections'] => [
  {
    title: 'A reading of a weighbridge',
    lines: [
      'R is the reading, e the verification interval, in kg. In service it may be wrong by 1 e up to 500 e, 2 e up to 2,000 e, and 3 e above. That is twice what a new verification allows.',
      'u(R) = that / √3',
      `Where the register has no e, or the weighbridge is not in it, e = ${assumedKg} kg is assumed, and said.`,
    ],
  },
  {
    title: 'The mass of an axle group',
    lines: [
      'A group that was weighed by itself has the u of its one reading. One that is a difference of readings has the sum of theirs:',
      'u²(W) = Σ share² · u²(R)',
      'Readings are taken as independent. For differences on one weighbridge that overstates the doubt.',
    ],
  },
  {
    title: 'What the scale showed',
    lines: [
      'V is the output at the check load, Ve and Vl the outputs empty and loaded, We and Wl the masses, m = (Wl − We) / (Vl − Ve) the slope, t = (V − Ve) / (Vl − Ve).',
      'I = We + m · (V − Ve)',
      'd is the step of the output: one in its last digit as typed.',
      'u²(I) = (1 − t)² · u²(We) + t² · u²(Wl) + m² · d² / 12 · ((1 − t)² + t² + 1)',
    ],
  },
  {
    title: 'The error, and its doubt',
    lines: [
      'W is what the check load weighs.',
      'E = I − W',
      'U = 2 · √(u²(I) + u²(W))',
      'The whole is told where each group on the deck has a line: the sum of what they show, against the ticket of the whole. Its u² is the sum of theirs and the ticket’s. That overstates too.',
    ],
  },
  {
    title: 'The word',
    lines: [
      'T is the tolerance of the rules in force. The guard band is U.',
      '|E| ≤ T − U: conforms.',
      '|E| ≤ T: conforms, not beyond doubt.',
      '|E| ≤ T + U: does not conform, not beyond doubt.',
      '|E| > T + U: does not conform.',
      'Without a check load, or where U ≥ T, it cannot be told.',
      'The word never changes a verdict.',
    ],
  },
];

const EXAMPLE = { step: '0.01', empty: ['0.92', 4780], loaded: ['3.18', 15_640], check: ['2.50', 12_500] } as const;

function example(): Method['example'] {
  const { step, empty, loaded, check } = EXAMPLE;
  const point = ([output, kg]: readonly [string, number]) => ({ output, readings: by(kg) });
  const group = { step, empty: point(empty), loaded: point(loaded), check: check[0] };
  const { error, decision } = judgeError([group], by(check[1]), whole(500));
  if (error === undefined) throw new Error('the example has no error');
  return [
    { label: 'Empty', value: '0.92 V at 4,780 kg: u = 20 / √3 = 11.5 kg' },
    { label: 'Loaded', value: '3.18 V at 15,640 kg: u = 40 / √3 = 23.1 kg' },
    { label: 'Check load', value: '2.50 V at 12,500 kg: u = 40 / √3 = 23.1 kg' },
    { label: 'Indication I', value: `${formatFraction(error.indicated, 1)} kg, with m = 4,805.3 kg/V and t = 0.699` },
    { label: 'Error E', value: `${formatFraction(absolute(error.error), 1)} kg less` },
    { label: 'Doubt U', value: `± ${error.expanded.toFixed(1)} kg` },
    { label: 'Tolerance T', value: '500 kg' },
    { label: 'Word', value: decisionWord(decision) },
  ];
}

const SOURCES = [
  'OIML R 76-1:2006, table 6, class III: permissible errors of weighing instruments; in service twice those.',
  'ILAC-G8:09/2019, 4.2.3: decision rules with a guard band.',
  'JCGM 100:2008 (GUM): how uncertainties are combined.',
];
