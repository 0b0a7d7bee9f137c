// The straight line by which a scale converts volts to kilograms, through the empty and the loaded point of one axle.
// The arithmetic is exact (fraction.ts).
//
// Lines and agreements are computed on each read, from the readings as decimal text (docs/decisions/0010).
// - calibration-set.ts groups the readings; the rows of the history are the same groups.
// - This file computes the line, and says which readings are refused and which cause a warning. The forms use it in the
//   browser, and the server uses it again: set-grid.ts for a whole set, entry-slips.ts for a single reading.
// - axle-lines.ts compares each line with the previous one, by the policy's tolerance, at the masses of
//   reference-masses.ts.
// - present-lines.ts makes the texts and the charts, which the server renders. Only line-geometry.ts uses binary
//   numbers.
import type { Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { formatValue, type Unit } from './calibration.ts';
import {
  absolute,
  add,
  compare,
  divide,
  formatFraction,
  isNegative,
  multiply,
  parseDecimal,
  subtract,
  whole,
  type Fraction,
} from './fraction.ts';
import { LOW_LOAD_PERCENT, type Reference } from './reference.ts';

export type ReadingField = 'empty_volt' | 'empty_weight' | 'loaded_volt' | 'loaded_weight';
/**
 * The readings of an axle from one visit, as decimal text: volts are the output in `unit`, V where none is given;
 * weights in kg. `mixed`: the two outputs are in different units, which gives no line.
 */
export type FourReadings = Record<ReadingField, string> & { unit?: Output | 'mixed' };

/** The four readings; undefined if one is missing. */
export function fourIn(readings: Partial<FourReadings> = {}): FourReadings | undefined {
  const { empty_volt, empty_weight, loaded_volt, loaded_weight, unit } = readings;
  return empty_volt === undefined ||
    empty_weight === undefined ||
    loaded_volt === undefined ||
    loaded_weight === undefined
    ? undefined
    : { empty_volt, empty_weight, loaded_volt, loaded_weight, ...(unit === undefined ? {} : { unit }) };
}

/**
 * `slope` in kg for one `unit`, `offset` in kg: the mass at `volts`, an output in that unit, is slope × volts + offset.
 */
export type CalibrationLine = {
  unit: Output;
  slope: Fraction;
  offset: Fraction;
  empty: { volts: Fraction; mass: Fraction };
  loaded: { volts: Fraction; mass: Fraction };
};

/** A refusal or a warning, and the field that shows it. */
export type Remark = { field: ReadingField; kind: RemarkKind; message: string };
export const REMARK_KINDS = [
  ...(['mixed-units', 'equal-volts', 'loads-swapped', 'looks-like-tonnes', 'too-heavy'] as const),
  ...(['volts-out-of-range', 'negative-slope', 'low-load', 'small-span', 'few-volts', 'too-light'] as const),
];
type RemarkKind = (typeof REMARK_KINDS)[number];

/** No axle group of a truck weighs less: 4.2 or 16.5 must be tonnes. */
const LIGHTEST_KG = whole(100);
/** No steer or drive group of a truck weighs less. */
const LIGHTEST_EMPTY_KG = whole(800);
/** No axle group weighs more than 40 t, and no sensor gives more. */
const HEAVIEST_KG = whole(40_000);
const RANGES: Record<Output, { from: number; to: number }> = {
  V: { from: 0, to: 12 },
  kPa: { from: 0, to: 1200 },
  'mV/V': { from: -10, to: 10 },
  counts: { from: 0, to: 16_777_215 },
};
/** 'between 0 and 12 V' */
export function rangeWords(unit: Output): string {
  const { from, to } = RANGES[unit];
  return `between ${formatValue(String(from))} and ${formatValue(String(to))} ${unit}`;
}

/**
 * The line through the two points. Undefined if the volts are equal, or the loaded weight is not above the empty
 * weight.
 */
export function lineThrough(readings: FourReadings): CalibrationLine | undefined {
  const empty = { volts: parseDecimal(readings.empty_volt), mass: parseDecimal(readings.empty_weight) };
  const loaded = { volts: parseDecimal(readings.loaded_volt), mass: parseDecimal(readings.loaded_weight) };
  const { unit = 'V' } = readings;
  if (unit === 'mixed' || compare(empty.volts, loaded.volts) === 0 || compare(loaded.mass, empty.mass) <= 0)
    return undefined;
  const slope = divide(subtract(loaded.mass, empty.mass), subtract(loaded.volts, empty.volts));
  return { unit, slope, offset: subtract(empty.mass, multiply(slope, empty.volts)), empty, loaded };
}

/** The mass, in kg, that the scale shows at the output `volts`. */
export const massAt = ({ slope, offset }: CalibrationLine, volts: Fraction): Fraction =>
  add(multiply(slope, volts), offset);

/** The volts at which the scale shows `mass`. */
export const voltsAt = ({ slope, offset }: CalibrationLine, mass: Fraction): Fraction =>
  divide(subtract(mass, offset), slope);

/** Whether `volts` are outside the measured range, so that the line is extrapolated. */
export function isCarriedOn({ empty, loaded }: CalibrationLine, volts: Fraction): boolean {
  return compare(volts, empty.volts) * compare(volts, loaded.volts) > 0;
}

/**
 * The error of the scale at a known load: shown minus known, in kg and in percent of the load (undefined if it is
 * zero).
 */
export function errorAt(shown: Fraction, known: Fraction): { kg: Fraction; percent: Fraction | undefined } {
  const kg = subtract(shown, known);
  return { kg, percent: known.n === 0n ? undefined : divide(multiply(kg, whole(100)), known) };
}

/** Whether the loaded point is below 80 % of the group's reference mass: too light to calibrate. */
export const isLowLoad = ({ kg }: Reference, { loaded }: CalibrationLine): boolean =>
  compare(loaded.mass, lowLoadLimit(kg)) < 0;

const lowLoadLimit = (referenceKg: number): Fraction => ({
  n: BigInt(referenceKg) * BigInt(LOW_LOAD_PERCENT),
  d: 100n,
});

/** 'Load at least 13,200 kg' */
export const loadAdvice = ({ kg }: Reference): string =>
  `Load at least ${formatValue(formatFraction(lowLoadLimit(kg), 0))} kg`;

/** What people call the output of a group in `unit`. */
export const output = ({ unit = 'V' }: Pick<Partial<FourReadings>, 'unit'>): 'volts' | 'output' =>
  unit === 'V' ? 'volts' : 'output';

/** The reasons why a set is impossible. Empty fields are not judged. */
export function refusalsOf(given: Partial<FourReadings>): Remark[] {
  const { empty_volt, loaded_volt, empty_weight, loaded_weight } = given;
  const remarks: Remark[] = [];
  if (given.unit === 'mixed')
    remarks.push({
      field: 'loaded_volt',
      kind: 'mixed-units',
      message: 'The empty and the loaded output are in different units. Correct one of them.',
    });
  else if (compared(loaded_volt, empty_volt) === 0)
    remarks.push({
      field: 'loaded_volt',
      kind: 'equal-volts',
      message:
        output(given) === 'volts'
          ? 'The loaded volts equal the empty volts. They must differ.'
          : 'The loaded output equals the empty output. They must differ.',
    });
  if (isAtMost(compared(loaded_weight, empty_weight), 0))
    remarks.push({
      field: 'loaded_weight',
      kind: 'loads-swapped',
      message: 'The loaded weight must be more than the empty weight. Are the two swapped?',
    });
  return remarks;
}

/** What a refusal of `given` comes from: of two weights that seem swapped, one may be in tonnes. */
export function explained(given: Partial<FourReadings>, refusal: Remark): Remark {
  if (refusal.kind !== 'loads-swapped') return refusal;
  const light = (['empty_weight', 'loaded_weight'] as const).filter((field) => looksLikeTonnes(given[field] ?? '0'));
  const [field] = light;
  const unlikely = field === undefined || light.length > 1 ? undefined : unlikelyValue(given[field] ?? '', 'kg');
  return field === undefined || unlikely === undefined ? refusal : { field, ...unlikely };
}

/**
 * The likely slips of a set. A warning can be confirmed, because the values may be right. `reference`: undefined where
 * the group's axles are not known, so that no load is advised.
 */
export function warningsOf(axle: Axle, given: Partial<FourReadings>, reference?: Reference): Remark[] {
  const { empty_volt, loaded_volt, empty_weight, loaded_weight, unit = 'V' } = given;
  const remarks: Remark[] = [];
  for (const field of ['empty_volt', 'empty_weight', 'loaded_volt', 'loaded_weight'] as const) {
    const value = given[field];
    const ofField = field.endsWith('volt') ? unit : 'kg';
    const unlikely = value === undefined || ofField === 'mixed' ? undefined : unlikelyValue(value, ofField);
    if (unlikely !== undefined) remarks.push({ field, ...unlikely });
  }
  if (isAtMost(compared(loaded_volt, empty_volt), -1))
    remarks.push({
      field: 'loaded_volt',
      kind: 'negative-slope',
      message: `The ${output(given)} ${output(given) === 'volts' ? 'go' : 'goes'} down as the load goes up. Are the two swapped?`,
    });
  const part = axle === 'STEER' || axle === 'FRONT' ? 'tenth' : 'quarter';
  if (hasFewVolts(empty_volt, loaded_volt))
    remarks.push({
      field: 'loaded_volt',
      kind: 'few-volts',
      message: `Less than ten steps of the last digit from the empty ${output(given)}. The line would rest on the rounding.`,
    });
  if (hasSmallSpan(empty_weight, loaded_weight, SPAN_PARTS[part]))
    remarks.push({
      field: 'loaded_weight',
      kind: 'small-span',
      message: `Less than a ${part} of it was loaded. Two points so near to each other give no sure line.`,
    });
  if (empty_weight !== undefined && isOfTruck(axle) && !looksLikeTonnes(empty_weight) && isLightEmpty(empty_weight))
    remarks.push({
      field: 'empty_weight',
      kind: 'too-light',
      message: `${formatValue(empty_weight)} kg is less than any truck’s axle group weighs empty. Check the digits.`,
    });
  if (
    reference !== undefined &&
    loaded_weight !== undefined &&
    !looksLikeTonnes(loaded_weight) &&
    isLow(reference, empty_weight, loaded_weight)
  )
    remarks.push({
      field: 'loaded_weight',
      kind: 'low-load',
      message: `Too light to calibrate reliably at ${formatValue(String(reference.kg))} kg. ${loadAdvice(reference)}.`,
    });
  return remarks;
}

/** A likely slip that one value shows without the others. */
export function unlikelyValue(value: string, unit: Unit): Pick<Remark, 'kind' | 'message'> | undefined {
  const shown = `${formatValue(value)} ${unit}`;
  const number = parseDecimal(value);
  if (unit !== 'kg') {
    const { from, to } = RANGES[unit];
    return compare(number, whole(from)) < 0 || compare(number, whole(to)) > 0
      ? { kind: 'volts-out-of-range', message: `${shown} is not ${rangeWords(unit)}. Check the decimal point.` }
      : undefined;
  }
  if (looksLikeTonnes(value))
    return { kind: 'looks-like-tonnes', message: `${shown} looks like tonnes. Weights are in kilograms.` };
  return compare(number, HEAVIEST_KG) > 0
    ? { kind: 'too-heavy', message: `${shown} is more than 40 t. Check the digits.` }
    : undefined;
}

/** Of the loaded weight: less of it between the two points, and the line is guesswork. */
const SPAN_PARTS = { tenth: whole(10), quarter: whole(4) };
const STEPS_AT_LEAST = 10;

function hasSmallSpan(empty: string | undefined, loaded: string | undefined, part: Fraction): boolean {
  if (empty === undefined || loaded === undefined || isAtMost(compared(loaded, empty), 0)) return false;
  const mass = parseDecimal(loaded);
  return compare(multiply(subtract(mass, parseDecimal(empty)), part), mass) < 0;
}

// A step is one of the last digit as typed: 0.01 V where hundredths are typed.
function hasFewVolts(empty: string | undefined, loaded: string | undefined): boolean {
  if (empty === undefined || loaded === undefined || compared(empty, loaded) === 0) return false;
  const decimals = Math.max(...[empty, loaded].map((text) => text.split('.')[1]?.length ?? 0));
  const span = absolute(subtract(parseDecimal(loaded), parseDecimal(empty)));
  return compare(multiply(span, whole(10n ** BigInt(decimals))), whole(STEPS_AT_LEAST)) < 0;
}

const isOfTruck = (axle: Axle): boolean => axle === 'STEER' || axle === 'DRIVE';
const isLightEmpty = (kilograms: string): boolean => compare(parseDecimal(kilograms), LIGHTEST_EMPTY_KG) < 0;

const looksLikeTonnes = (kilograms: string): boolean => compare(absolute(parseDecimal(kilograms)), LIGHTEST_KG) < 0;

function isLow({ kg }: Reference, empty: string | undefined, loaded: string): boolean {
  if (isAtMost(compared(loaded, empty), 0)) return false;
  return !isNegative(parseDecimal(loaded)) && compare(parseDecimal(loaded), lowLoadLimit(kg)) < 0;
}

const compared = (a: string | undefined, b: string | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : compare(parseDecimal(a), parseDecimal(b));
const isAtMost = (value: number | undefined, most: number): boolean => value !== undefined && value <= most;
