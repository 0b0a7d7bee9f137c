// What is known of a visit when it closes, and what a check says of it.
import type { Admission } from '#app/people/good-standing.ts';
import type { CheckName, CheckRule } from '#app/policy/policy.ts';
import type { CalibrationLine, FourReadings } from '#app/readings/calibration-line.ts';
import type { Reference } from '#app/readings/reference.ts';
import type { LoadCheck } from '#app/readings/weighings.ts';
import type { Axle } from '#app/vehicles/axle.ts';

export type CheckAnswer = 'passed' | 'failed' | 'cannot be told';
/** Numbers that the one line about a visit needs; all others stand in the sentence. `until`: the last verified day. */
export type CheckNumbers = {
  agreeing?: number | undefined;
  axles?: number | undefined;
  until?: string | undefined;
  /** So many kilograms was the scale out when found. */
  found?: number | undefined;
  /** What the technician says, for which nothing could be compared. It holds the visit back. */
  claim?: Claim | undefined;
  /** The axle groups that failed it, or of which the technician claims something. */
  groups?: Axle[] | undefined;
  /** All that disagrees is a line from before the registry, or of an import. */
  isTakenOver?: boolean | undefined;
  /** It failed because what it asks for is not there. */
  isMissing?: boolean | undefined;
};
/** A change of the output's unit is told as a replaced sensor is. */
export const CLAIMS = ['sensor-replaced', 'other-trailer', 'other-unit'] as const;
export type Claim = (typeof CLAIMS)[number];
/** `rule`: by the policy of that moment. `sentence` is public: it names no person and no other truck. */
export type CheckResult = {
  check: CheckName;
  rule: CheckRule;
  answer: CheckAnswer;
  sentence: string;
  numbers?: CheckNumbers | undefined;
};

/** `isOwn`: of a visit of this truck. `isExact`: digit for digit; else each within a step. */
export type Copied = { isOwn: boolean; isExact: boolean };
/** `isTakenOver`: not recorded here, at a visit. */
export type LineBefore = { line: CalibrationLine; on: string; isTakenOver?: boolean };

/** The readings of one axle group at the visit. As found: what the display showed before adjustment, in kg. */
export type VisitAxle = {
  axle: Axle;
  readings: Partial<FourReadings>;
  /** Of outputs that are the mean of a left and a right sensor, each as '214 218'. */
  sides?: readonly string[];
  /** Its reference mass; undefined: its axles are not known. */
  reference?: Reference | undefined;
  asFound?: { empty: string; loaded: string };
  /** Why the line is not held against the lines before. */
  begins?: Claim;
  /** The last line that counts, and the newest one at least 90 days older than the visit, with their days. */
  before: readonly LineBefore[];
  /** The group's empty weight at the last counting visit recorded here before, and which trailers were away. */
  emptyBefore?: { kg: string; on: string; notBehind: string };
};

/** What is known of a visit when it closes. Days are days of the registry's zone. */
export type VisitFacts = {
  visitedOn: string;
  recordedOn: string;
  /** The last day of its weighings, if all were on other days than the visit. */
  weighedOn?: string;
  dueOn: string | null;
  axles: readonly VisitAxle[];
  /** The truck's axle groups that carry a sensor. Empty: not known. */
  fitted: readonly Axle[];
  /** Groups of trailers that were not behind the truck, as the technician says. */
  notBehind: readonly Axle[];
  /** Rego and VIN were read on the truck. */
  isConfirmed: boolean;
  /** What stands on another record, removed ones included. */
  elsewhere: readonly (
    | 'VIN'
    | 'scale serial number'
    | 'rego, but for characters that look alike'
    | 'rego (that record was removed)'
    | 'plate, within the last 24 months'
  )[];
  /** Its readings are those of an earlier visit. */
  copied: Copied | null;
  /** The VIN at the visit is not that of the last visit that counts. */
  hasNewVin: boolean;
  /** As `admissionsOf` finds them. Null: nobody of whom more than a name is known, as in an imported record. */
  technician: readonly Admission[] | null;
  /** Of who captured the visit, if somebody else sent its file. */
  captor?: readonly Admission[];
  /**
   * The weighbridge. `verifiedTo`: the last day of the verification that covers the visit's. `withdrawnFor`: the days,
   * in words. Null: none is named.
   */
  reference: {
    isRegistered: boolean;
    isVerified: boolean;
    isWithdrawn: boolean;
    verifiedTo?: string | null;
    withdrawnFor?: string;
  } | null;
  ticket: { isUsedTwice: boolean } | null;
  /** Weighings that follow from earlier ones; absent: there are none. */
  loadChecks?: readonly LoadCheck[];
  photo: { isUsedTwice: boolean } | null;
  /** As typed; `before`: of the last visit that counts. Absent: nothing is said of seals, now or then. */
  seals?: { found: string; reason: string; before: { left: string; on: string } | null };
};

export type Checked = [answer: CheckAnswer, sentence: string, numbers?: CheckNumbers];
