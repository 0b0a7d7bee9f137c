// The fields of a vehicle as its page and its report show them.
import { formatDay } from '#app/platform/time/calendar.ts';
import { shownText, VEHICLE_FIELDS, wordsOf, type Field, type FieldColumns } from './vehicle-fields.ts';

/** `value` is '' or null if it is unknown. */
export type VehicleFact = { label: string; value: string | null; kind: Field['kind'] };

/** The fields that anyone sees, or the fields that only signed-in persons see. */
export function presentFacts(vehicle: FieldColumns, seenBy: 'anyone' | 'office'): VehicleFact[] {
  return (
    VEHICLE_FIELDS.filter((field) => field.kind !== 'yes-no')
      .filter((field) => !('decides' in field))
      .filter(({ seen }) => (seen === 'office') === (seenBy === 'office'))
      // A truck is not said to be one, and groups of which nothing is known have no line of their own.
      .filter(
        (field) =>
          (field.kind !== 'choice' && field.kind !== 'group details' && !('whereKnown' in field)) ||
          vehicle[field.column] !== '',
      )
      .map((field) => ({
        label: 'fact' in field ? field.fact : field.label,
        kind: field.kind,
        value: field.kind === 'day' ? dayOf(vehicle[field.column]) : wordsOf(field, shownText(field, vehicle)),
      }))
  );
}

const dayOf = (day: string | null) => (day === null ? null : formatDay(day));
