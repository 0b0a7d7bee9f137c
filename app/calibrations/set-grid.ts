// The grid of a calibration set as it is typed: axles × readings. Read and judged by the same rules in the browser, beside
// the value while it is typed, and at the door.
import { AXLES, axleLabel, type Axle } from './calibration.ts';
import { looksLikeTonnes, refusalsOf, warningsOf, type FourReadings, type ReadingField } from './calibration-line.ts';

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

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** A number as entered, a decimal comma as a point; undefined when it is none. */
export function readDecimal(text: string): string | undefined {
  const plain = text.trim().replace(',', '.').replace('\u2212', '-');
  return NUMBER.test(plain) ? plain : undefined;
}

/** Judges what is filled in, and says nothing of what is not yet. */
export function judgeGrid(given: GivenGrid): Judgement {
  const errors: Judgement['errors'] = {};
  const warnings: Judgement['warnings'] = {};
  for (const axle of given.axles) {
    const values: Partial<Record<GridField, string>> = {};
    for (const { field, unit } of [...READING_FIELDS, ...EXTRA_FIELDS]) {
      const text = given.text(nameOf(axle, field)).trim();
      const value = readDecimal(text);
      if (text === '') continue;
      if (value === undefined)
        errors[nameOf(axle, field)] = `Enter a number such as ${unit === 'V' ? '3.18' : '15640'}.`;
      else if (unit === 'kg' && value.startsWith('-')) errors[nameOf(axle, field)] = 'A weight is not below zero.';
      else values[field] = value;
    }
    for (const { field, message } of refusalsOf(values)) errors[nameOf(axle, field)] ??= message;
    const warn = (field: GridField, kind: string, message: string) => {
      const name = nameOf(axle, field);
      const value = values[field] ?? '';
      if (errors[name] === undefined) warnings[name] ??= { code: `${name}:${kind}:${value}`, message };
    };
    for (const { field, kind, message } of warningsOf(axle, values)) warn(field, kind, message);
    for (const field of ['check_weight', 'as_found_empty', 'as_found_loaded'] as const) {
      const value = values[field];
      if (value !== undefined && looksLikeTonnes(value))
        warn(field, 'looks-like-tonnes', 'This looks like tonnes. Weights are in kilograms.');
    }
  }
  return { errors, warnings };
}

/** What has to be filled in before it can be recorded. */
export function missingIn(given: GivenGrid): Record<string, string> {
  const errors: Record<string, string> = {};
  const isEmpty = (axle: Axle, field: GridField) => given.text(nameOf(axle, field)).trim() === '';
  for (const axle of given.axles) {
    for (const { field, label, unit } of READING_FIELDS)
      if (isEmpty(axle, field))
        errors[nameOf(axle, field)] =
          `Enter the ${label.toLowerCase()}, in ${unit}. Where the ${axleLabel(axle)} axle was not read, take its tick away.`;
    for (const [one, other, words] of [
      ['check_volt', 'check_weight', 'volts'],
      ['check_weight', 'check_volt', 'weight'],
    ] as const)
      if (isEmpty(axle, one) && !isEmpty(axle, other))
        errors[nameOf(axle, one)] = `A check load has volts and a weight. Enter its ${words} too.`;
  }
  return errors;
}

/** The axles of a grid in which nothing is missing or wrong. */
export function axlesOf({ axles, text }: GivenGrid): SetAxle[] {
  return axles.map((axle) => {
    const value = (field: GridField) => readDecimal(text(nameOf(axle, field)));
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
