// What was typed into the form of a visit: kept as the form would send it, and read by the registry's own rules.
import { readSet, type ReadSet } from '#app/recording/set-entry.ts';
import type { OpenedSet } from '#app/recording/set-form.tsx';

export type OpenedVisit = OpenedSet & { vehicleId: string; longestIntervalDays: number };

const NOT_KEPT = ['form_key', 'rego', 'vin', 'photo', 'photo_file'];

export const fieldsOf = (form: FormData): [string, string][] =>
  [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !NOT_KEPT.includes(name) ? [[name, value]] : [],
  );

export function readTyped(form: FormData, by: Parameters<typeof readSet>[2]): ReadSet {
  const fields = new Map(fieldsOf(form));
  const vin = form.get('vin');
  fields.set('vin', typeof vin === 'string' ? vin : '');
  const all = [...fields.keys()].map((name): [string, string[]] => [name, form.getAll(name).map(String)]);
  return readSet(fields, new Map(all), by);
}

/** What the form shows where a visit that was read is not ready to be sent. */
export function answerTo({ values, errors, axles, warnings, codes, zone }: ReadSet) {
  const said = { values, errors, more: { axles, warnings, codes, zone } };
  return Object.keys(errors).length > 0
    ? said
    : { ...said, failure: { sentence: 'Some values look like slips. Check them, or tick that they are correct.' } };
}

export const NO_ROOM =
  'This phone has no room left for the visit. What you typed is still here. Free some room, then save it again.';
