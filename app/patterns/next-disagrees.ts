// The truck's next visit, by somebody else, gives a line that disagrees with this one. Drift is honest too, and which of the
// two is right is not known: a technician's share is held against that of all.
import { doesAgree } from './agreement-numbers.ts';
import type { Columns } from './columns.ts';
import { countVisits, groupLike, groupsOf } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';
import type { SampleTolerance } from './sample.ts';

export const countNextDisagrees = (columns: Columns, tolerance: SampleTolerance): Count[] =>
  countVisits(columns, (visit) => {
    const next = read(columns.next, visit);
    if (next === -1 || read(columns.technician, next) === read(columns.technician, visit)) return 'not asked';
    const { from, to } = groupsOf(columns, next);
    let answer: 'not asked' | 'no' = 'not asked';
    for (let later = from; later < to; later += 1) {
      if (read(columns.change, later) !== 0) continue;
      const earlier = groupLike(columns, later, visit);
      const agrees = earlier === -1 ? undefined : doesAgree(columns, later, earlier, tolerance);
      if (agrees === false) return { with: next };
      if (agrees === true) answer = 'no';
    }
    return answer;
  });
