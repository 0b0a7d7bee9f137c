// Whether a new line agrees with the one before it: an observation with its numbers, never a finding of fraud, and no
// part of the verdict. Three answers, as the Dutch register gives on odometers.
import type { Policy } from '#app/policy/policy.ts';
import { massAt, voltsAt, type CalibrationLine } from './calibration-line.ts';
import { absolute, compare, divide, multiply, subtract, whole, type Fraction } from './fraction.ts';

/** Two lines agree when they differ by at most that part of the mass, or so many kilograms, whichever is more. */
export type Tolerance = Pick<Policy, 'version' | 'tolerancePerMille' | 'toleranceKg'>;

/** `difference`: what the line before shows, in kg, where the new one shows the reference mass, less that mass. */
export type Agreement =
  | {
      answer: 'consistent' | 'inconsistent';
      referenceKg: number;
      difference: Fraction;
      allowed: Fraction;
      tolerance: Tolerance;
    }
  | { answer: 'not-enough-data'; why: 'no-line' | 'nothing-before' | 'sensor-replaced'; tolerance: Tolerance };

/** Holds `line` against `before` at the mass that the axle is held to. */
export function agreementOf(
  line: CalibrationLine,
  before: CalibrationLine,
  referenceKg: number,
  tolerance: Tolerance,
): Agreement {
  const mass = whole(referenceKg);
  const difference = subtract(massAt(before, voltsAt(line, mass)), mass);
  const allowed = allowedAt(mass, tolerance);
  return {
    answer: compare(absolute(difference), allowed) <= 0 ? 'consistent' : 'inconsistent',
    referenceKg,
    difference,
    allowed,
    tolerance,
  };
}

function allowedAt(mass: Fraction, { tolerancePerMille, toleranceKg }: Tolerance): Fraction {
  const relative = divide(multiply(mass, whole(tolerancePerMille)), whole(1000));
  const fixed = whole(toleranceKg);
  return compare(relative, fixed) > 0 ? relative : fixed;
}
