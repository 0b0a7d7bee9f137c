// The lock on a person, taken before a role is given or removed: two admissions of one address cannot both succeed.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { findAccount, type Account } from '#app/access/queries.server.ts';

/**
 * Locks the person with this address (normalised) to the end of the transaction; adds them when new. Other admissions
 * and removals of theirs wait. `account`: their current role; undefined when they have none. Somebody of the office
 * whose removal may still be refused has one: `isRemovalOpen`.
 */
export async function lockPerson(
  tx: Tx,
  email: string,
): Promise<{ personId: string; account: Account | undefined; isRemovalOpen: boolean }> {
  await tx
    .insertInto('person')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  // Not FOR UPDATE: an insert that refers to a person (an idempotency key, an actor) must not wait, or two admins who
  // admit each other's addresses would deadlock.
  const { id: personId } = await tx
    .selectFrom('person')
    .select('id')
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const removed = await removedForNow(tx, personId);
  return { personId, account: (await findAccount(tx, personId)) ?? removed, isRemovalOpen: removed !== undefined };
}

/** Who of the office is this person, where their removal may still be refused. */
export async function removedForNow(tx: Tx, personId: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select a.role, a.name, a.email, a.id as record_id
    from staff a join admin_removal r on r.admin_id = a.id and r.outcome is null
    where a.person_id = ${personId}`.execute(tx);
  return rows[0];
}
