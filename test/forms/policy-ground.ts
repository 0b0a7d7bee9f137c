// What the forms of the policy stand on.
import type { Db } from '#app/platform/database/database.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { columnsOf, findProposal } from '#app/policy/queries.server.ts';
import type { Person } from '#test/people.ts';

/** Another version comes into force. */
export const newVersion =
  (db: Db, { version, ...now }: Policy) =>
  () =>
    db
      .insertInto('policy')
      .values({ version: version + 1, ...columnsOf(now) })
      .execute();

/** The id of the open proposal, which is there or is made. */
export async function newProposal(db: Db, { version, ...now }: Policy, { personId }: Person): Promise<string> {
  const open = await findProposal(db);
  if (open !== undefined) return open.id;
  const { id: proposedBy } = await db
    .insertInto('actor')
    .values({ personId, name: 'Mia', email: '' })
    .onConflict((conflict) => conflict.columns(['personId', 'name', 'email']).doUpdateSet({ email: '' }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const looser = columnsOf({ ...now, everyVisitWaits: false, toleranceKg: now.toleranceKg + 1 });
  const { id } = await db
    .insertInto('policyProposal')
    .values({ ...looser, baseVersion: version, reason: '', proposedBy, proposedAt: new Date(), takesEffectAt: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
