// The lock on a person, taken before a role is given or removed: two admissions of one address cannot both succeed.
import type { Tx } from '#app/platform/database/database.server.ts';
import { findStanding, type Standing } from '#app/access/queries.server.ts';

/**
 * Locks the person with this address (normalised) to the end of the transaction; adds them when new. Other admissions
 * and removals of theirs wait. `standing`: their current role; undefined when they are neither admin nor technician.
 */
export async function lockPerson(tx: Tx, email: string): Promise<{ personId: string; standing: Standing | undefined }> {
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
  return { personId, standing: await findStanding(tx, personId) };
}
