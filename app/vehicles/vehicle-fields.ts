// The one list of the vehicle's fields that people fill in. The form, its validation, the columns that a write sets,
// the labels in the history, the CSV, the import, the facts on page and report, and the public API follow from it. To
// add a field, add a row here, a migration for its column, and a line in database/tables.ts.
import type { Tables } from '#database/tables.ts';
import { groupsWords, SCALE_UNITS, VEHICLE_KINDS } from './axle.ts';
import { detailsInWords } from './group-details.ts';
import { STATE_CHOICES } from './plates.ts';
import { SYSTEM_FIELDS } from './system-fields.ts';
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
   * `list`: anyone, and in the API's lists, so the statements of a search and of a list select it. `page`: anyone.
   * `office`: signed-in persons.
   */
  seen: 'list' | 'page' | 'office';
  /** `expected`: an import reports if the former database has no such field. */
  imported: 'expected' | 'optional';
  /** It has no line of its own while it is not known. */
  whereKnown?: true;
  /** Only admins change it: it decides the verdict, or what a combination says of the unit. */
  setBy?: 'admins';
  /** It decides the verdict. */
  decides?: true;
} & (
  | { kind: 'vin' | 'day' | 'yes-no' | 'axle groups' | 'group details' }
  | { kind: 'line' | 'text'; maxLength: number }
  /** One of the options. That without a value is stored as '', and named in files and answers. */
  | { kind: 'choice'; options: readonly { value: string; label: string }[]; named: string }
);

/** The order is the order of display, except that the form and the CSV show long texts last. */
export const VEHICLE_FIELDS = [
  {
    name: 'plate_state',
    column: 'plateState',
    label: 'State or territory',
    kind: 'choice',
    options: STATE_CHOICES,
    named: '',
    section: 'Vehicle',
    seen: 'list',
    imported: 'optional',
  },
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
    name: 'kind',
    column: 'kind',
    label: 'Kind',
    fact: 'Kind',
    kind: 'choice',
    options: VEHICLE_KINDS,
    named: 'truck',
    section: 'Vehicle',
    seen: 'page',
    imported: 'optional',
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
  ...SYSTEM_FIELDS,
  {
    name: 'axle_groups',
    column: 'axleGroups',
    label: 'Axle groups with a sensor',
    fact: 'Axle groups',
    kind: 'axle groups',
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
  },
  {
    name: 'group_details',
    column: 'groupDetails',
    label: 'Axles and tyres',
    fact: 'Axles and tyres',
    kind: 'group details',
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
  },
  {
    name: 'scale_unit',
    column: 'scaleUnit',
    label: 'Scale unit',
    fact: 'Scale unit',
    kind: 'choice',
    options: SCALE_UNITS,
    named: 'own',
    section: 'Scale',
    seen: 'page',
    imported: 'optional',
    setBy: 'admins',
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
    setBy: 'admins',
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
    setBy: 'admins',
    decides: true,
  },
] as const satisfies readonly Described[];

export type Field = (typeof VEHICLE_FIELDS)[number];

/** `text` as people read it: the label of the option that it is, the groups by their names, or itself. */
export function wordsOf(field: Field | undefined, text: string): string {
  switch (field?.kind) {
    case 'choice':
      return field.options.find(({ value }) => value === text || (value === '' && text === field.named))?.label ?? text;
    case 'axle groups':
      return groupsWords(text);
    case 'group details':
      return detailsInWords(text);
    default:
      return text;
  }
}
type TextField = Exclude<Field, { kind: 'day' | 'yes-no' }>;
type DayField = Extract<Field, { kind: 'day' }>;
type YesNoField = Extract<Field, { kind: 'yes-no' }>;

/** A column of a text field. */
export type TextColumn = TextField['column'];

/** The text of a field as pages, forms and files show it. A placeholder is no VIN. */
export function shownText<Column extends string>(
  { kind, column, named = '' }: { kind: Field['kind']; column: Column; named?: string },
  vehicle: Record<Column, string>,
): string {
  if (kind === 'vin') return knownVin(vehicle[column]);
  return vehicle[column] === '' ? named : vehicle[column];
}

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
