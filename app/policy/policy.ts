// The registry's policy: by which of its own rules verdicts and agreement are worked out. A change makes a new version,
// so whoever reads a verdict can say which rules it came from.
//
// How soon is due soon, the suggested interval, the tolerance of agreement. Versions are rows that never change, each with a
// leaf that says all of it in clear; the first start enters the first one. A page reads the one in force in the same statement
// as the activity log's size (`policyAndLogSize`), so it costs no round trip and is never older than the update that made the
// page reload; nothing keeps it between requests.

export type Policy = {
  version: number;
  /** Days from a calibration to the next one, as suggested where a due date is entered. */
  intervalDays: number;
  /** A calibration that is due within so many days, today included, is due soon. */
  dueSoonDays: number;
  /** How far two lines of an axle may lie apart and agree: the larger of both. 20 per mille is 2 %. */
  tolerancePerMille: number;
  toleranceKg: number;
};

/** What holds until an admin changes it. Half a year, as on-board scales are calibrated at least twice a year (ISWIM). */
export const FIRST_POLICY: Policy = {
  version: 1,
  intervalDays: 182,
  dueSoonDays: 30,
  tolerancePerMille: 20,
  toleranceKg: 500,
};

/** A due date lies at most so many days after its calibration. */
export const LONGEST_INTERVAL_DAYS = 366;

/** Days from a calibration to the due date that a form suggests. Versions from before the bound may say more than fits. */
export const suggestedDays = ({ intervalDays }: Pick<Policy, 'intervalDays'>): number =>
  Math.min(intervalDays, LONGEST_INTERVAL_DAYS);

/** '2 %', '2.5 %'. */
export const formatPerMille = (perMille: number): string => `${perMille / 10}\u00a0%`;

export const days = (count: number): string => `${count.toLocaleString('en-AU')} ${count === 1 ? 'day' : 'days'}`;

/** Each value in words, in the order in which they are shown. */
export function policyFacts(policy: Policy): { label: string; value: string }[] {
  return [
    { label: 'Default interval', value: days(policy.intervalDays) },
    { label: 'Due soon', value: `within ${days(policy.dueSoonDays)}` },
    {
      label: 'Agreement tolerance',
      value: `${formatPerMille(policy.tolerancePerMille)} or ${policy.toleranceKg.toLocaleString('en-AU')}\u00a0kg, whichever is larger`,
    },
  ];
}

/** Each field of the form that is a value of the policy: its name, the property, the label, and the value as it is typed. */
export const POLICY_FIELDS = [
  { field: 'interval_days', label: 'Default interval, days', of: ({ intervalDays }: Policy) => String(intervalDays) },
  { field: 'due_soon_days', label: 'Due soon, days', of: ({ dueSoonDays }: Policy) => String(dueSoonDays) },
  {
    field: 'tolerance_percent',
    label: 'Agreement tolerance, %',
    of: ({ tolerancePerMille }: Policy) => String(tolerancePerMille / 10),
  },
  { field: 'tolerance_kg', label: 'Agreement tolerance, kg', of: ({ toleranceKg }: Policy) => String(toleranceKg) },
] as const satisfies readonly { field: string; label: string; of: (policy: Policy) => string }[];
