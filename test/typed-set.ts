// A visit to two axle groups, as a technician types it.
import { readSet, type SetInput } from '#app/recording/set-entry.ts';

export const STEER = {
  STEER_empty_volt: '0.84',
  STEER_empty_weight: '3,940',
  STEER_loaded_volt: '1.46',
  STEER_loaded_weight: '5880',
};
export const DRIVE = {
  DRIVE_empty_volt: '0.92',
  DRIVE_empty_weight: '4820',
  DRIVE_loaded_volt: '3.180',
  DRIVE_loaded_weight: '15640',
};
export const VISIT = { confirmed: 'yes', visit_date: '2026-11-20', visit_time: '14:05', due_date: '2027-05-14' };

/** What the form makes of `fields` at the instant `now`. */
export const readTyped = (fields: Record<string, string>, now: Date, axles = ['STEER', 'DRIVE']) =>
  readSet(new Map(Object.entries(fields)), new Map([['axle', axles]]), {
    zone: 'Australia/Sydney',
    now,
    longestIntervalDays: 366,
  });

/** The visit with `more` fields. Throws when the form refuses it, or warns of it. */
export function typedSet(more: Record<string, string>, now: Date, axles?: string[]): SetInput {
  const { input, errors, warnings } = readTyped({ ...VISIT, ...STEER, ...DRIVE, ...more }, now, axles);
  if (input === undefined) throw new Error(JSON.stringify({ errors, warnings }));
  return input;
}
