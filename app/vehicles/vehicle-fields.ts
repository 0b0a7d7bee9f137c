// The one list of the vehicle's fields that people fill in. The form, its validation, the columns that a write sets,
// the labels in the history, the CSV, the import, the facts on page and report, and the public API follow from it. To
// add a field, add a row here, a migration for its column, and a line in database/tables.ts.
import type { Tables } from '#database/tables.ts';
import { AXLE_GROUPS } from './axle.ts';
import { knownVin } from './vehicle.ts';

type Described = {
  /** The specification's name: in the form, the CSV, the API and the former database. */
  name: string;
  column: keyof Tables['vehicle'];
  /** The label of its input, and in the history of changes. */
  label: string;
  /** Its label in the facts of page and report, where it is another. The facts omit what decides the verdict. */
  fact?: string;
  /** The part of the form. */
  section: 'Vehicle' | 'Scale';
  /**
   * `list`: anyone, and in the API's lists, so `search_vehicles()` must return it. `page`: anyone. `office`: signed-in
   * persons.
   */
  seen: 'list' | 'page' | 'office';
  /** `expected`: an import reports if the former database has no such field. */
  imported: 'expected' | 'optional';
  /** Only admins change it, because it decides the verdict. */
  decides?: true;
} & (
  | { kind: 'vin' | 'day' | 'yes-no' }
  | { kind: 'line' | 'text'; maxLength: number }
  /** One of the options, or '' for not known. */
  | { kind: 'choice'; options: readonly { value: string; label: string }[] }
);

/** The order is the order of display, except that the form and the CSV show long texts last. */
export const VEHICLE_FIELDS = [
  {
    name: 'vin',
    column: 'vin',
    label: 'VIN',
    kind: 'vin',
    section: 'Vehicle',
    seen: 'list',
    imported: 'expected',
  },
  {
    name: 'make',
    column: 'make',
    label: 'Make',
    kind: 'line',
    maxLength: 60,
    section: 'Vehicle',
    seen: 'page',
    imported: 'expected',
  },
  {
    name: 'model',
    column: 'model',
    label: 'Model',
    kind: 'line',
    maxLength: 60,
    section: 'Vehicle',
    seen: 'page',
    imported: 'expected',
  },
  {
    name: 'company_name',
    column: 'companyName',
    label: 'Company name',
    fact: 'Company',
    kind: 'line',
    maxLength: 200,
    section: 'Vehicle',
    seen: 'page',
    imported: 'expected',
  },
  {
    name: 'driver_name',
    column: 'driverName',
    label: 'Driver name',
    fact: 'Driver',
    kind: 'line',
    maxLength: 200,
    section: 'Vehicle',
    seen: 'office',
    imported: 'optional',
  },
  {
    name: 'scale_serial_number',
    column: 'scaleSerialNumber',
    label: 'Scale serial number',
    fact: 'Scale serial',
    kind: 'line',
    maxLength: 100,
    section: 'Scale',
    seen: 'list',
    imported: 'expected',
  },
  {
    name: 'axle_groups',
    column: 'axleGroups',
    label: 'Axle groups with a sensor',
    fact: 'Axle groups',
    kind: 'choice',
    options: AXLE_GROUPS,
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
  },
  {
    name: 'fitted_location',
    column: 'fittedLocation',
    label: 'Fitted location',
    kind: 'line',
    maxLength: 200,
    section: 'Scale',
    seen: 'page',
    imported: 'expected',
  },
  {
    name: 'fitted_date',
    column: 'fittedOn',
    label: 'Fitted date',
    kind: 'day',
    section: 'Scale',
    seen: 'page',
    imported: 'expected',
  },
  {
    name: 'warranty_expiry_date',
    column: 'warrantyExpiresOn',
    label: 'Warranty expiry date',
    fact: 'Warranty expiry',
    kind: 'day',
    section: 'Scale',
    seen: 'list',
    imported: 'expected',
  },
  {
    name: 'notes',
    column: 'notes',
    label: 'Notes',
    kind: 'text',
    maxLength: 4000,
    section: 'Scale',
    seen: 'office',
    imported: 'optional',
  },
  {
    name: 'next_calibration_due',
    column: 'nextCalibrationDueOn',
    label: 'Next calibration due',
    kind: 'day',
    section: 'Scale',
    seen: 'list',
    imported: 'optional',
    decides: true,
  },
  {
    name: 'calibration_validated',
    column: 'calibrationValidated',
    label: 'Calibration validated',
    kind: 'yes-no',
    section: 'Scale',
    seen: 'list',
    imported: 'optional',
    decides: true,
  },
] as const satisfies readonly Described[];

export type Field = (typeof VEHICLE_FIELDS)[number];

/** `text` as people read it: the label of the option that it is, or itself. */
export const wordsOf = (field: Field | undefined, text: string): string =>
  (field?.kind === 'choice' ? field.options.find(({ value }) => value === text)?.label : undefined) ?? text;
type TextField = Exclude<Field, { kind: 'day' | 'yes-no' }>;
type DayField = Extract<Field, { kind: 'day' }>;
type YesNoField = Extract<Field, { kind: 'yes-no' }>;

/** A column of a text field. */
export type TextColumn = TextField['column'];

/** The text of a field as pages, forms and files show it. A placeholder is no VIN. */
export const shownText = <Column extends string>(
  { kind, column }: { kind: Field['kind']; column: Column },
  vehicle: Record<Column, string>,
): string => (kind === 'vin' ? knownVin(vehicle[column]) : vehicle[column]);

/** A function for each kind of field. */
export type ByKind<Text, Day, YesNo, F extends Field = Field> = {
  text: (field: Exclude<F, DayField | YesNoField>) => Text;
  day: (field: Extract<F, DayField>) => Day;
  yesNo: (field: Extract<F, YesNoField>) => YesNo;
};

type PerField<F extends Field, Key extends 'name' | 'column', Text, Day, YesNo> = {
  [One in F as One[Key]]: One extends DayField ? Day : One extends YesNoField ? YesNo : Text;
};
/** The columns of fields, and their values. */
export type FieldColumns = PerField<Field, 'column', string, string | null, boolean>;

/** An object with the result of `of` for each of `fields`, keyed by name or column. */
export function perField<F extends Field, Key extends 'name' | 'column', Text, Day, YesNo>(
  key: Key,
  fields: readonly F[],
  of: ByKind<Text, Day, YesNo, F>,
): PerField<F, Key, Text, Day, YesNo>;
export function perField(key: 'name' | 'column', fields: readonly Field[], of: ByKind<unknown, unknown, unknown>) {
  return Object.fromEntries(fields.map((field) => [field[key], make(field, of)]));
}

function make(field: Field, { text, day, yesNo }: ByKind<unknown, unknown, unknown>): unknown {
  if (field.kind === 'day') return day(field);
  return field.kind === 'yes-no' ? yesNo(field) : text(field);
}
