// The grid of a calibration set as it is typed: axles × readings. Read and judged by the same rules in the browser, beside
// the value while it is typed, and at the door.
import { readNumber } from '#app/platform/http/entered-number.ts';
import { AXLES, axleLabel, exampleOf, type Axle } from './calibration.ts';
import { refusalsOf, unlikelyValue, warningsOf, type FourReadings, type ReadingField } from './calibration-line.ts';

export const READING_FIELDS = [
  { field: 'empty_volt', label: 'Empty Volt', unit: 'V' },
  { field: 'empty_weight', label: 'Empty Weight', unit: 'kg' },
  { field: 'loaded_volt', label: 'Loaded Volt', unit: 'V' },
  { field: 'loaded_weight', label: 'Loaded Weight', unit: 'kg' },
] as const satisfies readonly { field: ReadingField; label: string; unit: 'V' | 'kg' }[];

export const EXTRA_FIELDS = [
  { field: 'check_volt', label: 'Check volts', unit: 'V' },
  { field: 'check_weight', label: 'Check weight', unit: 'kg' },
  { field: 'as_found_empty', label: 'As found, empty', unit: 'kg' },
  { field: 'as_found_loaded', label: 'As found, loaded', unit: 'kg' },
] as const satisfies readonly { field: string; label: string; unit: 'V' | 'kg' }[];
export type ExtraField = (typeof EXTRA_FIELDS)[number]['field'];
export type GridField = ReadingField | ExtraField;

/** What an axle has beside its readings; null: not measured. As found: what the display showed before adjustment, in kg. */
export type AxleExtras = Record<ExtraField, string | null> & { sensor_replaced: boolean };
export type SetAxle = { axle: Axle; readings: FourReadings; extras: AxleExtras };

/** The form: which axles the truck has, and what each field holds. */
export type GivenGrid = { axles: readonly Axle[]; text: (name: string) => string };
/** By the names of fields. A warning's code names what was found, so that only what was seen can be waved through. */
export type Judgement = { errors: Record<string, string>; warnings: Record<string, { code: string; message: string }> };

export const nameOf = (axle: Axle, field: GridField | 'sensor_replaced'): string => `${axle}_${field}`;
export const isAxle = (text: string): text is Axle => AXLES.some(({ axle }) => axle === text);

/** Judges what is filled in, and says nothing of what is not yet. */
export function judgeGrid(given: GivenGrid): Judgement {
  const errors: Judgement['errors'] = {};
  const warnings: Judgement['warnings'] = {};
  for (const axle of given.axles) {
    const values: Partial<Record<GridField, string>> = {};
    for (const { field, unit } of [...READING_FIELDS, ...EXTRA_FIELDS]) {
      const text = given.text(nameOf(axle, field)).trim();
      if (text === '') continue;
      const entered = readNumber(text, exampleOf(unit));
      if (!entered.ok) errors[nameOf(axle, field)] = entered.message;
      else if (unit === 'kg' && entered.value.startsWith('-'))
        errors[nameOf(axle, field)] = 'A weight cannot be below zero.';
      else values[field] = entered.value;
    }
    for (const { field, message } of refusalsOf(values)) errors[nameOf(axle, field)] ??= message;
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

/** What has to be filled in before it can be recorded. */
export function missingIn(given: GivenGrid): Record<string, string> {
  const errors: Record<string, string> = {};
  const isEmpty = (axle: Axle, field: GridField) => given.text(nameOf(axle, field)).trim() === '';
  for (const axle of given.axles) {
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

/** The axles of a grid in which nothing is missing or wrong. */
export function axlesOf({ axles, text }: GivenGrid): SetAxle[] {
  return axles.map((axle) => {
    const value = (field: GridField) => {
      const entered = readNumber(text(nameOf(axle, field)), '');
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
      },
    };
  });
}

/** How old a visit may be before it is asked about. */
export const VISIT_OLD_DAYS = 30;
