// A version of the policy comes into force: its row, its leaf, its activity.
import { sql } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { policyEvent } from '#app/transparency-log/policy-events.server.ts';
import { policyChanges } from './policy-fields.ts';
import { FIRST_POLICY, type Policy, type PolicyRules } from './policy.ts';
import { columnsOf } from './queries.server.ts';

/** Of two concurrent changes, the second waits and sees the first. Readers do not wait. */
export const lockPolicy = (tx: Tx) => sql`lock table policy in exclusive mode`.execute(tx);

type Entered = {
  reason: string;
  changedBy: number;
  /** `actorId`: null when a proposal takes effect by itself. `details`: what follows the version's number. */
  activity: { actorId: number | null; details: string; persons: readonly string[] };
  /** The proposal whose values these are. */
  proposal?: string;
};

/** Enters `rules` as the version after `inForce`, last in its transaction. Returns its number. */
export async function enterVersion(
  tx: Tx,
  inForce: Policy,
  { rules, reason, changedBy, activity: { actorId, details, persons }, proposal }: { rules: PolicyRules } & Entered,
): Promise<number> {
  const version = inForce.version + 1;
  await tx
    .insertInto('policy')
    .values({ version, ...columnsOf(rules), reason, changedBy })
    .execute();
  await appendLeaves(tx, [policyEvent({ ...rules, version }, proposal)]);
  await appendActivity(tx, {
    kind: 'policy.changed',
    actorId,
    subject: 'policy',
    subjectId: String(version),
    details: `Version ${version}${details}`,
    changes: policyChanges(inForce, rules).map(({ field, from, to }) => ({ field, from, to })),
    persons,
  });
  return version;
}

/** Inserts the first version with its leaf, once per registry. Nobody chose it, so it appends no activity. */
export async function enterFirstPolicy(db: Db, first: Policy = FIRST_POLICY): Promise<void> {
  const isThere = (on: Db | Tx) => on.selectFrom('policy').select('version').limit(1).executeTakeFirst();
  if ((await isThere(db)) !== undefined) return;
  await db.transaction().execute(async (tx) => {
    await lockPolicy(tx);
    if ((await isThere(tx)) !== undefined) return;
    await tx
      .insertInto('policy')
      .values({ version: first.version, ...columnsOf(first) })
      .execute();
    await appendLeaves(tx, [policyEvent(first)]);
  });
}
