// What a scale showed at a check load against what a weighbridge showed, how sure that is, and what follows (decision
// rule of ILAC-G8:09/2019, 4.2.3, guard band w = U). The arithmetic is exact; only the square root of U is rounded.
import {
  absolute,
  add,
  compare,
  divide,
  formatFraction,
  lowestTerms,
  multiply,
  parseDecimal,
  subtract,
  whole,
  type Fraction,
} from './fraction.ts';
import { permissibleError } from './masses-of.ts';

/** A reading of a weighbridge with its interval e (null: not known), and which part of it counts: 1, −1, 1/2. */
export type WeighedBy = { kg: number; e: number | null; share: Fraction };

/** `output`: as typed. The mass is the sum of the readings' shares. */
export type PointOfLine = { output: string; readings: readonly WeighedBy[] };

/** `step`: of the output, as decimal text. `check`: the output at the check load. */
export type GroupAtCheck = { step: string; empty: PointOfLine; loaded: PointOfLine; check: string };

export type Decision =
  | 'conforms'
  | 'conforms-not-beyond-doubt'
  | 'does-not-conform-not-beyond-doubt'
  | 'does-not-conform'
  | 'cannot-be-told';

/** All in kg; `percent` of what was weighed, undefined of zero. `expanded`: U. */
export type ErrorAtLoad = {
  indicated: Fraction;
  weighed: Fraction;
  error: Fraction;
  percent: Fraction | undefined;
  expanded: number;
};

export type JudgedError = { decision: Decision; error?: ErrorAtLoad };

/**
 * Judges the sum of `groups` against what was weighed at the check load; `tolerance` in kg. A group that is undefined
 * has no line; without readings no check load was weighed.
 */
export function judgeError(
  groups: readonly (GroupAtCheck | undefined)[],
  weighedBy: readonly WeighedBy[],
  tolerance: Fraction,
): JudgedError {
  const shown = groups.map((group) => (group === undefined ? undefined : indicationOf(group)));
  const known = shown.filter((one) => one !== undefined);
  if (weighedBy.length === 0 || shown.length === 0 || known.length < shown.length)
    return { decision: 'cannot-be-told' };
  const weighed = massBy(weighedBy);
  const indicated = sum(known.map(({ mass }) => mass));
  const error = subtract(indicated, weighed);
  const squared = lowestTerms(multiply(whole(4), add(sum(known.map(({ u2 }) => u2)), uncertaintyBy(weighedBy))));
  return {
    decision: decide(absolute(error), squared, tolerance),
    error: {
      indicated,
      weighed,
      error,
      percent: weighed.n === 0n ? undefined : divide(multiply(error, whole(100)), weighed),
      expanded: Math.sqrt(Number(formatFraction(squared, 9))),
    },
  };
}

// `squared`: U².
function decide(error: Fraction, squared: Fraction, tolerance: Fraction): Decision {
  if (compare(squared, multiply(tolerance, tolerance)) >= 0) return 'cannot-be-told';
  const inside = subtract(tolerance, error);
  const isBeyondDoubt = compare(squared, multiply(inside, inside)) <= 0;
  if (compare(error, tolerance) <= 0) return isBeyondDoubt ? 'conforms' : 'conforms-not-beyond-doubt';
  // T + U itself is not beyond it.
  return compare(squared, multiply(inside, inside)) < 0 ? 'does-not-conform' : 'does-not-conform-not-beyond-doubt';
}

// u² = (1 − t)² u²(We) + t² u²(Wl) + m² d²/12 ((1 − t)² + t² + 1)
function indicationOf({ step, empty, loaded, check }: GroupAtCheck): { mass: Fraction; u2: Fraction } | undefined {
  const [from, to, at] = [empty.output, loaded.output, check].map(parseDecimal);
  if (from === undefined || to === undefined || at === undefined || compare(from, to) === 0) return undefined;
  const [light, heavy] = [massBy(empty.readings), massBy(loaded.readings)];
  const t = divide(subtract(at, from), subtract(to, from));
  const slope = divide(subtract(heavy, light), subtract(to, from));
  const [rest2, t2] = [squareOf(subtract(whole(1), t)), squareOf(t)];
  const perStep = divide(squareOf(multiply(slope, parseDecimal(step))), whole(12));
  return {
    mass: lowestTerms(add(light, multiply(slope, subtract(at, from)))),
    u2: sum([
      multiply(rest2, uncertaintyBy(empty.readings)),
      multiply(t2, uncertaintyBy(loaded.readings)),
      multiply(perStep, sum([rest2, t2, whole(1)])),
    ]),
  };
}

const massBy = (readings: readonly WeighedBy[]): Fraction =>
  sum(readings.map(({ kg, share }) => multiply(share, whole(kg))));

// u of one reading is what it may be wrong by, divided by √3.
const uncertaintyBy = (readings: readonly WeighedBy[]): Fraction =>
  sum(
    readings.map(({ kg, e, share }) =>
      divide(squareOf(multiply(share, parseDecimal(String(permissibleError(kg, e))))), whole(3)),
    ),
  );

const squareOf = (value: Fraction): Fraction => multiply(value, value);
const sum = (values: readonly Fraction[]): Fraction =>
  values.reduce((total, value) => lowestTerms(add(total, value)), whole(0));
