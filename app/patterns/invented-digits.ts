// Last digits of volts and of kilograms. In steps of the display, honest numbers modulo 5 are even: the loads of trucks spread
// over many steps. Invented numbers prefer round ones (multiples of five steps), or avoid some digit.
//
// Which step a truck's display has is seen from all its readings by anybody, that of a weighbridge from all weighed on it, and a
// technician who himself rounds every number is asked in his own steps.
import type { Columns } from './columns.ts';
import { groupsOf, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import { KILOGRAM_STEPS, tallySteps, VOLT_STEPS } from './lattice.ts';
import type { Count } from './pattern.ts';
import { binomialTails, leastAt } from './statistics.ts';

/** Numbers modulo so many steps. */
const MODULO = 5;
const EVEN = 1 / MODULO;
/** A weighbridge with fewer numbers has no known step. */
const FEWEST_AT_PLACE = 20;

export const countVolts = (columns: Columns): Count[] =>
  countDigits(columns, {
    steps: VOLT_STEPS,
    groups: columns.vehicles,
    groupOf: (visit) => read(columns.vehicle, visit),
    fewest: 1,
    values: [columns.emptyVolt, columns.loadedVolt],
  });

export const countKilograms = (columns: Columns): Count[] =>
  countDigits(columns, {
    steps: KILOGRAM_STEPS,
    groups: columns.places.length,
    groupOf: (visit) => read(columns.place, visit),
    fewest: FEWEST_AT_PLACE,
    values: [columns.emptyWeight, columns.loadedWeight],
  });

type Digits = {
  steps: readonly number[];
  groups: number;
  /** -1: the visit's numbers are not asked. */
  groupOf: (visit: number) => number;
  fewest: number;
  values: readonly Int32Array[];
};

/** hits: round numbers. facts r0 to r4: how many have that remainder. */
function countDigits(columns: Columns, { steps, groups, groupOf, fewest, values }: Digits): Count[] {
  const counts = startCounts(columns);
  const [byGroup, byTechnician] = [tallySteps(groups, steps), tallySteps(counts.length, steps)];
  const each = (use: (value: number, group: number, technician: number) => void): void => {
    for (let visit = 0; visit < columns.visits; visit += 1) {
      const group = groupOf(visit);
      if (group === -1) continue;
      const technician = read(columns.technician, visit);
      const { from, to } = groupsOf(columns, visit);
      for (let axle = from; axle < to; axle += 1)
        for (const column of values) use(read(column, axle), group, technician);
    }
  };
  each((value, group) => byGroup.add(group, value));
  const stepOfGroup = Int32Array.from({ length: groups }, (_, group) => byGroup.stepOf(group));
  each((value, _, technician) => byTechnician.add(technician, value));
  const stepOfTechnician = counts.map((_, technician) => byTechnician.stepOf(technician));
  const remainders = new Int32Array(counts.length * MODULO);
  each((value, group, technician) => {
    const step = Math.max(read(stepOfGroup, group), stepOfTechnician[technician] ?? 1);
    if (byGroup.all(group) < fewest || value % step !== 0) return;
    const cell = technician * MODULO + ((value / step) % MODULO);
    remainders[cell] = read(remainders, cell) + 1;
  });
  counts.forEach((count, technician) => {
    const own = remainders.subarray(technician * MODULO, (technician + 1) * MODULO);
    count.n = own.reduce((sum, times) => sum + times, 0);
    count.hits = read(own, 0);
    count.facts = Object.fromEntries(Array.from(own, (times, remainder) => [`r${remainder}`, times]));
  });
  return counts;
}

/** Beside 'too many round ones' nine other questions are asked: one of four other remainders too often, or any too rarely. */
const OTHERS = 2 * MODULO - 1;

/** Half of the level goes to round numbers, half to the nine other questions (Bonferroni, so that p is exact or too large). */
export function digitChance({ n, hits, facts = {} }: Pick<Count, 'n' | 'hits' | 'facts'>): number {
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
  const k = leastAt(level / 2, 0, n, (hits) => binomialTails(hits, n, EVEN).atLeast);
  return k > n ? 0 : binomialTails(k, n, EVEN + (1 - EVEN) * invented).atLeast;
}
