// The changes of an activity, as a reader sees them.
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay, isDay } from '#app/platform/time/calendar.ts';
import type { ActivityChange } from '#database/tables.ts';
import { VEHICLE_FIELDS, wordsOf, type Field } from './vehicle-fields.ts';

export type ShownChange = { label: string; from: string; to: string };

/** One changed field, as texts. */
export function presentChange({ field, from, to }: ActivityChange): ShownChange {
  const known = VEHICLE_FIELDS.find((each) => each.name === field);
  const words = field.replaceAll('_', ' ');
  return {
    label: known?.label ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    from: presentValue(from, known),
    to: presentValue(to, known),
  };
}

function presentValue(value: ActivityChange['from'], field: Field | undefined): string {
  if (value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  // The beginning of a file's id, enough to tell files apart.
  if (isUuid(text)) return `file ${text.slice(0, 8)}`;
  return isDay(text) ? formatDay(text) : wordsOf(field, text);
}
