// What patterns are looked for in: the visits of twelve months. Plain values, so that every pattern is a pure function.
import type { Axle } from '#app/vehicles/axle.ts';

/** Months of visits that a pattern looks at, up to the day of the look. */
export const WINDOW_MONTHS = 12;

/** One axle group of a visit. Volts in hundredths of a volt, masses in kilograms, all integers. */
export type SampleAxle = {
  axle: Axle;
  /** Of the table; absent where the group's axles are not known. */
  referenceKg?: number;
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

/**
 * Where a visit was weighed: a weighbridge of the register. Degrees. `stepKg`: its verification interval e, if known.
 */
export type SamplePlace = { id: string; latitude: number; longitude: number; stepKg?: number };

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
  /** The due date that it states: the beginning of that day. */
  dueAt?: number;
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

/** Visits oldest first: all of them, those of each technician, and each truck's one before and after. */
export type Sample = {
  visits: readonly SampleVisit[];
  byTechnician: ReadonlyMap<string, readonly SampleVisit[]>;
  before: ReadonlyMap<SampleVisit, SampleVisit>;
  next: ReadonlyMap<SampleVisit, SampleVisit>;
};

export function sampleOf(given: Iterable<SampleVisit>): Sample {
  const visits = [...given].sort((one, other) => one.at - other.at);
  const before = new Map<SampleVisit, SampleVisit>();
  const next = new Map<SampleVisit, SampleVisit>();
  const last = new Map<string, SampleVisit>();
  for (const visit of visits) {
    const earlier = last.get(visit.vehicle);
    if (earlier !== undefined) {
      before.set(visit, earlier);
      next.set(earlier, visit);
    }
    last.set(visit.vehicle, visit);
  }
  return { visits, byTechnician: Map.groupBy(visits, ({ technician }) => technician), before, next };
}

export const axleIn = ({ axles }: SampleVisit, axle: Axle): SampleAxle | undefined =>
  axles.find((one) => one.axle === axle);

/** Whether the two visits have the same groups, at least two, with the same values. */
export const isSameWhole = (one: SampleVisit, other: SampleVisit): boolean =>
  one.axles.length >= 2 &&
  one.axles.length === other.axles.length &&
  one.axles.every((axle) => valuesOf(axle) === valuesOf(axleIn(other, axle.axle)));

/** The four readings of a group, as a key. */
export const valuesOf = (axle: SampleAxle | undefined): string | undefined =>
  axle && `${axle.emptyVolt} ${axle.emptyWeight} ${axle.loadedVolt} ${axle.loadedWeight}`;

/** A day's work: what one technician records within this time may share a photo or a ticket. */
const ONE_DAY_MS = 14 * 3_600_000;

export const isOneDaysWork = (one: SampleVisit, other: SampleVisit): boolean =>
  one.technician === other.technician && Math.abs(one.at - other.at) < ONE_DAY_MS;

/** Records of one truck within this time are one weighing. */
const ONE_WEIGHING_MS = 20 * 3_600_000;

/** Whether two visits are about one weighing of one truck, recorded in parts. */
export const isOneWeighing = (one: SampleVisit, other: SampleVisit): boolean =>
  one.vehicle === other.vehicle && Math.abs(one.at - other.at) < ONE_WEIGHING_MS;
