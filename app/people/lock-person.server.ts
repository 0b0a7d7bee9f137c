// Who is admitted under an address, as an admin or a technician, is decided by one at a time.
import type { Tx } from '#app/platform/database/database.server.ts';
import { findStanding, type Standing } from '#app/access/queries.server.ts';

/**
 * The person with this address (normalised), added when new, held to the end of the transaction: whoever else admits or
 * removes them waits. `standing` is what they are now; undefined: neither admin nor technician.
 */
export async function lockPerson(tx: Tx, email: string): Promise<{ personId: string; standing: Standing | undefined }> {
  await tx
    .insertInto('person')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  // Not FOR UPDATE: what merely refers to a person (a form's key, an actor) must not wait, or two who admit each other's
  // addresses would deadlock.
  const { id: personId } = await tx
    .selectFrom('person')
    .select('id')
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return { personId, standing: await findStanding(tx, personId) };
}
