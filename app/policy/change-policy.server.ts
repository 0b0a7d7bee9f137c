// An admin changes the policy: a new version, an entry in both logs, and a notification of every open page.
import { sql } from 'kysely';
import { z } from 'zod';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { policyEvent } from '#app/transparency-log/policy-events.server.ts';
import { valuesOf, type PolicyInput } from './policy-entry.ts';
import { FIRST_POLICY, POLICY_FIELDS, type Policy } from './policy.ts';
import { columnsOf, currentPolicy } from './queries.server.ts';

const CHANGED = { kind: 'policy.changed', done: z.object({ changed: z.literal(true), version: z.int() }) } as const;
export type ChangePolicyAnswer =
  | z.infer<typeof CHANGED.done>
  /** `stale`: somebody changed it since the form was opened. `same`: the values are already in force. */
  | { changed: false; reason: 'stale' | 'same'; now: Policy };

export async function changePolicy(
  db: Db,
  who: SignedIn,
  input: PolicyInput,
  key: unknown,
): Promise<ChangePolicyAnswer> {
  return idempotent<ChangePolicyAnswer>(db, who, { ...CHANGED, key, values: input }, async (tx) => {
    await lockPolicy(tx);
    const now = await currentPolicy(tx);
    if (now.version !== input.version) return { changed: false, reason: 'stale', now };
    const next: Policy = { ...now, ...valuesOf(input), version: now.version + 1 };
    const changes = POLICY_FIELDS.map(({ field, of }) => ({ field, from: of(now), to: of(next) })).filter(
      ({ from, to }) => from !== to,
    );
    if (changes.length === 0) return { changed: false, reason: 'same', now };
    const actorId = await actorOf(tx, who);
    await tx
      .insertInto('policy')
      .values({ version: next.version, ...columnsOf(next), reason: input.reason, changedBy: actorId })
      .execute();
    await appendLeaves(tx, [policyEvent(next)]);
    await appendActivities(tx, [
      {
        kind: 'policy.changed',
        actorId,
        subject: 'policy',
        subjectId: String(next.version),
        details: `Version ${next.version}${input.reason === '' ? '' : `: ${input.reason}`}`,
        changes,
        persons: [who.personId],
      },
    ]);
    return { changed: true, version: next.version };
  });
}

/** Inserts the first version with its leaf, once per registry. Nobody chose it, so it appends no activity. */
export async function enterFirstPolicy(db: Db): Promise<void> {
  const isThere = (on: Db | Tx) => on.selectFrom('policy').select('version').limit(1).executeTakeFirst();
  if ((await isThere(db)) !== undefined) return;
  await db.transaction().execute(async (tx) => {
    await lockPolicy(tx);
    if ((await isThere(tx)) !== undefined) return;
    await tx
      .insertInto('policy')
      .values({ version: FIRST_POLICY.version, ...columnsOf(FIRST_POLICY) })
      .execute();
    await appendLeaves(tx, [policyEvent(FIRST_POLICY)]);
  });
}

// Of two concurrent changes, the second waits and sees the first. Readers do not wait.
const lockPolicy = (tx: Tx) => sql`lock table policy in exclusive mode`.execute(tx);
