// The check 'agrees' of a visit: each axle's line against the last one that counts, and against the newest one at least
// 90 days older, so that many small steps show too. What the technician says instead of it, a replaced sensor or
// another trailer, nobody has seen: then it cannot be told, and that holds the visit back. A first line does not.
import { formatDay } from '#app/platform/time/calendar.ts';
import { axleLabel, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { agreementOf, isWithin, type Tolerance } from '#app/readings/agreement.ts';
import { formatValue } from '#app/readings/calibration.ts';
import {
  fourIn,
  lineThrough,
  massAt,
  type CalibrationLine,
  type FourReadings,
} from '#app/readings/calibration-line.ts';
import {
  absolute,
  add,
  compare,
  formatFraction,
  parseDecimal,
  subtract,
  whole,
  type Fraction,
} from '#app/readings/fraction.ts';
import { CLAIMS, type Claim, type CheckNumbers, type Checked, type VisitAxle } from './visit-facts.ts';

/**
 * `kg`: how far the lines lie apart at the mass `at`. `found`: by how many kilograms as-found readings show the scale
 * out; where they show that difference, it was adjusted, and up to twice the limit that explains it.
 */
type Compared = {
  axle: Axle;
  answer: 'agrees' | 'adjusted' | 'adjusted too far' | 'differs';
  kg: Fraction;
  limit: Fraction;
  at: number;
  from: string;
  found: number;
  /** Of all lines with which it does not agree: each was taken over. */
  isTakenOver: boolean;
};
type Untold = { axle: Axle; answer: 'untold'; why: 'none before' | 'readings are missing' | Claim };
type AxleAgreement = Compared | Untold;

const CLAIMED: Record<Claim, string> = {
  'sensor-replaced': 'the sensor was replaced',
  'other-trailer': 'another trailer is behind',
  'other-unit': 'the output is in another unit than before',
};

/** What the technician says, in the middle of a sentence. */
export const claimWords = (claim: Claim): string =>
  claim === 'other-unit' ? CLAIMED[claim] : `the technician says that ${CLAIMED[claim]}`;
/** Of a scale that as-found readings show to be out, in the middle of a sentence. */
export const foundWords = (found: number): string =>
  `the scale was ${kg(whole(found))} out when found, and was adjusted`;

/** The answer of 'agrees': which axles differ from the calibrations before, by how much, and the limit. */
export function judgeAgreement(axles: readonly VisitAxle[], rules: Tolerance): Checked {
  // A group that was weighed without a sensor has no line to compare.
  const read = axles.filter(({ readings, before }) => before.length > 0 || !isWithoutSensor(readings));
  const told = read.map((axle) => agreementOfAxle(axle, rules));
  const compared = told.filter((one) => one.answer !== 'untold');
  const agreeing = compared.filter(({ answer }) => answer === 'agrees');
  const adjusted = compared.filter((one) => one.answer === 'adjusted' || one.answer === 'adjusted too far');
  const claim = heldBy(told);
  const counts: CheckNumbers = {
    agreeing: agreeing.length,
    axles: read.length,
    ...(adjusted.length === 0 ? {} : { found: Math.max(...adjusted.map(({ found }) => found)) }),
    ...(claim === undefined ? {} : { claim }),
  };
  const untold = told.flatMap((one) =>
    one.answer === 'untold' ? [`${axleLabel(one.axle)}: ${untoldWords(one)}.`] : [],
  );
  const words = `${agreeing.length} of ${read.length} axles agree with the calibration before.`;
  const explained = adjusted.filter(({ answer }) => answer === 'adjusted').map(adjustedWords);
  const isTakenOver = claim === undefined && compared.every((one) => isFine(one) || one.isTakenOver);
  const differing = compared.flatMap((one) => {
    if (one.answer === 'differs') return [`${differenceWords(one)}.`];
    if (one.answer !== 'adjusted too far') return [];
    return [`${adjustedWords(one)} As-found readings explain up to ${kg(add(one.limit, one.limit))}.`];
  });
  const groups = told.filter((one) => isConcerned(one, claim)).map(({ axle }) => axle);
  const numbers: CheckNumbers = groups.length === 0 ? counts : { ...counts, groups };
  if (differing.length > 0) {
    const failed = isTakenOver ? { ...numbers, isTakenOver } : numbers;
    return ['failed', [...differing, words, ...explained, ...untold].join(' '), failed];
  }
  if (claim !== undefined) {
    const rest = compared.length === 0 ? [] : [words, ...explained];
    return ['cannot be told', [...untold, ...rest].join(' '), numbers];
  }
  if (compared.length === 0) {
    const isFirst = told.every((one) => one.answer === 'untold' && one.why === 'none before');
    return [
      'cannot be told',
      ['There is no calibration to compare it with.', ...(isFirst ? [] : untold)].join(' '),
      numbers,
    ];
  }
  const [largest] = agreeing.toSorted((a, b) => compare(b.kg, a.kg));
  const most =
    explained.length > 0 || largest === undefined || formatFraction(largest.kg, 0) === '0'
      ? []
      : [`The largest difference: ${differenceWords(largest)}.`];
  return ['passed', [...explained, words, ...most, ...untold].join(' '), numbers];
}

// The claim that holds the visit back. Another trailer does not where each group of the truck itself agrees.
function heldBy(told: readonly AxleAgreement[]): Claim | undefined {
  const claims = told.flatMap((one) =>
    one.answer === 'untold' && one.why in CLAIMED ? CLAIMS.filter((claim) => claim === one.why) : [],
  );
  const own = told.filter(({ axle }) => !isTrailer(axle));
  const isOwnTold = own.length > 0 && own.every(({ answer }) => answer === 'agrees');
  return claims.find((claim) => claim !== 'other-trailer') ?? (isOwnTold ? undefined : claims[0]);
}

const isConcerned = (one: AxleAgreement, claim: Claim | undefined): boolean =>
  one.answer === 'untold' ? claim !== undefined && one.why in CLAIMED : !isFine(one);

const isFine = ({ answer }: Compared): boolean => answer === 'agrees' || answer === 'adjusted';

const untoldWords = ({ why }: Untold): string =>
  why === 'none before' || why === 'readings are missing' ? why : claimWords(why);

const differenceWords = ({ axle, kg: difference, limit, at, from }: Compared) =>
  `${axleLabel(axle)} differs by ${kg(difference)} at ${kg(whole(at))} from ${formatDay(from)} (limit ${kg(limit)})`;

const adjustedWords = (one: Compared) => `${axleLabel(one.axle)}: ${foundWords(one.found)}. ${differenceWords(one)}.`;

function agreementOfAxle(visit: VisitAxle, tolerance: Tolerance): AxleAgreement {
  const { axle, begins, before, asFound, reference } = visit;
  const line = lineOf(visit.readings);
  if (before.length === 0) return { axle, answer: 'untold', why: 'none before' };
  if (begins !== undefined) return { axle, answer: 'untold', why: begins };
  if (line === undefined) return { axle, answer: 'untold', why: 'readings are missing' };
  if (before[0]?.line.unit !== line.unit) return { axle, answer: 'untold', why: 'other-unit' };
  const all = before.flatMap(({ line: earlier, on: from, isTakenOver = false }): Compared[] => {
    const agreement = agreementOf(line, earlier, { reference, tolerance });
    if (agreement.answer === 'not-enough-data') return [];
    const { referenceKg: at, allowed: limit } = agreement;
    const apart = { axle, kg: absolute(agreement.difference), limit, at, from, found: 0, isTakenOver };
    if (agreement.answer === 'consistent') return [{ ...apart, answer: 'agrees' }];
    const found = foundOut(asFound, line, { before: earlier, tolerance });
    if (found === undefined) return [{ ...apart, answer: 'differs' }];
    return [{ ...apart, found, answer: compare(apart.kg, add(limit, limit)) > 0 ? 'adjusted too far' : 'adjusted' }];
  });
  const [first] = all.toSorted((a, b) => WORST.indexOf(a.answer) - WORST.indexOf(b.answer) || compare(b.kg, a.kg));
  if (first === undefined) return { axle, answer: 'untold', why: 'none before' };
  return { ...first, isTakenOver: all.every((one) => isFine(one) || one.isTakenOver) };
}

const WORST: readonly AxleAgreement['answer'][] = ['differs', 'adjusted too far', 'adjusted', 'agrees'];

// How far the display was out, if it was off by as much, at both loads, as the line before is off from the new one.
function foundOut(
  asFound: VisitAxle['asFound'],
  { empty, loaded }: CalibrationLine,
  { before, tolerance }: { before: CalibrationLine; tolerance: Tolerance },
): number | undefined {
  if (asFound === undefined) return undefined;
  const points = [
    { shown: parseDecimal(asFound.empty), ...empty },
    { shown: parseDecimal(asFound.loaded), ...loaded },
  ];
  const isShown = points.every(({ shown, volts, mass }) =>
    isWithin(subtract(shown, massAt(before, volts)), mass, tolerance),
  );
  const out = points.map(({ shown, mass }) => Number(formatFraction(absolute(subtract(shown, mass)), 0)));
  return isShown ? Math.max(...out) : undefined;
}

const isWithoutSensor = ({ empty_volt, loaded_volt, empty_weight, loaded_weight }: Partial<FourReadings>): boolean =>
  (empty_volt ?? loaded_volt) === undefined && empty_weight !== undefined && loaded_weight !== undefined;

/** The line of an axle's readings; undefined if they give none. */
export function lineOf(readings: Partial<FourReadings>): CalibrationLine | undefined {
  const four = fourIn(readings);
  return four === undefined ? undefined : lineThrough(four);
}

export const kg = (mass: Fraction): string => `${formatValue(formatFraction(mass, 0))}\u00a0kg`;
