// The method for its public page: each pattern in words, how much data it needs, and its worked example.
import { EXAMPLE_LEVEL, exampleOf } from './examples.ts';
import { METHOD, METHOD_VERSION } from './method.ts';
import { PATTERN_KINDS, type PatternKind } from './pattern.ts';
import { LET_PASS } from './honest-habits.ts';
import { powerOf } from './power.ts';
import { chanceWords, numberWords } from './present-finding.ts';
import { WINDOW_MONTHS } from './sample.ts';
import { wilsonInterval } from './statistics.ts';

export const presentMethod = () => ({
  version: METHOD_VERSION,
  letPass: LET_PASS,
  // Of each pattern, of a hundred cheats how many are found at least, by visits a year and cheats in a hundred.
  power: PATTERN_KINDS.map((pattern) => ({
    name: METHOD[pattern].name,
    faked: inHundred(METHOD[pattern].effect),
    cells: powerOf(pattern).map((share) => {
      const { low, high } = wilsonInterval(share);
      return `${Math.floor(low * 100)} (to ${Math.ceil(high * 100)})`;
    }),
  })),
  patterns: PATTERN_KINDS.map((pattern) => {
    const { name, counts, nullModel, cannotSee } = METHOD[pattern];
    return {
      name,
      facts: [
        { label: 'What is counted', value: counts },
        { label: 'Honest records', value: nullModel },
        { label: 'Window', value: `${WINDOW_MONTHS} months` },
        { label: 'It cannot see', value: cannotSee },
      ],
      example: exampleWords(pattern),
    };
  }),
});

const inHundred = (share: number): string => `${Math.floor(share * 100)} in 100`;

function exampleWords(pattern: PatternKind): string {
  const { n, hits, usual, p, isListed } = exampleOf(pattern);
  const expected =
    usual === undefined
      ? 'one in five is expected'
      : `with the others it is ${(usual.mean * 100).toPrecision(1)} in 100`;
  return `${numberWords({ n, hits })} are counted; ${expected}. As much comes ${chanceWords(p)}. In the last night of a month, alone among ${Math.round(0.025 / EXAMPLE_LEVEL).toLocaleString('en-AU')} tests, it is ${isListed ? '' : 'not '}listed.`;
}
