// Two visits of one technician at weighbridges further apart than 110 km/h allow, by the stated times and the way a
// bird flies. Hits are the visits that must be left out for the rest to be possible: one wrong day typed is one hit,
// not two.
import { addHit, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import type { Sample, SampleVisit } from './sample.ts';
import { timedVisits } from './stated-times.ts';

const MOST_KM_AN_HOUR = 110;
const HOUR_MS = 3_600_000;
/** Coordinates of a weighbridge are those of its town, often enough. */
const NEAR_KM = 5;
const EARTH_KM = 6371;

export const countTooFar = (sample: Sample): Count[] =>
  countEach(sample, (count, all) => {
    const { visits: timed, stepMs } = timedVisits(all);
    const visits = timed.filter(({ place }) => place !== null);
    count.n = visits.length;
    let last: SampleVisit | undefined;
    for (const [at, visit] of visits.entries()) {
      if (last === undefined || !isTooFar(last, visit, stepMs)) {
        last = visit;
        continue;
      }
      addHit(count, [visit, last]);
      const after = visits[at + 1];
      // The one before is the odd one out where what comes after fits this one and not that.
      if (after !== undefined && isTooFar(last, after, stepMs) && !isTooFar(visit, after, stepMs)) last = visit;
    }
  });

function isTooFar(one: SampleVisit, other: SampleVisit, stepMs: number): boolean {
  if (one.place === null || other.place === null || one.place.id === other.place.id) return false;
  const hours = (other.at - one.at + stepMs) / HOUR_MS;
  if (hours > (Math.PI * EARTH_KM) / MOST_KM_AN_HOUR) return false;
  const km = kmBetween(one.place, other.place);
  return km > NEAR_KM && km > hours * MOST_KM_AN_HOUR;
}

type Point = { latitude: number; longitude: number };

/** Along the great circle, in kilometres (haversine). */
export function kmBetween(one: Point, other: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (a: number, b: number): number => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(one.longitude, other.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}
