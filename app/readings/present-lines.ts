// The calibration lines of a vehicle as its page and its report show them: rounded and in words.
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { formatPerMille } from '#app/policy/policy.ts';
import type { Agreement, Tolerance } from './agreement.ts';
import type { MeasuredSet } from './axle-lines.ts';
import { isTrailer, type Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { formatValue, type CalibrationAttribute } from './calibration.ts';
import { exampleOf, sidesWords, valueWords } from './reading-words.ts';
import {
  errorAt,
  isCarriedOn,
  isLowLoad,
  massAt,
  warningsOf,
  type CalibrationLine,
  type FourReadings,
  type Remark,
} from './calibration-line.ts';
import type { SetReading } from './calibration-set.ts';
import { formatFraction, absolute, add, parseDecimal, toNumber, whole, type Fraction } from './fraction.ts';
import { axesFor, geometryOf, type Axes, type ChartGeometry } from './line-geometry.ts';
import { referenceMasses } from './reference-masses.ts';
import { checkLoadsOf, type AxleExtras } from './set-grid.ts';
import { heldWords } from './visit-trailers.ts';

export type ShownAgreement = { answer: Agreement['answer']; word: string; sentence: string };
/** The newest line of an axle. `slope` is in kg/V, else names its unit; the other figures are in kg. */
export type ShownLine = {
  axle: Axle;
  label: string;
  day: string;
  unit: Output;
  /** Of the first chart with this unit; null in the others, which show the same again. */
  axes: Axes | null;
  points: readonly { read: string; weighed: string }[];
  chart: ChartGeometry;
  slope: string;
  offset: string;
  span: string;
  check: string | null;
  asFound: string | null;
  remarks: readonly string[];
  /** Of a trailer's group: for which trailer the line holds. */
  held: string;
  agreement: ShownAgreement;
};
export type ShownLines = {
  /** The day of all lines; null if they are of different days. */
  day: string | null;
  lines: readonly ShownLine[];
  tolerance: string;
  reference: string;
};

/** More would hide the newest among them, and grow the page with every visit. */
const EARLIER_DRAWN = 5;

/** The errors of one visit at its check loads, in words, by group; null is the whole. */
export type ToldInWords = { visitId: string; words: ReadonlyMap<Axle | null, string> };

/** Null: no axle has a line. */
export function presentLines(
  series: ReadonlyMap<Axle, readonly MeasuredSet<SetReading>[]>,
  zone: string,
  told?: ToldInWords,
): ShownLines | null {
  const found = [...series.values()].flatMap((sets) => {
    const withLine = sets.flatMap((set) =>
      set.line === undefined || set.four === undefined ? [] : [{ set, line: set.line, four: set.four }],
    );
    const last = withLine.at(-1);
    return last === undefined ? [] : [{ ...last, earlier: withLine.slice(-1 - EARLIER_DRAWN, -1) }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const points = found.flatMap(({ set, line: { unit, empty, loaded } }) => [
    ...[empty, loaded].map(({ volts, mass }) => ({ unit, volts: toNumber(volts), kg: toNumber(mass) })),
    ...checkLoadsOf(set.extras).map(({ volt, weight }) => ({ unit, volts: Number(volt), kg: Number(weight) })),
  ]);
  const lines = found.map(({ set, line, four, earlier }, place) => {
    const isFirst = found.findIndex((one) => one.line.unit === line.unit) === place;
    const comparable = earlier.map((one) => one.line).filter(({ unit }) => unit === line.unit);
    const axes = axesFor(points, line.unit);
    const shown = presentLine(set, { line, four }, { earlier: comparable, axes, zone });
    const words = set.group.setId === told?.visitId ? told?.words.get(set.axle) : undefined;
    return { ...shown, check: words ?? shown.check, axes: isFirst ? axes : null };
  });
  const masses = referenceMasses();
  const whole = told?.words.get(null);
  return {
    day: new Set(lines.map(({ day }) => day)).size === 1 ? (lines[0]?.day ?? null) : null,
    lines,
    tolerance: `${whole === undefined ? '' : `The whole: ${whole} `}${toleranceWords(first.set.agreement.tolerance)}`,
    reference: `Reference masses as of ${formatDay(masses.from)}. ${masses.source}`,
  };
}

const REMARKS: Partial<Record<Remark['kind'], string>> = {
  'negative-slope': 'The output goes down as the load goes up.',
  'looks-like-tonnes': 'A weight looks like tonnes.',
};

function presentLine(
  set: MeasuredSet<SetReading>,
  { line, four }: { line: CalibrationLine; four: FourReadings },
  { earlier, axes, zone }: { earlier: readonly CalibrationLine[]; axes: Axes; zone: string },
): Omit<ShownLine, 'axes'> {
  const { axle, label, extras, reference } = set;
  const { unit } = line;
  const checks = checkLoadsOf(extras);
  const points = [
    { read: `Empty ${read(set, 'Empty Volt')}`, weighed: `${formatValue(four.empty_weight)} kg` },
    { read: `Loaded ${read(set, 'Loaded Volt')}`, weighed: `${formatValue(four.loaded_weight)} kg` },
  ];
  const remarks = [
    ...warningsOf(axle, four).flatMap(({ kind }) => REMARKS[kind] ?? []),
    ...(reference !== undefined && isLowLoad(reference, line)
      ? [`The truck was loaded too lightly to calibrate reliably at ${thousands(reference.kg)} kg.`]
      : []),
  ];
  const day = formatDay(todayIn(zone, set.at));
  return {
    axle,
    label,
    day,
    unit,
    points,
    chart: geometryOf(line, checks, { earlier, axes }),
    slope: slopeWords(line),
    offset: kg(line.offset),
    span: kg(spanOf(line)),
    check:
      checks.length === 0
        ? null
        : checks.map(({ volt, weight }) => errorWords(massAt(line, parseDecimal(volt)), weight)).join('; '),
    asFound: asFoundWords(four, extras),
    remarks,
    held: isTrailer(axle) ? held(extras?.trailer ?? '') : '',
    agreement: presentAgreement(set.agreement),
  };
}

function held(trailer: string): string {
  const { lead, rest } = heldWords(trailer);
  return `${lead} ${rest}`;
}

const spanOf = ({ empty, loaded }: CalibrationLine): Fraction =>
  add(loaded.mass, { n: -empty.mass.n, d: empty.mass.d });

// A count is a few grams, so its slope needs its digits.
function slopeWords({ unit, slope }: CalibrationLine): string {
  const shown = formatValue(formatFraction(slope, unit === 'counts' ? 5 : 1));
  return unit === 'V' ? shown : `${shown} kg/${unit === 'counts' ? 'count' : unit}`;
}

/** '612 kPa (left 606, right 618)' */
function read({ group }: MeasuredSet<SetReading>, attribute: CalibrationAttribute): string {
  const reading = group.counting.find((one) => one.attribute === attribute);
  if (reading === undefined) return '';
  const sides = sidesWords(reading.sides);
  return `${valueWords(reading)}${sides === '' ? '' : ` (${sides})`}`;
}

function asFoundWords(
  four: FourReadings,
  extras: Pick<AxleExtras, 'as_found_empty' | 'as_found_loaded'> | undefined,
): string | null {
  const readings = [
    ['empty', extras?.as_found_empty ?? null, four.empty_weight],
    ['loaded', extras?.as_found_loaded ?? null, four.loaded_weight],
  ] as const;
  const words = readings.flatMap(([state, shown, known]) =>
    shown === null ? [] : [`${state} ${errorWords(parseDecimal(shown), known)}`],
  );
  return words.length === 0 ? null : words.join(', ');
}

/** '+12 kg (0.1 %)': the shown mass minus the weighed mass. */
function errorWords(shown: Fraction, weighed: string): string {
  const { kg: error, percent } = errorAt(shown, parseDecimal(weighed));
  const part = percent === undefined ? '' : ` (${formatFraction(absolute(percent), 1)} %)`;
  return `${signed(error)} kg${part}`;
}

function presentAgreement(agreement: Agreement): ShownAgreement {
  if (agreement.answer === 'not-enough-data')
    return { answer: agreement.answer, word: 'Not enough data', sentence: WHY[agreement.why] };
  const { answer, referenceKg, difference, allowed } = agreement;
  const size = formatFraction(absolute(difference), 0);
  return {
    answer,
    word: answer === 'consistent' ? 'Consistent' : 'Inconsistent',
    sentence: `At ${thousands(referenceKg)} kg the two calibrations ${
      size === '0' ? 'show the same' : `differ by ${formatValue(size)} kg`
    } (limit ${kg(allowed)} kg).`,
  };
}

const WHY = {
  'no-line': 'The readings of this visit do not give a line.',
  'nothing-before': 'No earlier calibration of this axle is recorded.',
  'sensor-replaced': 'The technician says that the sensor was replaced, so there is nothing to compare with.',
  'other-unit': 'The output is in another unit than before, so there is nothing to compare with.',
} as const;

const toleranceWords = ({ version, tolerancePerMille, toleranceKg }: Tolerance): string =>
  `Limit (rules version ${version}): ${formatPerMille(tolerancePerMille)} or ${thousands(toleranceKg)} kg, whichever is larger`;

/**
 * The calculator's row of an axle. `volts` as typed; `answer`: the mass, why there is none, or '' if nothing was typed.
 */
export type Calculated = { axle: Axle; label: string; volts: string; answer: string; remark: string };

/** `typed`: the typed volts of an axle. `total` is null unless there are several axles and each has a mass. */
export function calculate(
  series: ReadonlyMap<Axle, readonly MeasuredSet<SetReading>[]>,
  typed: (axle: Axle) => string,
): { axles: Calculated[]; total: string | null; what: string } {
  let total: Fraction | undefined = whole(0);
  let what = 'Volts';
  const axles = [...series].flatMap(([axle, sets]): Calculated[] => {
    const last = sets.findLast(({ line }) => line !== undefined);
    if (last?.line === undefined) return [];
    const text = typed(axle).trim().slice(0, 32);
    const { unit } = last.line;
    if (unit !== 'V') what = 'Output';
    const label = `${last.label}, ${unit}`;
    const entered = readNumber(text, exampleOf(unit), unit);
    if (!entered.ok) {
      total = undefined;
      const answer = text === '' ? '' : entered.message;
      return [{ axle, label, volts: text, answer, remark: '' }];
    }
    const volts = parseDecimal(entered.value);
    const mass = massAt(last.line, volts);
    total = total === undefined ? undefined : add(total, mass);
    const remark = isCarriedOn(last.line, volts) ? 'Outside the calibrated range.' : '';
    return [{ axle, label, volts: text, answer: `${kg(mass)} kg`, remark }];
  });
  return { axles, what, total: total === undefined || axles.length < 2 ? null : `${kg(total)} kg` };
}

const kg = (mass: Fraction): string => formatValue(formatFraction(mass, 0)).replace('-', '\u2212');
const signed = (mass: Fraction): string => (kg(mass).startsWith('\u2212') || kg(mass) === '0' ? '' : '+') + kg(mass);
const thousands = (value: number): string => formatValue(String(value));
