// Visits with as-found readings at which some axle was found out of tolerance. Whoever invents as-found readings finds all well.
import { wasFoundWithin } from './agreement-numbers.ts';
import type { Columns } from './columns.ts';
import { countVisits, groupsOf } from './count-visits.ts';
import type { Count } from './pattern.ts';
import type { SampleTolerance } from './sample.ts';

export const countFoundOut = (columns: Columns, tolerance: SampleTolerance): Count[] =>
  countVisits(columns, (visit) => {
    const { from, to } = groupsOf(columns, visit);
    let answer: 'not asked' | 'no' = 'not asked';
    for (let group = from; group < to; group += 1) {
      const isWithin = wasFoundWithin(columns, group, tolerance);
      if (isWithin === false) return 'yes';
      if (isWithin === true) answer = 'no';
    }
    return answer;
  });
