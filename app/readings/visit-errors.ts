// The errors at the check loads of one visit, from what was read of its vehicle.
import type { Policy } from '#app/policy/policy.ts';
import { measureAxles } from './axle-lines.ts';
import { groupReadings, type SetReading } from './calibration-set.ts';
import { errorsAtCheck, type ToldError } from './errors-at-check.ts';
import type { CalibrationSet } from './queries.server.ts';
import { weighingsIn } from './weighings.ts';

type Records = {
  readings: readonly SetReading[];
  sets: readonly Pick<CalibrationSet, 'id' | 'axles' | 'trailers' | 'weighings'>[];
  policy: Policy;
};

/** `e`: the verification interval of its weighbridge; null: not known. None for a visit that was not one form. */
export function errorsOfVisit(visitId: string, e: number | null, { readings, sets, policy }: Records): ToldError[] {
  const set = sets.find(({ id }) => id === visitId);
  if (set === undefined) return [];
  const own = readings.filter((reading) => reading.visitId === visitId);
  const measured = [...measureAxles(groupReadings(own), [set], { tolerance: policy, details: {} }).values()].flat();
  const weighings = weighingsIn(set.weighings);
  return errorsAtCheck(measured, { e, assumedKg: policy.assumedIntervalKg, weighings, tolerance: policy });
}
