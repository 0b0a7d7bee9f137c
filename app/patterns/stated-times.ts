// How far a technician's stated times may be rounded.
import { isOneDaysWork, type SampleVisit } from './sample.ts';

const MINUTE_MS = 60_000;
const STEPS = [60, 30, 15, 10, 5] as const;
/** So many of a hundred times lie on the step. */
const ON_STEP_PERCENT = 60;
/** Shorter than any visit. */
const SHORT_MS = 12 * MINUTE_MS;
const FEWEST_GAPS = 4;

/**
 * Those of a technician's visits whose time is stated, and the step of his times in milliseconds. None where most
 * visits of a day follow each other at once: the times are those of recording them, one after the other.
 */
export function timedVisits(all: readonly SampleVisit[]): { visits: readonly SampleVisit[]; stepMs: number } {
  const visits = all.filter(({ hasTime }) => hasTime);
  const step = STEPS.find((minutes) => {
    const on = visits.filter(({ at }) => (at / MINUTE_MS) % minutes < 1);
    return on.length * 100 >= visits.length * ON_STEP_PERCENT;
  });
  const stepMs = (step ?? 1) * MINUTE_MS;
  const gaps = visits.flatMap((visit, at) => {
    const last = visits[at - 1];
    return last !== undefined && isOneDaysWork(visit, last) ? [visit.at - last.at] : [];
  });
  const short = gaps.filter((gap) => gap < SHORT_MS).length;
  const isRecorded = gaps.length >= FEWEST_GAPS && short * 2 > gaps.length;
  return { visits: isRecorded ? [] : visits, stepMs };
}
