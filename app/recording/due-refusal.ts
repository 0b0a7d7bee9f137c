// Why a due date cannot be that of a calibration. Without Zod, for the forms that say it while one types.
import { addDays } from '#app/platform/time/calendar.ts';
import { days } from '#app/policy/policy.ts';

/** `due` for a calibration on `day`, by the policy's longest interval; undefined if it can be. */
export function dueRefusal(due: string, day: string, longestIntervalDays: number): string | undefined {
  if (due < day) return 'The due date is before the calibration.';
  return due > addDays(day, longestIntervalDays)
    ? `The due date is more than ${days(longestIntervalDays)} after the calibration. Check the year.`
    : undefined;
}
