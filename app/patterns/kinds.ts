// How each pattern is counted, and what its null model makes of a count.
import {
  countBunchedAtDue,
  countCannotBeShown,
  countFoundAsLeft,
  countFoundOut,
  countLineStays,
  countMovedAStep,
  countOtherTrailer,
  countSameAsBefore,
  countSensorReplaced,
} from './ask-visits.ts';
import { copyChance, countCopied } from './copied-axle-sets.ts';
import { cellChanceOf } from './copy-chance.ts';
import { countKilograms, countVolts, digitChance, leastDigitChance } from './invented-digits.ts';
import { stepsOf, type Steps } from './lattice.ts';
import type { Count, PatternKind } from './pattern.ts';
import { countNextDisagrees, countTakeTurns } from './others-lines.ts';
import { countPhotoTwice } from './photo-twice.ts';
import { chanceOf, leastChance, SLIP, slipChanceOf } from './rates.ts';
import type { Sample, SampleTolerance, SampleVisit } from './sample.ts';
import type { Share, Spread } from './statistics.ts';
import type { UsualNumbers } from '#database/pattern-tables.ts';
import { countTicketTwice, meetingChance } from './ticket-twice.ts';
import { countTooFar } from './too-far.ts';
import { countTooFast } from './too-fast.ts';
import { spreadAt, usualOf, type RateRule } from './usual.ts';

/** What the patterns count by. */
export type Counting = {
  tolerance: SampleTolerance;
  usualNumbers: UsualNumbers;
  steps: ReadonlyMap<SampleVisit, Steps>;
};

export const startCounting = (sample: Sample, tolerance: SampleTolerance): Counting => ({
  tolerance,
  usualNumbers: { usual: {}, cellChance: cellChanceOf(sample.visits), meetingChance: meetingChance(sample.visits) },
  steps: stepsOf(sample),
});

export type Kind = {
  count: (sample: Sample, counting: Counting) => Count[];
  /** How what is usual is taken from everybody; undefined: the null model needs nobody else. */
  rule: RateRule | undefined;
  /** The chance that an honest technician shows as much. */
  chance: (count: Count, usual: Spread) => number;
  /** The chance of the most striking outcome of as large an n. */
  least: (count: Count, usual: Spread) => number;
};

/** What these counts show to be usual; undefined: too few people. Of those that need nobody else, anything. */
export function usualIn(pattern: PatternKind, counts: readonly Count[]): Spread | undefined {
  const { rule } = KINDS[pattern];
  return rule === undefined ? NO_SPREAD : usualOf(counts.map(unexplained), rule);
}

/** Hits beyond those that are expected by a known chance. */
const unexplained = (count: Count): Share => ({
  n: count.n,
  hits: Math.max(0, count.hits - Math.round(byChanceOf(count))),
});

const NO_SPREAD: Spread = { mean: 0.5, rho: 0.5 };

const rate = (count: Kind['count'], rule: RateRule): Kind => ({
  count,
  rule,
  chance: (one, usual) => chanceOf(one, usual, rule),
  least: ({ n }, usual) => leastChance(n, usual, rule),
});

const byChanceOf = ({ facts }: Pick<Count, 'facts'>): number => facts['byChance'] ?? 0;

const slip = (count: Kind['count']): Kind => ({
  count,
  rule: SLIP,
  chance: (one, usual) => slipChanceOf(one, usual, byChanceOf(one)),
  least: (one, usual) => slipChanceOf({ n: one.n, hits: one.n }, usual, byChanceOf(one)),
});

const digits = (count: Kind['count']): Kind => ({
  count,
  rule: undefined,
  chance: digitChance,
  least: ({ n }) => leastDigitChance(n),
});

/** How much people differ in how near they find scales: by a fifth of the share. */
const nearSpread = ({ facts }: Count): Spread => spreadAt(Math.min(0.9, Math.max(0.001, facts['near'] ?? 0)), 0.04);

/** Honest as the others, or as those who came before and after disagree with everybody. */
const amongOthers = (count: Kind['count']): Kind => ({
  ...rate(count, MORE),
  chance: (one, usual) => {
    const { expected = 1, partners = 1 } = one.facts;
    const mean = Math.min(0.9, usual.mean * Math.max(LEAST_EXPECTED, expected));
    const own = spreadAt(mean, LEAST_AMONG_OTHERS);
    return Math.min(1, partners * chanceOf(one, own, MORE));
  },
  least: ({ n }, usual) => leastChance(n, spreadAt(usual.mean, LEAST_AMONG_OTHERS), MORE),
});

/** Who comes next is known of each visit, so people differ less: by half of the mean. */
const LEAST_AMONG_OTHERS = 0.25;
/** Nobody is expected to be disagreed with less than so much as usual. */
const LEAST_EXPECTED = 0.6;

const MORE: RateRule = { side: 'more', isSlip: false };
const LESS: RateRule = { side: 'less', isSlip: false };

export const KINDS: Readonly<Record<PatternKind, Kind>> = {
  'copied-axle-sets': {
    ...slip((sample, { steps, usualNumbers: { cellChance } }) => countCopied(sample, { steps, cellChance })),
    chance: copyChance,
  },
  'same-as-before': slip(countSameAsBefore),
  'moved-a-step': slip((sample, { steps }) => countMovedAStep(sample, steps)),
  'line-stays': rate(countLineStays, MORE),
  'cannot-be-shown': slip((sample, { steps }) => countCannotBeShown(sample, steps)),
  'invented-volts': digits((sample, { steps }) => countVolts(sample, steps)),
  'invented-kilograms': digits((sample, { steps }) => countKilograms(sample, steps)),
  'never-found-out': rate((sample, { tolerance }) => countFoundOut(sample, tolerance), LESS),
  // Honest as the others, or as somebody who writes what was left wherever that is near.
  'found-as-left': {
    ...rate(countFoundAsLeft, MORE),
    chance: (one, usual) => Math.max(chanceOf(one, usual, MORE), chanceOf(one, nearSpread(one), MORE)),
  },
  'sensor-replaced': rate(countSensorReplaced, MORE),
  'other-trailer': rate(countOtherTrailer, MORE),
  'too-fast': slip(countTooFast),
  'too-far': slip(countTooFar),
  'ticket-twice': slip((sample, { usualNumbers }) => countTicketTwice(sample, usualNumbers.meetingChance)),
  'photo-twice': slip(countPhotoTwice),
  'next-disagrees': amongOthers((sample, { tolerance }) => countNextDisagrees(sample, tolerance)),
  'take-turns': amongOthers((sample, { tolerance }) => countTakeTurns(sample, tolerance)),
  'bunched-at-due': rate(countBunchedAtDue, MORE),
};
