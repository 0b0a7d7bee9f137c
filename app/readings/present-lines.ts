// The calibration lines of a vehicle as its page and its report show them: rounded and in words.
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { formatPerMille } from '#app/policy/policy.ts';
import type { Agreement, Tolerance } from './agreement.ts';
import type { MeasuredSet } from './axle-lines.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { exampleOf, formatValue } from './calibration.ts';
import {
  errorAt,
  isCarriedOn,
  lowLoad,
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
import type { AxleExtras } from './set-grid.ts';

export type ShownAgreement = { answer: Agreement['answer']; word: string; sentence: string };
/** The newest line of an axle. Figures have no units: `slope` is in kg/V, the others are in kg. */
export type ShownLine = {
  axle: Axle;
  label: string;
  day: string;
  points: readonly { read: string; weighed: string }[];
  chart: ChartGeometry;
  slope: string;
  offset: string;
  span: string;
  check: string | null;
  asFound: string | null;
  remarks: readonly string[];
  agreement: ShownAgreement;
};
export type ShownLines = {
  /** The day of all lines; null if they are of different days. */
  day: string | null;
  axes: Axes;
  lines: readonly ShownLine[];
  tolerance: string;
  reference: string;
};

/** More would hide the newest among them, and grow the page with every visit. */
const EARLIER_DRAWN = 5;

/** Null: no axle has a line. */
export function presentLines(
  series: ReadonlyMap<Axle, readonly MeasuredSet<SetReading>[]>,
  zone: string,
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
  const axes = axesFor(
    found.flatMap(({ set, line }) => [
      ...[line.empty, line.loaded].map(({ volts, mass }) => ({ volts: toNumber(volts), kg: toNumber(mass) })),
      ...checkOf(set).map(({ volts, weight }) => ({ volts: Number(volts), kg: Number(weight) })),
    ]),
  );
  const lines = found.map(({ set, line, four, earlier }) =>
    presentLine(set, { line, four }, { earlier: earlier.map((one) => one.line), axes, zone }),
  );
  const masses = referenceMasses();
  return {
    day: new Set(lines.map(({ day }) => day)).size === 1 ? (lines[0]?.day ?? null) : null,
    axes,
    lines,
    tolerance: toleranceWords(first.set.agreement.tolerance),
    reference: `Reference masses as of ${formatDay(masses.from)}. ${masses.source}`,
  };
}

const REMARKS: Partial<Record<Remark['kind'], string>> = {
  'negative-slope': 'The volts go down as the load goes up.',
  'looks-like-tonnes': 'A weight looks like tonnes.',
};

function presentLine(
  set: MeasuredSet<SetReading>,
  { line, four }: { line: CalibrationLine; four: FourReadings },
  { earlier, axes, zone }: { earlier: readonly CalibrationLine[]; axes: Axes; zone: string },
): ShownLine {
  const { axle, label, extras } = set;
  const [check] = checkOf(set);
  const points = [
    { read: `Empty ${formatValue(four.empty_volt)} V`, weighed: `${formatValue(four.empty_weight)} kg` },
    { read: `Loaded ${formatValue(four.loaded_volt)} V`, weighed: `${formatValue(four.loaded_weight)} kg` },
  ];
  const low = lowLoad(axle, line);
  const remarks = [
    ...warningsOf(axle, four).flatMap(({ kind }) => REMARKS[kind] ?? []),
    ...(low === undefined ? [] : [`The truck was loaded too lightly to calibrate reliably at ${thousands(low)} kg.`]),
  ];
  const day = formatDay(todayIn(zone, set.at));
  return {
    axle,
    label,
    day,
    points,
    chart: geometryOf(line, check ?? null, { earlier, axes }),
    slope: formatValue(formatFraction(line.slope, 1)),
    offset: kg(line.offset),
    span: kg(spanOf(line)),
    check: check === undefined ? null : errorWords(massAt(line, parseDecimal(check.volts)), check.weight),
    asFound: asFoundWords(four, extras),
    remarks,
    agreement: presentAgreement(set.agreement),
  };
}

const spanOf = ({ empty, loaded }: CalibrationLine): Fraction =>
  add(loaded.mass, { n: -empty.mass.n, d: empty.mass.d });

function checkOf({ extras }: MeasuredSet<SetReading>): { volts: string; weight: string }[] {
  const { check_volt: volts = null, check_weight: weight = null } = extras ?? {};
  return volts === null || weight === null ? [] : [{ volts, weight }];
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
): { axles: Calculated[]; total: string | null } {
  let total: Fraction | undefined = whole(0);
  const axles = [...series].flatMap(([axle, sets]): Calculated[] => {
    const last = sets.findLast(({ line }) => line !== undefined);
    if (last?.line === undefined) return [];
    const text = typed(axle).trim().slice(0, 32);
    const entered = readNumber(text, exampleOf('V'), 'V');
    if (!entered.ok) {
      total = undefined;
      const answer = text === '' ? '' : entered.message;
      return [{ axle, label: last.label, volts: text, answer, remark: '' }];
    }
    const volts = parseDecimal(entered.value);
    const mass = massAt(last.line, volts);
    total = total === undefined ? undefined : add(total, mass);
    const remark = isCarriedOn(last.line, volts) ? 'Outside the calibrated range.' : '';
    return [{ axle, label: last.label, volts: text, answer: `${kg(mass)} kg`, remark }];
  });
  return { axles, total: total === undefined || axles.length < 2 ? null : `${kg(total)} kg` };
}

const kg = (mass: Fraction): string => formatValue(formatFraction(mass, 0)).replace('-', '\u2212');
const signed = (mass: Fraction): string => (kg(mass).startsWith('\u2212') || kg(mass) === '0' ? '' : '+') + kg(mass);
const thousands = (value: number): string => formatValue(String(value));
