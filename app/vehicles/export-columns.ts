// The columns of the list of vehicles as CSV, with the specification's names.
import type { Policy } from '#app/policy/policy.ts';
import { verdictOf } from './listed-vehicle.ts';
import type { Vehicle } from './queries.server.ts';
import { shownText, VEHICLE_FIELDS, type Field } from './vehicle-fields.ts';
import { isDueInForce, lastCountedAt } from './verdict.ts';
import { VERDICTS } from './verdict-table.ts';

export type Exported = Vehicle & {
  addedByName: string | null;
  updatedByName: string | null;
  certificateFileId: string | null;
  certificateUrl: string | null;
  ruledAt: Date | null;
  hasFindings: boolean;
};
/** The same for every row. `origin`: the registry's public address. */
export type ExportContext = { today: string; policy: Policy; origin: string };
type Column = { name: string; of: (vehicle: Exported, context: ExportContext) => string | boolean | null };

const columnOf = (field: Field): Column => ({
  name: field.name,
  of: (vehicle) =>
    field.kind === 'day' || field.kind === 'yes-no' ? vehicle[field.column] : shownText(field, vehicle),
});
export const COLUMNS: readonly Column[] = [
  { name: 'rego', of: ({ rego }) => rego },
  ...VEHICLE_FIELDS.filter(({ kind }) => kind !== 'text').map(columnOf),
  {
    name: 'valid_calibration',
    of: (vehicle, { today, policy }) =>
      !vehicle.hasFindings &&
      VERDICTS.some(({ verdict, tick }) => tick && verdict === verdictOf(vehicle, today, policy)),
  },
  { name: 'verdict', of: (vehicle, { today, policy }) => verdictOf(vehicle, today, policy) },
  // Of a date without a visit that counts: kept, and in force only with one.
  { name: 'due_in_force', of: (vehicle) => vehicle.nextCalibrationDueOn !== null && isDueInForce(vehicle) },
  // By the last check of its whole history, and by what was seen since.
  { name: 'matches_log', of: (vehicle) => !vehicle.hasFindings },
  { name: 'as_at', of: (_, { today }) => today },
  { name: 'policy_version', of: (_, { policy }) => String(policy.version) },
  { name: 'last_calibrated_at', of: (vehicle) => instant(lastCountedAt(vehicle, vehicle.ruledAt)) },
  {
    name: 'certificate',
    of: ({ certificateFileId: id, certificateUrl }, { origin }) =>
      id === null ? certificateUrl : `${origin}/files/${id}`,
  },
  ...VEHICLE_FIELDS.filter(({ kind }) => kind === 'text').map(columnOf),
  { name: 'added_at', of: ({ addedAt }) => instant(addedAt) },
  { name: 'added_by', of: ({ addedByName }) => addedByName },
  { name: 'updated_at', of: ({ updatedAt }) => instant(updatedAt) },
  { name: 'updated_by', of: ({ updatedByName }) => updatedByName },
];

/** The names of all of them. An import reads those that are fields of the form. */
export const EXPORTED_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

const instant = (at: Date | null) => at?.toISOString() ?? null;
