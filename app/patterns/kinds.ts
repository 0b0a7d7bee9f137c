// How each pattern is counted, and what its null model makes of a count.
import {
  countFoundAsLeft,
  countFoundOut,
  countNextDisagrees,
  countOtherTrailer,
  countSameAsBefore,
  countSensorReplaced,
} from './ask-visits.ts';
import { copyChance, countCopied } from './copied-axle-sets.ts';
import { cellChanceOf } from './copy-chance.ts';
import { countKilograms, countVolts, digitChance, digitPower, leastDigitChance } from './invented-digits.ts';
import type { Count, PatternKind } from './pattern.ts';
import { countPhotoTwice } from './photo-twice.ts';
import {
  leastChance,
  rateChance,
  ratePower,
  SLIP,
  slipChance,
  slipChanceOf,
  slipPower,
  usualSpread,
  usualWithout,
  type RateRule,
  type Usual,
} from './rates.ts';
import type { Sample, SampleTolerance } from './sample.ts';
import type { Spread } from './statistics.ts';
import type { UsualNumbers } from '#database/pattern-tables.ts';
import { countTicketTwice, meetingChance } from './ticket-twice.ts';
import { countTooFar } from './too-far.ts';
import { countTooFast } from './too-fast.ts';

export const startNumbers = (sample: Sample): UsualNumbers => ({
  sums: {},
  cellChance: cellChanceOf(sample.visits),
  meetingChance: meetingChance(sample.visits),
});

type Counting = { tolerance: SampleTolerance; usualNumbers: UsualNumbers };

export type Kind = {
  count: (sample: Sample, counting: Counting) => Count[];
  /** How what is usual is taken from everybody; undefined: the null model needs nobody else. */
  rule: RateRule | undefined;
  /** Undefined: too few others are there. */
  chance: (count: Count, usual: Usual) => number | undefined;
  /** The chance of the most striking outcome of as large an n. */
  least: (count: Count, usual: Usual) => number | undefined;
  /** The chance to be found, of n, where the share `faked` is faked, at `level`. */
  power: (n: number, faked: number, at: { level: number; spread: Spread }) => number;
};

/** What is usual in a registry for this pattern; any where the null model needs nobody else. */
export function spreadIn({ sums }: Pick<UsualNumbers, 'sums'>, pattern: PatternKind): Spread {
  const { rule } = KINDS[pattern];
  const seen = sums[pattern];
  return rule === undefined || seen === undefined ? NO_SPREAD : usualSpread(seen, rule);
}

const NO_SPREAD: Spread = { mean: 0.5, rho: 0.5 };

function rate(count: Kind['count'], rule: RateRule): Kind {
  return {
    count,
    rule,
    chance: (one, usual) => rateChance(one, usual, rule),
    least: (one, usual) => {
      const spread = usualWithout(one, usual, rule);
      return spread === undefined ? undefined : leastChance(one.n, spread, rule);
    },
    power: (n, faked, at) => ratePower(n, faked, { ...at, rule }),
  };
}

const byChanceOf = ({ facts }: Count): number => facts['byChance'] ?? 0;

function slip(count: Kind['count'], chance: Kind['chance'], byChance = 0): Kind {
  return {
    count,
    rule: SLIP,
    chance,
    least: (one, usual) => {
      const spread = usualWithout(one, usual, SLIP);
      return spread === undefined ? undefined : slipChanceOf({ n: one.n, hits: one.n }, spread, byChanceOf(one));
    },
    power: (n, faked, at) => slipPower(n, faked, { ...at, byChance }),
  };
}

const plainSlip = (count: Kind['count']): Kind => slip(count, (one, usual) => slipChance(one, usual, 0));

const digits = (count: Kind['count']): Kind => ({
  count,
  rule: undefined,
  chance: digitChance,
  least: ({ n }) => leastDigitChance(n),
  power: (n, faked, { level }) => digitPower(n, faked, level),
});

const MORE: RateRule = { side: 'more', isSlip: false };
const LESS: RateRule = { side: 'less', isSlip: false };

/** Whole copies expected where no two visits of a technician are near each other. */
const COPIES_BY_CHANCE = 0.02;
/** Tickets expected to meet at 100 visits on one weighbridge that counts to a million. */
const TICKETS_BY_CHANCE = 0.01;

export const KINDS: Readonly<Record<PatternKind, Kind>> = {
  'copied-axle-sets': slip(
    (sample, { usualNumbers }) => countCopied(sample, usualNumbers.cellChance),
    copyChance,
    COPIES_BY_CHANCE,
  ),
  'same-as-before': plainSlip(countSameAsBefore),
  'invented-volts': digits(countVolts),
  'invented-kilograms': digits(countKilograms),
  'never-found-out': rate((sample, { tolerance }) => countFoundOut(sample, tolerance), LESS),
  'found-as-left': rate(countFoundAsLeft, MORE),
  'sensor-replaced': rate(countSensorReplaced, MORE),
  'other-trailer': rate(countOtherTrailer, MORE),
  'too-fast': plainSlip(countTooFast),
  'too-far': plainSlip(countTooFar),
  'ticket-twice': slip(
    (sample, { usualNumbers }) => countTicketTwice(sample, usualNumbers.meetingChance),
    (one, usual) => slipChance(one, usual, byChanceOf(one)),
    TICKETS_BY_CHANCE,
  ),
  'photo-twice': plainSlip(countPhotoTwice),
  'next-disagrees': rate((sample, { tolerance }) => countNextDisagrees(sample, tolerance), MORE),
};
