// The registry's policy: the rules by which verdicts and agreement are computed, and by which a visit counts. It holds
// the suggested interval, the days that count as due soon, the tolerance of agreement, and the rules of evidence. A
// change makes a new version, so a verdict can name its rules.
//
// Versions are rows that never change, each with a leaf in the public log that states all values in clear text. The
// first start inserts version 1. A page reads the version in force in the same statement as the activity log's size
// (`policyAndLogSize`): this costs no extra round trip, and the policy is never older than the update that made the
// page reload. It is not cached between requests.

export type PolicyRules = DisplayRules & EvidenceRules;
export type Policy = { version: number } & PolicyRules;

/** The rules of verdicts and agreement. */
export type DisplayRules = {
  /** Days from a calibration to the due date that forms suggest. */
  intervalDays: number;
  /** A calibration due within this many days, counting today, is due soon. */
  dueSoonDays: number;
  /** The largest difference at which two lines of an axle agree: the larger of the two limits. 20 per mille is 2 %. */
  tolerancePerMille: number;
  toleranceKg: number;
};

/** The checks that a visit is held against (`visits/visit-checks.ts` says what each asks). */
export const CHECK_NAMES = [
  ...(['complete', 'interval', 'truck', 'prompt', 'plausible', 'agrees', 'standing'] as const),
  ...(['load', 'reference', 'ticket', 'photo', 'gross', 'seals'] as const),
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];
/** A check that must be passed holds a visit back; one that is noted is shown. Strictest first. */
export const CHECK_RULES = ['must', 'noted', 'off'] as const;
export type CheckRule = (typeof CHECK_RULES)[number];

/** The rules by which a visit counts. */
export type EvidenceRules = {
  /** The most days from a visit to its due date. */
  longestIntervalDays: number;
  /** A visit is prompt when it is recorded within these days. */
  promptDays: number;
  /** An admin looks at each visit before it counts. */
  everyVisitWaits: boolean;
  /** Of a thousand visits that count, so many are drawn at random: somebody else weighs the truck again. */
  checkVisitsPerMille: number;
  /** The verification interval e of a weighbridge of which it is not known, in kg. */
  assumedIntervalKg: number;
  checks: Record<CheckName, CheckRule>;
};

/** The most days from a visit to its due date, unless the policy says otherwise. */
export const LONGEST_INTERVAL_DAYS = 366;
/** The most days that a policy may say. The database refuses a due date beyond them (refuse_far_due.sql). */
export const MOST_INTERVAL_DAYS = 732;

/** In force until an admin changes them, and in versions from before there were rules of evidence. */
export const FIRST_EVIDENCE_RULES: EvidenceRules = {
  longestIntervalDays: LONGEST_INTERVAL_DAYS,
  promptDays: 7,
  everyVisitWaits: false,
  checkVisitsPerMille: 0,
  assumedIntervalKg: 20,
  checks: {
    complete: 'must',
    interval: 'must',
    truck: 'must',
    prompt: 'must',
    plausible: 'must',
    agrees: 'must',
    standing: 'must',
    load: 'noted',
    reference: 'noted',
    ticket: 'noted',
    photo: 'noted',
    gross: 'noted',
    seals: 'noted',
  },
};

/** In force until an admin changes it. Half a year, as on-board scales are calibrated at least twice a year (ISWIM). */
export const FIRST_POLICY: Policy = {
  version: 1,
  intervalDays: 182,
  dueSoonDays: 30,
  tolerancePerMille: 20,
  toleranceKg: 500,
  ...FIRST_EVIDENCE_RULES,
};

/**
 * Of a registry that begins now: of fifty visits that count, one is drawn, and somebody else weighs the truck again.
 * What statistics cannot see, a second weighing can.
 */
export const NEW_REGISTRY_POLICY: Policy = { ...FIRST_POLICY, checkVisitsPerMille: 20 };

/** Days to the due date that a form suggests. Capped, as versions older than the limit may exceed it. */
export const suggestedDays = ({
  intervalDays,
  longestIntervalDays,
}: Pick<Policy, 'intervalDays' | 'longestIntervalDays'>): number => Math.min(intervalDays, longestIntervalDays);

/** '2 %', '2.5 %'. */
export const formatPerMille = (perMille: number): string => `${perMille / 10}\u00a0%`;

export const days = (count: number): string => `${count.toLocaleString('en-AU')} ${count === 1 ? 'day' : 'days'}`;
