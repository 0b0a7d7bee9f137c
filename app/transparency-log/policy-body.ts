// What an entry says in clear of a version or a proposal of the registry's policy.
import { z } from 'zod';
import type { Body } from '#app/tlog/leaf-body.ts';
import type { Leaf } from '#app/tlog/leaf.ts';
import type { RecordRow } from './record-snapshot.server.ts';

const evidenceSchema = z.object({
  longestIntervalDays: z.int(),
  promptDays: z.int(),
  everyVisitWaits: z.boolean(),
  checkVisitsPerMille: z.int().optional(),
  assumedIntervalKg: z.int().optional(),
  checks: z.record(z.string(), z.string()),
});
type LoggedEvidence = z.infer<typeof evidenceSchema>;
/** A version of the policy. Versions from before the rules of evidence have none, and not what came to them later. */
export type LoggedPolicy = {
  version: number;
  intervalDays: number;
  dueSoonDays: number;
  tolerancePerMille: number;
  toleranceKg: number;
} & (LoggedEvidence | { [Name in keyof LoggedEvidence]?: never });

export function policyBody(policy: LoggedPolicy): Body {
  const { version: policyVersion, intervalDays, dueSoonDays, tolerancePerMille, toleranceKg } = policy;
  const values = { policyVersion, intervalDays, dueSoonDays, tolerancePerMille, toleranceKg };
  if (policy.checks === undefined) return values;
  const { longestIntervalDays, promptDays, everyVisitWaits, checkVisitsPerMille, assumedIntervalKg, checks } = policy;
  return {
    ...values,
    longestIntervalDays,
    promptDays,
    everyVisitWaits,
    ...(checkVisitsPerMille === undefined ? {} : { checkVisitsPerMille }),
    ...(assumedIntervalKg === undefined ? {} : { assumedIntervalKg }),
    checks: checksText(checks),
  };
}

// 'agrees:must complete:must', in the order of names: a stored object has another order.
const checksText = (checks: Readonly<Record<string, string>>): string =>
  Object.entries(checks)
    .map(([check, rule]) => `${check}:${rule}`)
    .toSorted()
    .join(' ');

const columns = { interval_days: z.int(), due_soon_days: z.int(), tolerance_per_mille: z.int(), tolerance_kg: z.int() };
const rowSchema = z.union([
  z.object({ ...columns, version: z.int(), evidence: evidenceSchema.nullable() }),
  // A proposal: the version is that of the rules in force.
  z.object({ ...columns, base_version: z.int(), evidence: evidenceSchema }),
]);

/** The column of a version or a proposal that is not as its entry says in clear. */
export function unlikePolicyBody(row: RecordRow, { type, body }: Leaf): string | undefined {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return String(parsed.error.issues[0]?.path[0]);
  const { data } = parsed;
  const isProposal = 'base_version' in data;
  // The entry of a proposal that took effect names the version that it made.
  const made = isProposal && type === 'policy.changed' ? 1 : 0;
  const expected = policyBody({
    version: (isProposal ? data.base_version : data.version) + made,
    intervalDays: data.interval_days,
    dueSoonDays: data.due_soon_days,
    tolerancePerMille: data.tolerance_per_mille,
    toleranceKg: data.tolerance_kg,
    ...data.evidence,
  });
  return POLICY_BODY.find((field) => valueIn(expected, field) !== valueIn(body, field));
}

// A proposal from before visits were drawn may take effect, or be withdrawn, since then: its entry says that none are.
const valueIn = (body: Body, field: (typeof POLICY_BODY)[number]) =>
  field === 'checkVisitsPerMille' ? (body[field] ?? 0) : body[field];

const POLICY_BODY = [
  ...(['policyVersion', 'intervalDays', 'dueSoonDays', 'tolerancePerMille', 'toleranceKg'] as const),
  ...(['longestIntervalDays', 'promptDays', 'everyVisitWaits', 'checkVisitsPerMille'] as const),
  ...(['assumedIntervalKg', 'checks'] as const),
] as const;
