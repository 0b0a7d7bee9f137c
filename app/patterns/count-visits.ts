// Patterns that ask one question of each visit.
import type { Columns } from './columns.ts';
import { read } from './growing.ts';
import { FINDINGS_MAX, type Count } from './pattern.ts';

/** No opportunity; no; yes; yes, held against that visit. */
export type Answer = 'not asked' | 'no' | 'yes' | { with: number };

export function countVisits(columns: Columns, ask: (visit: number) => Answer): Count[] {
  const counts = startCounts(columns);
  for (let visit = 0; visit < columns.visits; visit += 1) {
    const answer = ask(visit);
    const count = counts[read(columns.technician, visit)];
    if (answer === 'not asked' || count === undefined) continue;
    count.n += 1;
    if (answer !== 'no') addHit(columns, count, answer === 'yes' ? [visit] : [visit, answer.with]);
  }
  return counts;
}

export const startCounts = ({ technicians }: Pick<Columns, 'technicians'>): Count[] =>
  technicians.map((_, technician) => ({ technician, n: 0, hits: 0, findings: [] }));

/** These visits belong together, and are one hit, or several. */
export function addHit({ ids }: Pick<Columns, 'ids'>, count: Count, visits: readonly number[], hits = 1): void {
  count.hits += hits;
  if (count.findings.length < FINDINGS_MAX) count.findings.push(visits.map((visit) => ids[visit] ?? ''));
}

/** The groups of a visit: from the first to the last, end excluded. */
export const groupsOf = ({ axleFrom }: Pick<Columns, 'axleFrom'>, visit: number): { from: number; to: number } => ({
  from: read(axleFrom, visit),
  to: read(axleFrom, visit + 1),
});

/** The same axle group in another visit; -1: it is not there. */
export function groupLike(columns: Columns, group: number, visit: number): number {
  const { from, to } = groupsOf(columns, visit);
  for (let other = from; other < to; other += 1)
    if (read(columns.axle, other) === read(columns.axle, group)) return other;
  return -1;
}

/** Whether two groups have the same four values. */
export const isSameSet = (columns: Columns, one: number, other: number): boolean =>
  read(columns.emptyVolt, one) === read(columns.emptyVolt, other) &&
  read(columns.loadedVolt, one) === read(columns.loadedVolt, other) &&
  read(columns.emptyWeight, one) === read(columns.emptyWeight, other) &&
  read(columns.loadedWeight, one) === read(columns.loadedWeight, other);

/** Whether the two visits have the same groups, at least two, with the same values. */
export function isSameWhole(columns: Columns, one: number, other: number): boolean {
  const { from, to } = groupsOf(columns, one);
  const there = groupsOf(columns, other);
  if (to - from < 2 || there.to - there.from !== to - from) return false;
  for (let group = from; group < to; group += 1) {
    const like = groupLike(columns, group, other);
    if (like === -1 || !isSameSet(columns, group, like)) return false;
  }
  return true;
}

const HOUR_MS = 3_600_000;
/** Records of one truck within this time are one weighing. */
const ONE_WEIGHING_MS = 20 * HOUR_MS;

/** Whether two visits are about one weighing of one truck, recorded in parts. */
export const isOneWeighing = ({ vehicle, at }: Columns, one: number, other: number): boolean =>
  read(vehicle, one) === read(vehicle, other) && Math.abs(read(at, one) - read(at, other)) < ONE_WEIGHING_MS;
