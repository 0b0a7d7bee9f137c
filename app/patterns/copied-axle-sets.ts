// All four values of an axle group in two trucks of one technician: of single groups only where the trucks are of
// different makes, since identical trucks on one bridge do give equal sets; of whole visits (two groups or more)
// always, and also where the other visit is by somebody else. Equal voltages alone are no signal.
//
// A set recorded on the wrong truck, and then again on the right one, is a slip: those as common as with the others are
// allowed for.
import { AXLES } from '#app/vehicles/axle.ts';
import { makeOf, singleByChance, wholeByChance } from './copy-chance.ts';
import { addHit, alike, countEach } from './count.ts';
import type { Steps } from './lattice.ts';
import type { Count } from './pattern.ts';
import { slipChanceOf } from './rates.ts';
import { axleIn, isSameWhole, valuesOf, type Sample, type SampleVisit } from './sample.ts';
import type { Spread } from './statistics.ts';

/** Of a set that is very common only so many are held against each other. */
const LINKS = 20;

/**
 * n: visits. hits: visits that repeat a whole other one. facts.single: visits of which single groups repeat those of
 * another make. facts.byChance, facts.singleByChance: how many of both are expected.
 */
export function countCopied(
  sample: Sample,
  { steps, cellChance }: { steps: ReadonlyMap<SampleVisit, Steps>; cellChance: readonly number[] },
): Count[] {
  const wholes = new Map<SampleVisit, SampleVisit>();
  const singles = new Map<SampleVisit, SampleVisit>();
  for (const [visit, other] of equalSets(sample.visits)) {
    if (wholes.has(visit)) continue;
    if (isSameWhole(visit, other)) wholes.set(visit, other);
    else if (visit.technician === other.technician && areUnlike(visit, other) && !singles.has(visit))
      singles.set(visit, other);
  }
  return countEach(sample, (count, visits) => {
    count.n = visits.length;
    const single: [SampleVisit, SampleVisit][] = [];
    for (const visit of visits) {
      const [whole, part] = [wholes.get(visit), singles.get(visit)];
      if (whole !== undefined) addHit(count, [visit, whole]);
      else if (part !== undefined) single.push([visit, part]);
    }
    for (const [visit, other] of single) count.findings.push([visit.id, other.id]);
    count.facts = {
      single: single.length,
      byChance: wholeByChance(visits, steps),
      singleByChance: singleByChance(visits, { steps, cellChance }),
    };
  });
}

/** Half of the level goes to whole visits, half to single groups. */
export function copyChance(count: Count, usual: Spread): number {
  const { single = 0, byChance = 0, singleByChance: expected = 0 } = count.facts;
  const whole = slipChanceOf(count, usual, byChance);
  return Math.min(1, 2 * whole, 2 * slipChanceOf({ n: count.n, hits: single }, usual, expected));
}

const areUnlike = (one: SampleVisit, other: SampleVisit): boolean =>
  one.make !== '' && other.make !== '' && makeOf(one) !== makeOf(other);

// Pairs of visits on different trucks that share a set, the later first.
function* equalSets(visits: readonly SampleVisit[]): Generator<[SampleVisit, SampleVisit]> {
  for (const { axle } of AXLES)
    for (const equal of alike(visits, (visit) => valuesOf(axleIn(visit, axle))))
      for (const [place, visit] of equal.entries())
        for (const other of equal.slice(Math.max(0, place - LINKS), place).toReversed())
          if (visit.vehicle !== other.vehicle) yield [visit, other];
}
