// How far a technician's stated times may be rounded.
import type { SampleVisit } from './sample.ts';

const MINUTE_MS = 60_000;
const STEPS = [30, 15, 10, 5] as const;
/** So many of a hundred times lie on the step. */
const ON_STEP_PERCENT = 90;

/** Those of a technician's visits whose time is stated, and the step of his times in milliseconds. */
export function timedVisits(all: readonly SampleVisit[]): { visits: SampleVisit[]; stepMs: number } {
  const visits = all.filter(({ hasTime }) => hasTime);
  const step = STEPS.find((minutes) => {
    const on = visits.filter(({ at }) => (at / MINUTE_MS) % minutes < 1);
    return on.length * 100 >= visits.length * ON_STEP_PERCENT;
  });
  return { visits, stepMs: (step ?? 1) * MINUTE_MS };
}
