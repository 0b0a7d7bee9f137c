// Last digits of volts and of kilograms. In steps of the display, honest numbers modulo 5 are even: the loads of trucks
// spread over many steps. Invented numbers prefer round ones (multiples of five steps), or avoid some digit.
//
// Which step a truck's display has is seen from all its readings by anybody, that of a weighbridge from all weighed on
// it, and a technician who himself rounds every number is asked in his own steps.
import { countEach } from './count.ts';
import { numbersOf, stepIn, stepsBy, type Scale } from './lattice.ts';
import type { Count } from './pattern.ts';
import type { Sample, SampleVisit } from './sample.ts';
import { binomialTails, leastAt } from './statistics.ts';

/** Numbers modulo so many steps. */
const MODULO = 5;
const EVEN = 1 / MODULO;
/** A weighbridge with fewer numbers has no known step. */
const FEWEST_AT_PLACE = 20;

export const countVolts = (sample: Sample): Count[] => countDigits(sample, 'volts', { isAsked: () => true, fewest: 1 });

export const countKilograms = (sample: Sample): Count[] =>
  countDigits(sample, 'kilograms', { isAsked: ({ place }) => place !== null, fewest: FEWEST_AT_PLACE });

type Asked = { isAsked: (visit: SampleVisit) => boolean; fewest: number };

/** hits: round numbers. facts r0 to r4: how many have that remainder. */
function countDigits(sample: Sample, scale: Scale, { isAsked, fewest }: Asked): Count[] {
  const stepOf = stepsBy(scale, sample.visits.filter(isAsked), fewest);
  return countEach(sample, (count, visits) => {
    const asked = visits.filter(isAsked);
    const ownStep = stepIn(numbersOf(asked, scale), scale);
    const remainders: number[] = [];
    for (const visit of asked) {
      const step = Math.max(stepOf(visit) ?? Infinity, ownStep);
      for (const number of numbersOf([visit], scale))
        if (number % step === 0) remainders.push((number / step) % MODULO);
    }
    count.n = remainders.length;
    count.hits = timesOf(remainders, 0);
    count.facts = Object.fromEntries(
      Array.from({ length: MODULO }, (_, remainder) => [`r${remainder}`, timesOf(remainders, remainder)]),
    );
  });
}

const timesOf = (remainders: readonly number[], wanted: number): number =>
  remainders.filter((remainder) => remainder === wanted).length;

/**
 * Beside 'too many round ones' nine other questions are asked: one of four other remainders too often, or any too
 * rarely.
 */
const OTHERS = 2 * MODULO - 1;

/**
 * Half of the level goes to round numbers, half to the nine other questions (Bonferroni, so that p is exact or too
 * large).
 */
export function digitChance({ n, hits, facts }: Pick<Count, 'n' | 'hits' | 'facts'>): number {
  const round = 2 * binomialTails(hits, n, EVEN).atLeast;
  const others = Array.from({ length: MODULO }, (_, remainder) => {
    const tails = binomialTails(facts[`r${remainder}`] ?? 0, n, EVEN);
    return remainder === 0 ? tails.atMost : Math.min(tails.atLeast, tails.atMost);
  });
  return Math.min(1, round, 2 * OTHERS * Math.min(...others));
}

/** The least chance that n numbers can have. */
export const leastDigitChance = (n: number): number => Math.min(1, 2 * EVEN ** n);

/** The chance that it is found, of n numbers, at `level`, where the share `invented` of them are round ones made up. */
export function digitPower(n: number, invented: number, level: number): number {
  const k = leastAt(level / 2, { from: 0, to: n }, (hits) => binomialTails(hits, n, EVEN).atLeast);
  return k > n ? 0 : binomialTails(k, n, EVEN + (1 - EVEN) * invented).atLeast;
}
