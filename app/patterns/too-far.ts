// Two visits of one technician at weighbridges further apart than 110 km/h allow, by the stated times and the way a
// bird flies. Hits are the visits that must be left out for the rest to be possible: one wrong day typed is one hit,
// not two. Beyond 400 km an aeroplane is allowed for. Two people may work under one account: pairs of its usual
// weighbridges are let pass within 150 km, and wherever they come on many days.
import { addHit, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import type { Sample, SampleVisit } from './sample.ts';
import { timedVisits } from './stated-times.ts';

const MOST_KM_AN_HOUR = 110;
const HOUR_MS = 3_600_000;
/** Coordinates of a weighbridge are those of its town, often enough. */
const NEAR_KM = 5;
const FLIGHT_KM = 400;
const FLIGHT_KM_AN_HOUR = 800;
const AT_AIRPORTS_HOURS = 2;
const EARTH_KM = 6371;

export const countTooFar = (sample: Sample): Count[] =>
  countEach(sample, (count, all) => {
    const { visits: timed, stepMs } = timedVisits(all);
    const visits = timed.filter(({ place }) => place !== null);
    count.n = visits.length;
    const hits: [SampleVisit, SampleVisit][] = [];
    let last: SampleVisit | undefined;
    for (const [at, visit] of visits.entries()) {
      if (last === undefined || !isTooFar(last, visit, stepMs)) {
        last = visit;
        continue;
      }
      hits.push([visit, last]);
      const after = visits[at + 1];
      // The one before is the odd one out where what comes after fits this one and not that.
      if (after !== undefined && isTooFar(last, after, stepMs) && !isTooFar(visit, after, stepMs)) last = visit;
    }
    for (const pair of withoutTeams(hits, visits)) addHit(count, pair);
  });

type Pair = [SampleVisit, SampleVisit];

/** A weighbridge with so many of an account's visits is a usual one. */
const USUAL = 0.05;
/** A team works on at least so many of the days with two visits. */
const TEAM_DAYS = 0.1;
const TEAM_KM = 150;
const DAY_MS = 24 * HOUR_MS;

const isNear = ([{ place: one }, { place: other }]: Pair): boolean =>
  one !== null && other !== null && kmBetween(one, other) <= TEAM_KM;

function withoutTeams(hits: readonly Pair[], visits: readonly SampleVisit[]): readonly Pair[] {
  const places = Map.groupBy(visits, ({ place }) => place?.id);
  const isUsual = ({ place }: SampleVisit): boolean =>
    (places.get(place?.id)?.length ?? 0) >= Math.max(2, visits.length * USUAL);
  const usual = new Set(hits.filter((pair) => pair.every(isUsual)));
  const far = hits.filter((pair) => !usual.has(pair) || !isNear(pair));
  const dayOf = ({ at }: SampleVisit): number => Math.floor(at / DAY_MS);
  const days = [...Map.groupBy(visits, dayOf).values()].filter(({ length }) => length > 1).length;
  const teamDays = new Set([...usual].map(([visit]) => dayOf(visit))).size;
  return teamDays >= days * TEAM_DAYS ? far.filter((pair) => !usual.has(pair)) : far;
}

function isTooFar(one: SampleVisit, other: SampleVisit, stepMs: number): boolean {
  if (one.place === null || other.place === null || one.place.id === other.place.id) return false;
  const hours = (other.at - one.at + stepMs) / HOUR_MS;
  if (hours > (Math.PI * EARTH_KM) / MOST_KM_AN_HOUR) return false;
  const km = kmBetween(one.place, other.place);
  if (km > FLIGHT_KM && km < (hours - AT_AIRPORTS_HOURS) * FLIGHT_KM_AN_HOUR) return false;
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
