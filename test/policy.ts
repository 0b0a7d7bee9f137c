// Policies of tests: the form filled in, and a version that comes into force.
import type { Db } from '#app/platform/database/database.server.ts';
import { enterVersion } from '#app/policy/enter-version.server.ts';
import { policySchema, type PolicyInput } from '#app/policy/policy-entry.ts';
import { textsOf } from '#app/policy/policy-fields.ts';
import type { CheckRule, CheckName, Policy, PolicyRules } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';

/** The fields as the form sends them, opened with `now`. */
export const policyTexts = (now: Policy, more: Record<string, string> = {}): Record<string, string> => ({
  ...textsOf(now),
  reason: '',
  version: String(now.version),
  ...more,
});

export const policyInput = (now: Policy, more?: Record<string, string>): PolicyInput =>
  policySchema.parse(policyTexts(now, more));

/** A version with these changes is in force at once, as if a second admin had confirmed it. Returns its number. */
export const enforce = (
  db: Db,
  { checks, ...rules }: Partial<Omit<PolicyRules, 'checks'>> & { checks?: Partial<Record<CheckName, CheckRule>> },
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const inForce = await currentPolicy(tx);
    const changedBy = await findOrAddActor(tx, { name: 'Mia', email: 'mia@registry.example' });
    const next = { ...inForce, ...rules, checks: { ...inForce.checks, ...checks } };
    const activity = { actorId: changedBy, details: '', persons: [] };
    return enterVersion(tx, inForce, { rules: next, reason: '', changedBy, activity });
  });
