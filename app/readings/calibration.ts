// One reading of a calibration: an axle, an attribute, and the value exactly as entered.
import { isTrailer, type Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';

/** In the order of the history's columns. A Volt is the sensor's output, in V unless its group has another unit. */
export const CALIBRATION_ATTRIBUTES = [
  { attribute: 'Empty Volt', unit: 'V' },
  { attribute: 'Empty Weight', unit: 'kg' },
  { attribute: 'Loaded Volt', unit: 'V' },
  { attribute: 'Loaded Weight', unit: 'kg' },
] as const;
export type CalibrationAttribute = (typeof CALIBRATION_ATTRIBUTES)[number]['attribute'];
export type Unit = Output | 'kg';

export const isOutput = (attribute: string): boolean => attribute.endsWith('Volt');

/** `output`: the unit of its group's output; null: V. */
export const unitOf = (attribute: string, output: Output | null = null): Unit =>
  isOutput(attribute) ? (output ?? 'V') : 'kg';

/** The fields of forms and lines that hold them. */
export const READING_FIELD = {
  'Empty Volt': 'empty_volt',
  'Empty Weight': 'empty_weight',
  'Loaded Volt': 'loaded_volt',
  'Loaded Weight': 'loaded_weight',
} as const satisfies Record<CalibrationAttribute, string>;

/** An axle as the specification spells it: 'steer', 'trailerA'. It is stored in upper case. */
export const axleWord = (axle: Axle): string =>
  isTrailer(axle) ? axle.slice(0, -1).toLowerCase() + axle.slice(-1) : axle.toLowerCase();

/** The value with thousands separators and every digit as entered. 'N/A' for an imported entry without a value. */
export function formatValue(value: string): string {
  if (value === '') return 'N/A';
  const [whole = '', fraction] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A calibration id from a URL, in milliseconds; undefined if the text is not an id. */
export function parseCalibrationId(text: string): number | undefined {
  return /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
