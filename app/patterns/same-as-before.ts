// This truck's visit before, repeated to the digit: all values of all groups, two groups or more. Recording one weighing twice
// is a slip, so the visits lie at least a day apart, and slips as common as with the others are allowed for.
import type { Columns } from './columns.ts';
import { countVisits, isOneWeighing, isSameWhole } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';

export const countSameAsBefore = (columns: Columns): Count[] =>
  countVisits(columns, (visit) => {
    const before = read(columns.before, visit);
    const groups = read(columns.axleFrom, visit + 1) - read(columns.axleFrom, visit);
    if (before === -1 || groups < 2 || isOneWeighing(columns, visit, before)) return 'not asked';
    return isSameWhole(columns, visit, before) ? { with: before } : 'no';
  });
