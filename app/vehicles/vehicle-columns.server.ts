// Converts a form's input to columns of `vehicle` and back, and lists the differences.
import type { ActivityChange } from '#database/tables.ts';
import { may, type Role } from '#app/access/permissions.ts';
import type { Vehicle } from './queries.server.ts';
import type { VehicleInput } from './vehicle-entry.ts';
import { perField, shownText, VEHICLE_FIELDS, type ByKind, type Field } from './vehicle-fields.ts';

const DECIDING = VEHICLE_FIELDS.filter((field) => 'decides' in field);
const OF_ADMINS = VEHICLE_FIELDS.filter((field) => 'setBy' in field);
const OTHERS = VEHICLE_FIELDS.filter((field) => !('setBy' in field));

/** The columns that `input` of somebody with `role` sets. */
export function columnsOf(input: VehicleInput, role: Role) {
  const values: ByKind<string, string | null, boolean> = {
    text: ({ name }) => input[name],
    day: ({ name }) => input[name],
    yesNo: ({ name }) => input[name],
  };
  return {
    ...perField('column', OTHERS, values),
    ...(may(role, 'validate vehicles') ? perField('column', OF_ADMINS, values) : {}),
  };
}

/** The changes of `input` of somebody with `role` to `vehicle`, field by field, under the specification's names. */
export function changesOf(vehicle: Vehicle, input: VehicleInput, role: Role): ActivityChange[] {
  const fields = may(role, 'validate vehicles') ? VEHICLE_FIELDS : OTHERS;
  return fields
    .map(({ name, column }) => ({ field: name, from: vehicle[column], to: input[name] }))
    .filter(({ from, to }) => from !== to);
}

/** Whether any of `changes` is of a field that decides the verdict. */
export const areDeciding = (changes: readonly ActivityChange[]): boolean =>
  changes.some(({ field }) => DECIDING.some(({ name }) => name === field));

/** The fields of `vehicle` as texts of the form. */
export const textsOf = (vehicle: Vehicle): Record<Field['name'], string> =>
  perField('name', VEHICLE_FIELDS, {
    text: (field) => (field.kind === 'vin' ? shownText(field, vehicle) : vehicle[field.column]),
    day: ({ column }) => vehicle[column] ?? '',
    yesNo: ({ column }) => (vehicle[column] ? 'yes' : 'no'),
  });
