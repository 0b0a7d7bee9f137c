// Two visits of one technician at weighbridges further apart than 110 km/h allow, by the stated times and the way a bird flies.
// Hits are the visits that must be left out for the rest to be possible: one wrong day typed is one hit, not two.
import type { Columns } from './columns.ts';
import { addHit, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';
import { timedVisits } from './stated-times.ts';

const MOST_KM_AN_HOUR = 110;
const HOUR_MS = 3_600_000;
/** Coordinates of a weighbridge are those of its town, often enough. */
const NEAR_KM = 5;
const EARTH_KM = 6371;

export function countTooFar(columns: Columns): Count[] {
  const counts = startCounts(columns);
  for (const count of counts) {
    const { visits: timed, stepMs } = timedVisits(columns, count.technician);
    const visits = timed.filter((visit) => read(columns.place, visit) !== -1);
    count.n = visits.length;
    const cannot = (one: number, other: number): boolean => isTooFar(columns, one, other, stepMs);
    let last = visits[0];
    for (let at = 1; at < visits.length && last !== undefined; at += 1) {
      const visit = read(visits, at);
      if (!cannot(last, visit)) {
        last = visit;
        continue;
      }
      addHit(columns, count, [visit, last]);
      const after = visits[at + 1];
      // The one before is the odd one out where what comes after fits this one and not that.
      if (after !== undefined && cannot(last, after) && !cannot(visit, after)) last = visit;
    }
  }
  return counts;
}

function isTooFar(columns: Columns, one: number, other: number, stepMs: number): boolean {
  const [from, to] = [read(columns.place, one), read(columns.place, other)];
  if (from === to) return false;
  const hours = (read(columns.at, other) - read(columns.at, one) + stepMs) / HOUR_MS;
  if (hours > (Math.PI * EARTH_KM) / MOST_KM_AN_HOUR) return false;
  const km = kmBetween(columns.places[from], columns.places[to]);
  return km > NEAR_KM && km > hours * MOST_KM_AN_HOUR;
}

type Point = { latitude: number; longitude: number };

/** Along the great circle, in kilometres (haversine). */
export function kmBetween(one: Point | undefined, other: Point | undefined): number {
  if (one === undefined || other === undefined) return 0;
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (a: number, b: number): number => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(one.longitude, other.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}
