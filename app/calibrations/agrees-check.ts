// The check 'agrees' of a visit: each axle's line against the last one that counts, and against the newest one at least 90
// days older, so that many small steps show too.
import { formatDay } from '#app/platform/time/calendar.ts';
import { axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { agreementOf, isWithin, type Tolerance } from './agreement.ts';
import { formatValue } from './calibration.ts';
import { fourIn, lineThrough, massAt, type CalibrationLine, type FourReadings } from './calibration-line.ts';
import { absolute, compare, formatFraction, parseDecimal, subtract, whole, type Fraction } from './fraction.ts';
import { referenceMasses } from './reference-masses.ts';
import type { Judged, VisitAxle } from './visit-checks.ts';

const NONE_BEFORE = 'none before';
type AxleAgreement =
  | { axle: Axle; answer: 'untold'; why: string }
  | { axle: Axle; answer: 'agrees' | 'explained' | 'differs'; kg: Fraction; limit: Fraction; at: number; from: string };

/** The answer of 'agrees': which axles differ from the calibrations before, by how much, and the limit. */
export function judgeAgreement(axles: readonly VisitAxle[], rules: Tolerance): Judged {
  const told = axles.map((axle) => agreementOfAxle(axle, rules));
  const compared = told.filter((one) => one.answer !== 'untold');
  const agreeing = compared.filter(({ answer }) => answer !== 'differs');
  const numbers = { agreeing: agreeing.length, axles: axles.length };
  const untold = told.flatMap((one) => (one.answer === 'untold' ? [`${axleLabel(one.axle)}: ${one.why}.`] : []));
  if (compared.length === 0) {
    const isFirst = told.every((one) => one.answer === 'untold' && one.why === NONE_BEFORE);
    const words = ['There is no calibration to compare it with.', ...(isFirst ? [] : untold)].join(' ');
    return ['cannot be told', words, numbers];
  }
  const words = `${agreeing.length} of ${axles.length} axles agree with the calibration before.`;
  const differing = compared.filter(({ answer }) => answer === 'differs').map((one) => `${differenceWords(one)}.`);
  const explained = agreeing
    .filter(({ answer }) => answer === 'explained')
    .map((one) => `${differenceWords(one)}, and so did its as-found readings.`);
  if (differing.length > 0) return ['failed', [...differing, words, ...explained, ...untold].join(' '), numbers];
  const [largest] = agreeing.toSorted((a, b) => compare(b.kg, a.kg));
  const most =
    explained.length > 0 || largest === undefined || formatFraction(largest.kg, 0) === '0'
      ? []
      : [`The largest difference: ${differenceWords(largest)}.`];
  return ['passed', [words, ...explained, ...most, ...untold].join(' '), numbers];
}

const differenceWords = ({ axle, kg: difference, limit, at, from }: Exclude<AxleAgreement, { answer: 'untold' }>) =>
  `${axleLabel(axle)} differs by ${kg(difference)} at ${kg(whole(at))} from ${formatDay(from)} (limit ${kg(limit)})`;

function agreementOfAxle(visit: VisitAxle, tolerance: Tolerance): AxleAgreement {
  const { axle, begins, before, asFound } = visit;
  const line = lineOf(visit.readings);
  if (begins !== undefined)
    return { axle, answer: 'untold', why: begins === 'sensor-replaced' ? 'the sensor was replaced' : 'other trailer' };
  if (line === undefined) return { axle, answer: 'untold', why: 'readings are missing' };
  const at = referenceMasses().kg[axle];
  const all = before.flatMap(({ line: earlier, on: from }) => {
    const agreement = agreementOf(line, earlier, at, tolerance);
    if (agreement.answer === 'not-enough-data') return [];
    const answer =
      agreement.answer === 'consistent'
        ? ('agrees' as const)
        : isExplained(asFound, line, earlier, tolerance)
          ? ('explained' as const)
          : ('differs' as const);
    return [{ axle, answer, kg: absolute(agreement.difference), limit: agreement.allowed, at, from }];
  });
  return (
    all.find(({ answer }) => answer === 'differs') ??
    all.find(({ answer }) => answer === 'explained') ??
    all.toSorted((a, b) => compare(b.kg, a.kg))[0] ?? { axle, answer: 'untold', why: NONE_BEFORE }
  );
}

// The display was off by as much, at both loads, as the line before is off from the new one: the scale has drifted.
function isExplained(
  asFound: VisitAxle['asFound'],
  { empty, loaded }: CalibrationLine,
  before: CalibrationLine,
  tolerance: Tolerance,
): boolean {
  if (asFound === undefined) return false;
  return (
    [
      [asFound.empty, empty],
      [asFound.loaded, loaded],
    ] as const
  ).every(([shown, { volts, mass }]) =>
    isWithin(subtract(parseDecimal(shown), massAt(before, volts)), mass, tolerance),
  );
}

/** The line of an axle's readings; undefined if they give none. */
export function lineOf(readings: Partial<FourReadings>): CalibrationLine | undefined {
  const four = fourIn(readings);
  return four === undefined ? undefined : lineThrough(four);
}

export const kg = (mass: Fraction): string => `${formatValue(formatFraction(mass, 0))}\u00a0kg`;
