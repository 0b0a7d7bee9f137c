// How far a technician's stated times may be rounded.
import type { Columns } from './columns.ts';
import { visitsOf } from './order-visits.ts';
import { read } from './growing.ts';

const MINUTE_MS = 60_000;
const STEPS = [30, 15, 10, 5] as const;
/** So many of a hundred times lie on the step. */
const ON_STEP_PERCENT = 90;

/** The visits of a technician whose time is stated, oldest first, and the step of his times in milliseconds. */
export function timedVisits(columns: Columns, technician: number): { visits: Int32Array; stepMs: number } {
  const visits = visitsOf(columns, technician).filter((visit) => read(columns.hasTime, visit) === 1);
  const step = STEPS.find((minutes) => {
    const on = visits.reduce((sum, visit) => sum + Number((read(columns.at, visit) / MINUTE_MS) % minutes < 1), 0);
    return on * 100 >= visits.length * ON_STEP_PERCENT;
  });
  return { visits, stepMs: (step ?? 1) * MINUTE_MS };
}
