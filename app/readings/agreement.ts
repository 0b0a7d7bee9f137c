// Whether a new line agrees with the previous line of its axle. The result is an observation with its numbers: it does
// not claim fraud, and it never makes a verdict worse. There are three answers, as in the Dutch odometer register.
import type { Policy } from '#app/policy/policy.ts';
import { massAt, voltsAt, type CalibrationLine } from './calibration-line.ts';
import { absolute, compare, divide, formatFraction, multiply, subtract, whole, type Fraction } from './fraction.ts';

/** Lines agree if they differ by at most `tolerancePerMille` of the mass or `toleranceKg`, whichever is more. */
export type Tolerance = Pick<Policy, 'version' | 'tolerancePerMille' | 'toleranceKg'>;

/**
 * `difference`, in kg: at the volts at which the new line shows `referenceKg`, the mass that the previous line shows,
 * minus that mass. `referenceKg`: the reference mass; the empty mass where the lines differ more there.
 */
export type Agreement =
  | {
      answer: 'consistent' | 'inconsistent';
      referenceKg: number;
      difference: Fraction;
      allowed: Fraction;
      tolerance: Tolerance;
    }
  | { answer: 'not-enough-data'; why: 'no-line' | 'nothing-before' | 'sensor-replaced'; tolerance: Tolerance };

/**
 * Compares `line` with the previous line `before` at the reference mass of the axle and at the empty mass: a line of
 * twice the slope meets the other one somewhere. Of two empty masses the lesser, which no choice of the load brings
 * nearer to the other end.
 */
export function agreementOf(
  line: CalibrationLine,
  before: CalibrationLine,
  { referenceKg, tolerance }: { referenceKg: number; tolerance: Tolerance },
): Agreement {
  const [one, other] = [line.empty.mass, before.empty.mass];
  const at = (mass: Fraction) => {
    const difference = subtract(massAt(before, voltsAt(line, mass)), mass);
    const answer = isWithin(difference, mass, tolerance) ? ('consistent' as const) : ('inconsistent' as const);
    const shown = Number(formatFraction(mass, 0));
    return { answer, referenceKg: shown, difference, allowed: allowedAt(mass, tolerance), tolerance };
  };
  const [atReference, atEmpty] = [at(whole(referenceKg)), at(compare(one, other) < 0 ? one : other)];
  return atEmpty.answer === 'inconsistent' && compare(beyond(atEmpty), beyond(atReference)) > 0 ? atEmpty : atReference;
}

const beyond = ({ difference, allowed }: { difference: Fraction; allowed: Fraction }): Fraction =>
  subtract(absolute(difference), allowed);

/** Whether `difference` is within the tolerance at `mass`, both in kg. */
export const isWithin = (difference: Fraction, mass: Fraction, tolerance: Tolerance): boolean =>
  compare(absolute(difference), allowedAt(mass, tolerance)) <= 0;

function allowedAt(mass: Fraction, { tolerancePerMille, toleranceKg }: Tolerance): Fraction {
  const relative = divide(multiply(mass, whole(tolerancePerMille)), whole(1000));
  const fixed = whole(toleranceKg);
  return compare(relative, fixed) > 0 ? relative : fixed;
}
