// One worked example of each pattern, for the public page. The figures are invented; the chances are computed by the
// code that looks, and examples.test.ts computes them another way.
import { digitChance } from './invented-digits.ts';
import { KINDS } from './kinds.ts';
import type { Facts, PatternKind } from './pattern.ts';
import { chanceOf, slipChanceOf } from './rates.ts';
import type { Spread } from './statistics.ts';

/** Where a technician is alone with it: the last night of a month, 1,000 technicians, twelve tests of each. */
export const EXAMPLE_LEVEL = 0.025 / 12_000;

export type Example = {
  n: number;
  hits: number;
  /** What is usual, and how much it differs between people; undefined: the null model needs nobody else. */
  usual: Spread | undefined;
  facts: Facts;
  p: number;
  isListed: boolean;
};

type Given = Pick<Example, 'n' | 'hits'> & { usual?: Spread; facts?: Facts };

const GIVEN: Readonly<Record<PatternKind, Given>> = {
  'copied-axle-sets': { n: 120, hits: 5, usual: { mean: 0.0003, rho: 0.0003 }, facts: { byChance: 0.02 } },
  'same-as-before': { n: 80, hits: 4, usual: { mean: 0.0002, rho: 0.0002 } },
  'moved-a-step': { n: 80, hits: 5, usual: { mean: 0.0005, rho: 0.0005 } },
  'line-stays': { n: 60, hits: 24, usual: { mean: 0.01, rho: 0.01 } },
  'cannot-be-shown': { n: 100, hits: 9, usual: { mean: 0.001, rho: 0.001 } },
  'invented-volts': { n: 400, hits: 125, facts: { r0: 125, r1: 70, r2: 67, r3: 68, r4: 70 } },
  'invented-kilograms': { n: 400, hits: 104, facts: { r0: 104, r1: 75, r2: 74, r3: 72, r4: 75 } },
  'never-found-out': { n: 90, hits: 0, usual: { mean: 0.08, rho: 0.005 } },
  'found-as-left': { n: 40, hits: 14, usual: { mean: 0.03, rho: 0.02 } },
  'sensor-replaced': { n: 110, hits: 31, usual: { mean: 0.02, rho: 0.01 } },
  'other-trailer': { n: 110, hits: 20, usual: { mean: 0.05, rho: 0.03 } },
  'too-fast': { n: 100, hits: 3, usual: { mean: 0.0001, rho: 0.0001 } },
  'too-far': { n: 100, hits: 1, usual: { mean: 0.0005, rho: 0.0005 } },
  'ticket-twice': { n: 100, hits: 6, usual: { mean: 0.001, rho: 0.001 }, facts: { byChance: 0.05 } },
  'photo-twice': { n: 60, hits: 5, usual: { mean: 0.001, rho: 0.001 } },
  'take-turns': { n: 30, hits: 24, usual: { mean: 0.1, rho: 0.03 } },
  'bunched-at-due': { n: 100, hits: 30, usual: { mean: 0.08, rho: 0.03 } },
  'next-disagrees': { n: 50, hits: 27, usual: { mean: 0.08, rho: 0.02 } },
};

function exampleChance(pattern: PatternKind, { n, hits, usual, facts = {} }: Given): number {
  const { rule } = KINDS[pattern];
  if (usual === undefined || rule === undefined) return digitChance({ n, hits, facts });
  if (!rule.isSlip) return chanceOf({ n, hits }, usual, rule);
  const times = pattern === 'copied-axle-sets' ? 2 : 1;
  return Math.min(1, times * slipChanceOf({ n, hits }, usual, facts['byChance'] ?? 0));
}

export function exampleOf(pattern: PatternKind): Example {
  const { n, hits, usual, facts = {} } = GIVEN[pattern];
  const p = exampleChance(pattern, GIVEN[pattern]);
  return { n, hits, usual, facts, p, isListed: p <= EXAMPLE_LEVEL };
}
