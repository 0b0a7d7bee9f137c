// Last digits of volts and of kilograms. In steps of the display, honest numbers modulo 5 are even: the loads of trucks
// spread over many steps. Invented numbers prefer round ones (multiples of five steps), or avoid some digit.
//
// The steps are the register's and the writer's own (lattice.ts).
import { countEach } from './count.ts';
import { numbersOf, type Scale, type Steps } from './lattice.ts';
import type { Count } from './pattern.ts';
import type { Sample, SampleVisit } from './sample.ts';
import { binomialTails } from './statistics.ts';

/** Numbers modulo so many steps. */
const MODULO = 5;
const EVEN = 1 / MODULO;

type StepsBy = ReadonlyMap<SampleVisit, Steps>;

export const countVolts = (sample: Sample, steps: StepsBy): Count[] =>
  countDigits(sample, 'volts', (visit) => steps.get(visit)?.volts);

/** Of weighbridges of the register. */
export const countKilograms = (sample: Sample, steps: StepsBy): Count[] =>
  countDigits(sample, 'kilograms', (visit, of) => (visit.place === null ? undefined : steps.get(visit)?.kilograms(of)));

/** hits: round numbers. facts r0 to r4: how many have that remainder. */
const countDigits = (
  sample: Sample,
  scale: Scale,
  stepOf: (visit: SampleVisit, of: string) => number | undefined,
): Count[] =>
  countEach(sample, (count, visits) => {
    const remainders: number[] = [];
    for (const visit of visits)
      for (const [of, number] of numbersOf(visit, scale)) {
        const step = stepOf(visit, of);
        if (step !== undefined && number % step === 0) remainders.push((number / step) % MODULO);
      }
    count.n = remainders.length;
    count.hits = timesOf(remainders, 0);
    count.facts = Object.fromEntries(
      Array.from({ length: MODULO }, (_, remainder) => [`r${remainder}`, timesOf(remainders, remainder)]),
    );
  });

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
