// What the records of each technician give for one pattern, and the counting that several patterns share.
import { FINDINGS_MAX, type Count } from './pattern.ts';
import type { Sample, SampleVisit } from './sample.ts';

/** One count of each technician. `fill`: from his visits, oldest first. */
export const countEach = (
  { byTechnician }: Sample,
  fill: (count: Count, visits: readonly SampleVisit[]) => void,
): Count[] =>
  Array.from(byTechnician, ([technician, visits]) => {
    const count: Count = { technician, n: 0, hits: 0, facts: {}, findings: [] };
    fill(count, visits);
    return count;
  });

/** These visits belong together, and are one hit, or several. */
export function addHit(count: Count, visits: readonly SampleVisit[], hits = 1): void {
  count.hits += hits;
  if (count.findings.length < FINDINGS_MAX) count.findings.push(visits.map(({ id }) => id));
}

/** Those with the same key, in groups of two or more. Those without a key are left out. */
export function alike<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  const groups = Map.groupBy(items, keyOf);
  groups.delete(undefined);
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** How many pairs of these are equal. */
export function equalPairs(keys: Iterable<unknown>): number {
  const times = new Map<unknown, number>();
  let pairs = 0;
  for (const key of keys) {
    const earlier = times.get(key) ?? 0;
    pairs += earlier;
    times.set(key, earlier + 1);
  }
  return pairs;
}
