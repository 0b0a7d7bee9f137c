// The values of the policy in words and as the texts of a form's fields, what differs between two versions, and whether
// that loosens the rules.
import { CHECKS } from './checks.ts';
import {
  CHECK_NAMES,
  CHECK_RULES,
  days,
  formatPerMille,
  type CheckName,
  type CheckRule,
  type PolicyRules,
} from './policy.ts';

type PolicyValue = { field: string; label: string; of: (rules: PolicyRules) => string };

/** The fields in which one types. */
export const TYPED_FIELDS = [
  { field: 'interval_days', label: 'Default interval, days', of: ({ intervalDays }) => String(intervalDays) },
  { field: 'due_soon_days', label: 'Due soon, days', of: ({ dueSoonDays }) => String(dueSoonDays) },
  {
    field: 'tolerance_percent',
    label: 'Agreement tolerance, %',
    of: ({ tolerancePerMille }) => String(tolerancePerMille / 10),
  },
  { field: 'tolerance_kg', label: 'Agreement tolerance, kg', of: ({ toleranceKg }) => String(toleranceKg) },
  {
    field: 'longest_interval_days',
    label: 'Longest interval, days',
    of: ({ longestIntervalDays }) => String(longestIntervalDays),
  },
  { field: 'prompt_days', label: 'Prompt, days', of: ({ promptDays }) => String(promptDays) },
  {
    field: 'check_visits_percent',
    label: 'Drawn for a check visit, %',
    of: ({ checkVisitsPerMille }) => String(checkVisitsPerMille / 10),
  },
  {
    field: 'assumed_interval_kg',
    label: 'Assumed interval of a weighbridge, kg',
    of: ({ assumedIntervalKg }) => String(assumedIntervalKg),
  },
] as const satisfies readonly PolicyValue[];

export const checkField = <Check extends CheckName>(check: Check): `check_${Check}` => `check_${check}`;

const POLICY_FIELDS: readonly PolicyValue[] = [
  ...TYPED_FIELDS,
  {
    field: 'every_visit_waits',
    label: 'Every visit waits',
    of: ({ everyVisitWaits }) => (everyVisitWaits ? 'yes' : 'no'),
  },
  ...CHECKS.map(({ check, name }) => ({
    field: checkField(check),
    label: `Check ‘${name}’`,
    of: ({ checks }: PolicyRules) => checks[check],
  })),
];

/** The values as one types them, by field. */
export const textsOf = (rules: PolicyRules): Record<string, string> =>
  Object.fromEntries(POLICY_FIELDS.map(({ field, of }) => [field, of(rules)]));

/** A value that differs, as texts. */
export type PolicyChange = { field: string; label: string; from: string; to: string };

export const policyChanges = (now: PolicyRules, next: PolicyRules): PolicyChange[] =>
  POLICY_FIELDS.map(({ field, label, of }) => ({ field, label, from: of(now), to: of(next) })).filter(
    ({ from, to }) => from !== to,
  );

/** Whether a visit held back or drawn for a check visit, or an axle that disagrees, by `now` might not by `next`. */
export const isLoosening = (now: PolicyRules, next: PolicyRules): boolean =>
  next.longestIntervalDays > now.longestIntervalDays ||
  next.promptDays > now.promptDays ||
  next.tolerancePerMille > now.tolerancePerMille ||
  next.toleranceKg > now.toleranceKg ||
  (now.everyVisitWaits && !next.everyVisitWaits) ||
  next.checkVisitsPerMille < now.checkVisitsPerMille ||
  // A smaller one says that the scale is surer than it is.
  next.assumedIntervalKg < now.assumedIntervalKg ||
  CHECK_NAMES.some((check) => CHECK_RULES.indexOf(next.checks[check]) > CHECK_RULES.indexOf(now.checks[check]));

/** The values as labelled texts, in the order of display. */
export function policyFacts(policy: PolicyRules): { label: string; value: string }[] {
  const ofRule = (rule: CheckRule) =>
    CHECKS.filter(({ check }) => policy.checks[check] === rule).map(({ name }) => name);
  return [
    { label: 'Default interval', value: days(policy.intervalDays) },
    { label: 'Longest interval', value: days(policy.longestIntervalDays) },
    { label: 'Due soon', value: `within ${days(policy.dueSoonDays)}` },
    {
      label: 'Agreement tolerance',
      value: `${formatPerMille(policy.tolerancePerMille)} or ${policy.toleranceKg.toLocaleString('en-AU')}\u00a0kg, whichever is larger`,
    },
    {
      label: 'Prompt',
      value: policy.promptDays === 0 ? 'on the day of the visit' : `within ${days(policy.promptDays)} of the visit`,
    },
    {
      label: 'Every visit',
      value: policy.everyVisitWaits ? 'waits for an administrator' : 'counts by itself if it passes its checks',
    },
    {
      label: 'Check visits',
      value:
        policy.checkVisitsPerMille === 0
          ? 'none are drawn at random'
          : `${formatPerMille(policy.checkVisitsPerMille)} of the visits that count are drawn at random`,
    },
    {
      label: 'Assumed interval e',
      value: `${policy.assumedIntervalKg.toLocaleString('en-AU')}\u00a0kg, of a weighbridge of which it is not known`,
    },
    { label: 'Must be passed', value: ofRule('must').join(', ') },
    { label: 'Noted only', value: ofRule('noted').join(', ') },
    { label: 'Off', value: ofRule('off').join(', ') },
  ].filter(({ value }) => value !== '');
}
