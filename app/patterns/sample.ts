// What patterns are looked for in: the visits of twelve months, oldest first. Plain values, so that every pattern is a pure function.
import type { Axle } from '#app/vehicles/axle.ts';

/** Months of visits that a pattern looks at, up to the day of the look. */
export const WINDOW_MONTHS = 12;

/** One axle group of a visit. Volts in hundredths of a volt, masses in kilograms, all integers. */
export type SampleAxle = {
  axle: Axle;
  emptyVolt: number;
  emptyWeight: number;
  loadedVolt: number;
  loadedWeight: number;
  /** What the scale showed before it was adjusted, in kilograms. */
  foundEmpty: number | null;
  foundLoaded: number | null;
  sensorReplaced: boolean;
  otherTrailer: boolean;
};

/** Where a visit was weighed: a weighbridge of the register. Degrees. */
export type SamplePlace = { id: string; latitude: number; longitude: number };

export type SampleVisit = {
  id: string;
  /** Person id. */
  technician: string;
  vehicle: string;
  /** '' where none is recorded. */
  make: string;
  /** The stated time, in milliseconds since 1970 (UTC). */
  at: number;
  /** False where only the day is known: `at` is then the beginning of that day. */
  hasTime: boolean;
  place: SamplePlace | null;
  ticket: string;
  /** SHA-256 of the picture's bytes in hex, and its 64-bit perceptual hash in hex. */
  photo: { sha256: string; dhash: string | null } | null;
  /** Every axle group of the truck has its four readings. */
  isComplete: boolean;
  axles: readonly SampleAxle[];
};

/** The largest difference at which two masses agree (the policy in force): the larger of the two limits. */
export type SampleTolerance = { perMille: number; kg: number };
