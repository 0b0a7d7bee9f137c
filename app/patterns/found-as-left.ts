// As-found readings equal to as-left ones to the digit at both loads of every group: either those of this visit (the scale is
// said to be right to the kilogram) or those of the truck's visit before (the old certificate, typed again).
import { NONE, type Columns } from './columns.ts';
import { countVisits, groupLike, groupsOf } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';

export const countFoundAsLeft = (columns: Columns): Count[] =>
  countVisits(columns, (visit) => {
    const { from, to } = groupsOf(columns, visit);
    const before = read(columns.before, visit);
    let [asked, own, earlier] = [0, 0, 0];
    for (let group = from; group < to; group += 1) {
      if (read(columns.foundEmpty, group) === NONE || read(columns.foundLoaded, group) === NONE) continue;
      asked += 1;
      if (isFoundAs(columns, group, group)) own += 1;
      const like = before === -1 ? -1 : groupLike(columns, group, before);
      if (like !== -1 && isFoundAs(columns, group, like)) earlier += 1;
    }
    if (asked === 0) return 'not asked';
    if (earlier === asked) return { with: before };
    return own === asked ? 'yes' : 'no';
  });

const isFoundAs = (columns: Columns, group: number, left: number): boolean =>
  read(columns.foundEmpty, group) === read(columns.emptyWeight, left) &&
  read(columns.foundLoaded, group) === read(columns.loadedWeight, left);
