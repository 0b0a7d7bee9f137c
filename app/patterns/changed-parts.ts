// 'Sensor replaced' and 'other trailer' begin a new series, and so spare a visit the question whether it agrees. Whoever
// chooses them much more often than others deserves a look.
import { OTHER_TRAILER, SENSOR_REPLACED, type Columns } from './columns.ts';
import { countVisits, groupsOf } from './count-visits.ts';
import { read } from './growing.ts';
import type { Count } from './pattern.ts';

export const countSensorReplaced = (columns: Columns): Count[] => countChanges(columns, SENSOR_REPLACED);
export const countOtherTrailer = (columns: Columns): Count[] => countChanges(columns, OTHER_TRAILER);

const countChanges = (columns: Columns, change: number): Count[] =>
  countVisits(columns, (visit) => {
    const { from, to } = groupsOf(columns, visit);
    if (from === to) return 'not asked';
    for (let group = from; group < to; group += 1) if (read(columns.change, group) & change) return 'yes';
    return 'no';
  });
