// All four values of an axle group in two trucks of one technician: of single groups only where the trucks are of different
// makes, since identical trucks on one bridge do give equal sets; of whole visits (two groups or more) always, and also where
// the other visit is by somebody else. Equal voltages alone are no signal.
//
// A set recorded on the wrong truck, and then again on the right one, is a slip: those as common as with the others are allowed for.
import type { Columns } from './columns.ts';
import { singleByChance, wholeByChance } from './copy-chance.ts';
import { addHit, isSameWhole, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import { equalKeys, hashOf } from './hash.ts';
import { stepsOf } from './lattice.ts';
import { inTime, visitsOf } from './order-visits.ts';
import type { Count, Finding } from './pattern.ts';
import { slipChance, type Usual } from './rates.ts';

/** Of a set that is very common only so many are held against each other. */
const LINKS = 20;

/**
 * n: visits. hits: visits that repeat a whole other one. facts.single: visits of which single groups repeat those of another
 * make. facts.byChance, facts.singleByChance: how many of both are expected.
 */
export function countCopied(columns: Columns, cellChance: readonly number[]): Count[] {
  const counts = startCounts(columns);
  const singles = new Map<number, Finding[]>();
  const whole = new Set<number>();
  const addSingle = (visit: number, other: number): void => {
    const found = singles.get(visit) ?? [];
    singles.set(visit, found);
    found.push([columns.ids[visit] ?? '', columns.ids[other] ?? '']);
  };
  for (const [visit, other] of equalSets(columns)) {
    if (whole.has(visit)) continue;
    const isOwn = read(columns.technician, visit) === read(columns.technician, other);
    if (isSameWhole(columns, visit, other)) {
      whole.add(visit);
      const count = counts[read(columns.technician, visit)];
      if (count !== undefined) addHit(columns, count, [visit, other]);
    } else if (isOwn && areUnlike(columns, visit, other)) addSingle(visit, other);
  }
  const steps = stepsOf(columns);
  for (const count of counts) {
    const visits = visitsOf(columns, count.technician);
    count.n = visits.length;
    const single = [...visits].filter((visit) => singles.has(visit) && !whole.has(visit));
    for (const visit of single) count.findings.push(...(singles.get(visit) ?? []).slice(0, 1));
    count.facts = {
      single: single.length,
      byChance: wholeByChance(columns, visits, steps),
      singleByChance: singleByChance(columns, visits, { steps, cellChance }),
    };
  }
  return counts;
}

/** Half of the level goes to whole visits, half to single groups. */
export function copyChance(count: Count, usual: Usual): number | undefined {
  const { single = 0, byChance = 0, singleByChance: expected = 0 } = count.facts ?? {};
  const whole = slipChance(count, usual, byChance);
  const ofSingle = slipChance({ ...count, hits: single }, { ...usual, from: new Set() }, expected);
  return whole === undefined || ofSingle === undefined ? undefined : Math.min(1, 2 * whole, 2 * ofSingle);
}

const areUnlike = ({ make }: Columns, one: number, other: number): boolean =>
  read(make, one) !== -1 && read(make, other) !== -1 && read(make, one) !== read(make, other);

// Pairs of visits on different trucks that share a set, the later first.
function* equalSets(columns: Columns): Generator<[number, number]> {
  const groups = columns.axle.length;
  const visitOfGroup = new Int32Array(groups);
  for (let visit = 0; visit < columns.visits; visit += 1)
    visitOfGroup.fill(visit, read(columns.axleFrom, visit), read(columns.axleFrom, visit + 1));
  const values = [columns.emptyVolt, columns.loadedVolt, columns.emptyWeight, columns.loadedWeight];
  const keys = Float64Array.from({ length: groups }, (_, group) =>
    hashOf(5, (part) => read(values[part] ?? columns.axle, group)),
  );
  for (const equal of equalKeys(keys)) {
    const visits = Array.from(equal, (group) => read(visitOfGroup, group)).toSorted(inTime(columns));
    for (const [place, visit] of visits.entries())
      for (const other of visits.slice(Math.max(0, place - LINKS), place).toReversed())
        if (read(columns.vehicle, visit) !== read(columns.vehicle, other)) yield [visit, other];
  }
}
