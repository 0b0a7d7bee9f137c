// More than four complete visits on different trucks within 60 minutes, by the stated times. Where a technician rounds
// his times to a quarter of an hour, five of them may lie up to 15 minutes further apart than stated, and are given
// those. Hits are the visits beyond the fourth of each hour; slips as common as with the others are allowed for.
import { addHit, countEach } from './count.ts';
import type { Count } from './pattern.ts';
import type { Sample } from './sample.ts';
import { timedVisits } from './stated-times.ts';

const HOUR_MS = 3_600_000;
export const MOST_IN_AN_HOUR = 4;

export const countTooFast = (sample: Sample): Count[] =>
  countEach(sample, (count, all) => {
    const { visits: timed, stepMs } = timedVisits(all);
    const visits = timed.filter(({ isComplete }) => isComplete);
    count.n = visits.length;
    let counted = 0;
    for (const [first, { at }] of visits.entries()) {
      if (first < counted) continue;
      const end = visits.findIndex((visit, place) => place > first && visit.at > at + HOUR_MS - stepMs);
      const within = visits.slice(first, end === -1 ? visits.length : end);
      const trucks = new Set(within.map(({ vehicle }) => vehicle)).size;
      if (trucks <= MOST_IN_AN_HOUR) continue;
      addHit(count, within, trucks - MOST_IN_AN_HOUR);
      counted = first + within.length;
    }
  });
