// The typed grid of a calibration set: axles × readings. The browser and the server parse and judge it by these rules.
import { readNumber } from '#app/platform/http/entered-number.ts';
import { AXLES, axleLabel, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES, exampleOf, READING_FIELD, type Unit } from './calibration.ts';
import {
  explained,
  refusalsOf,
  unlikelyValue,
  warningsOf,
  type FourReadings,
  type ReadingField,
} from './calibration-line.ts';

export const READING_FIELDS = CALIBRATION_ATTRIBUTES.map(({ attribute, unit }) => ({
  field: READING_FIELD[attribute],
  label: attribute,
  unit,
}));

export const EXTRA_FIELDS = [
  { field: 'check_volt', label: 'Check volts', unit: 'V' },
  { field: 'check_weight', label: 'Check weight', unit: 'kg' },
  { field: 'as_found_empty', label: 'As found, empty', unit: 'kg' },
  { field: 'as_found_loaded', label: 'As found, loaded', unit: 'kg' },
] as const satisfies readonly { field: string; label: string; unit: Unit }[];
export type ExtraField = (typeof EXTRA_FIELDS)[number]['field'];
export type GridField = ReadingField | ExtraField;

/** The optional values of an axle; null: not measured. As found: what the display showed before adjustment, in kg. */
export type AxleExtras = Record<ExtraField, string | null> & { sensor_replaced: boolean; other_trailer: boolean };
export type SetAxle = { axle: Axle; readings: FourReadings; extras: AxleExtras };

/** The form's values: the axles of the truck, and the text of each field. */
export type GivenGrid = { axles: readonly Axle[]; text: (name: string) => string };
/**
 * By field name. A warning's code identifies the slip and its value, so that the form confirms only warnings that it
 * showed.
 */
export type GridRemarks = {
  errors: Record<string, string>;
  warnings: Record<string, { code: string; message: string }>;
};

export const nameOf = (axle: Axle, field: GridField | 'sensor_replaced' | 'other_trailer' | 'not_behind'): string =>
  `${axle}_${field}`;
export const isAxle = (text: string): text is Axle => AXLES.some(({ axle }) => axle === text);

/** Judges the fields that are filled in. Ignores empty fields (`missingIn` lists them). */
export function judgeGrid({ axles, text: textOf }: GivenGrid): GridRemarks {
  const errors: GridRemarks['errors'] = {};
  const warnings: GridRemarks['warnings'] = {};
  for (const axle of axles) {
    const values: Partial<Record<GridField, string>> = {};
    for (const { field, unit } of [...READING_FIELDS, ...EXTRA_FIELDS]) {
      const text = textOf(nameOf(axle, field)).trim();
      if (text === '') continue;
      const entered = readNumber(text, exampleOf(unit), unit);
      if (!entered.ok) errors[nameOf(axle, field)] = entered.message;
      else if (unit === 'kg' && entered.value.startsWith('-'))
        errors[nameOf(axle, field)] = 'A weight cannot be below zero.';
      else values[field] = entered.value;
    }
    for (const refusal of refusalsOf(values)) {
      const { field, message } = explained(values, refusal);
      errors[nameOf(axle, field)] ??= message;
    }
    const warn = (field: GridField, kind: string, message: string) => {
      const name = nameOf(axle, field);
      const value = values[field] ?? '';
      if (errors[name] === undefined) warnings[name] ??= { code: `${name}:${kind}:${value}`, message };
    };
    for (const { field, kind, message } of warningsOf(axle, values)) warn(field, kind, message);
    for (const { field, unit } of EXTRA_FIELDS) {
      const value = values[field];
      const unlikely = value === undefined ? undefined : unlikelyValue(value, unit);
      if (unlikely !== undefined) warn(field, unlikely.kind, unlikely.message);
    }
  }
  return { errors, warnings };
}

/** Errors for required fields that are empty. */
export function missingIn({ axles, text }: GivenGrid): Record<string, string> {
  const errors: Record<string, string> = {};
  const isEmpty = (axle: Axle, field: GridField) => text(nameOf(axle, field)).trim() === '';
  for (const axle of axles) {
    if (READING_FIELDS.every(({ field }) => isEmpty(axle, field))) {
      errors[nameOf(axle, 'empty_volt')] = `Enter the readings of ${axleLabel(axle)}, or untick this axle.`;
      continue;
    }
    for (const { field, label } of READING_FIELDS)
      if (isEmpty(axle, field)) errors[nameOf(axle, field)] = `Enter the ${label.toLowerCase()}.`;
    for (const [one, other, words] of [
      ['check_volt', 'check_weight', 'volts'],
      ['check_weight', 'check_volt', 'weight'],
    ] as const)
      if (isEmpty(axle, one) && !isEmpty(axle, other))
        errors[nameOf(axle, one)] = `Enter the ${words} of the check load too.`;
  }
  return errors;
}

/** The axles of a grid without missing or wrong values. */
export function axlesOf({ axles, text }: GivenGrid): SetAxle[] {
  return axles.map((axle) => {
    const value = (of: GridField) => {
      const { unit } = [...READING_FIELDS, ...EXTRA_FIELDS].find(({ field }) => field === of) ?? {};
      const entered = readNumber(text(nameOf(axle, of)), '', unit);
      return entered.ok ? entered.value : undefined;
    };
    const required = (field: ReadingField) => value(field) ?? '';
    return {
      axle,
      readings: {
        empty_volt: required('empty_volt'),
        empty_weight: required('empty_weight'),
        loaded_volt: required('loaded_volt'),
        loaded_weight: required('loaded_weight'),
      },
      extras: {
        check_volt: value('check_volt') ?? null,
        check_weight: value('check_weight') ?? null,
        as_found_empty: value('as_found_empty') ?? null,
        as_found_loaded: value('as_found_loaded') ?? null,
        sensor_replaced: text(nameOf(axle, 'sensor_replaced')) === 'yes',
        other_trailer: isTrailer(axle) && text(nameOf(axle, 'other_trailer')) === 'yes',
      },
    };
  });
}

/** What is typed in a form of the grid. */
export function gridIn(form: FormData): GivenGrid {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { axles: form.getAll('axle').map(String).filter(isAxle), text };
}

/** An older visit causes a warning. */
export const VISIT_OLD_DAYS = 30;
