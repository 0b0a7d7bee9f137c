// More than four complete visits on different trucks within 60 minutes, by the stated times. Where a technician rounds his
// times to a quarter of an hour, five of them may lie up to 15 minutes further apart than stated, and are given those.
// Hits are the visits beyond the fourth of each hour; slips as common as with the others are allowed for.
import type { Columns } from './columns.ts';
import { addHit, startCounts } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';
import { timedVisits } from './stated-times.ts';

const HOUR_MS = 3_600_000;
export const MOST_IN_AN_HOUR = 4;

export function countTooFast(columns: Columns): Count[] {
  const counts = startCounts(columns);
  for (const count of counts) {
    const { visits: timed, stepMs } = timedVisits(columns, count.technician);
    const visits = timed.filter((visit) => read(columns.isComplete, visit) === 1);
    count.n = visits.length;
    for (let first = 0; first < visits.length;) {
      const until = read(columns.at, read(visits, first)) + HOUR_MS - stepMs;
      let end = first + 1;
      while (end < visits.length && read(columns.at, read(visits, end)) <= until) end += 1;
      const within = visits.subarray(first, end);
      const trucks = new Set(Array.from(within, (visit) => read(columns.vehicle, visit))).size;
      if (trucks <= MOST_IN_AN_HOUR) {
        first += 1;
        continue;
      }
      addHit(columns, count, [...within], trucks - MOST_IN_AN_HOUR);
      first = end;
    }
  }
  return counts;
}
