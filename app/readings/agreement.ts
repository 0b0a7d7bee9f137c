// Whether a new line agrees with the previous line of its axle. The result is an observation with its numbers: it does
// not claim fraud, and it never makes a verdict worse. There are three answers, as in the Dutch odometer register.
import type { Policy } from '#app/policy/policy.ts';
import { massAt, voltsAt, type CalibrationLine } from './calibration-line.ts';
import type { Reference } from './reference.ts';
import { absolute, compare, divide, formatFraction, multiply, subtract, whole, type Fraction } from './fraction.ts';

/** Lines agree if they differ by at most `tolerancePerMille` of the mass or `toleranceKg`, whichever is more. */
export type Tolerance = Pick<Policy, 'version' | 'tolerancePerMille' | 'toleranceKg'>;

/**
 * `difference`, in kg: at the volts at which the new line shows `referenceKg`, the mass that the previous line shows,
 * minus that mass. `referenceKg`: the mass at which they are compared; the empty one where they differ more there.
 */
export type Agreement =
  | {
      answer: 'consistent' | 'inconsistent';
      referenceKg: number;
      difference: Fraction;
      allowed: Fraction;
      tolerance: Tolerance;
    }
  | {
      answer: 'not-enough-data';
      why: 'no-line' | 'nothing-before' | 'sensor-replaced' | 'other-unit';
      tolerance: Tolerance;
    };

/**
 * Compares `line` with the previous line `before` at the reference mass of the axle and at the empty mass: a line of
 * twice the slope meets the other one somewhere. Of two empty masses the lesser, which no choice of the load brings
 * nearer to the other end. Without a reference mass, at the greater of the two loaded points; so too where somebody
 * typed a lesser one, or the group carried a tenth more than the table's: it hardly has the axles that were said of it.
 */
export function agreementOf(
  line: CalibrationLine,
  before: CalibrationLine,
  { reference, tolerance }: { reference: Reference | undefined; tolerance: Tolerance },
): Agreement {
  if (line.unit !== before.unit) return { answer: 'not-enough-data', why: 'other-unit', tolerance };
  const [one, other] = [line.empty.mass, before.empty.mass];
  const at = (mass: Fraction) => {
    const difference = subtract(massAt(before, voltsAt(line, mass)), mass);
    const answer = isWithin(difference, mass, tolerance) ? ('consistent' as const) : ('inconsistent' as const);
    const shown = Number(formatFraction(mass, 0));
    return { answer, referenceKg: shown, difference, allowed: allowedAt(mass, tolerance), tolerance };
  };
  const [atReference, atEmpty] = [
    at(massToCompare(line, before, reference)),
    at(compare(one, other) < 0 ? one : other),
  ];
  return atEmpty.answer === 'inconsistent' && compare(beyond(atEmpty), beyond(atReference)) > 0 ? atEmpty : atReference;
}

function massToCompare(line: CalibrationLine, before: CalibrationLine, reference: Reference | undefined): Fraction {
  const known = whole(reference?.kg ?? 0);
  const most = [line.loaded.mass, before.loaded.mass].reduce(
    (more, mass) => (compare(mass, more) > 0 ? mass : more),
    known,
  );
  const isOwn = reference?.isTyped === false && compare(multiply(most, whole(10)), multiply(known, whole(11))) <= 0;
  return isOwn ? known : most;
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
