// Actors: a person together with the name and address that the person had at the time of an action.
import type { Tx } from '#app/platform/database/database.server.ts';

/** The name of a person at the time, with the address or the person's id; old records have only the name. */
export type ActorNaming = { name: string; email?: string; personId?: string };

/**
 * Finds or adds the actor for this naming. With an address or a person's id, the actor belongs to that person. With
 * only a name, it belongs to a person of that name who has no address.
 */
export async function findOrAddActor(tx: Tx, naming: ActorNaming): Promise<number> {
  const email = naming.email ?? '';
  const personId =
    naming.personId ?? (email === '' ? await personByNameOnly(tx, naming.name) : await personByEmail(tx, email));
  const found = await tx
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', personId)
    .where('name', '=', naming.name)
    .where('email', '=', email)
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const added = await tx
    .insertInto('actor')
    .values({ personId, name: naming.name, email })
    .onConflict((conflict) => conflict.columns(['personId', 'name', 'email']).doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

/** A person who is in the database, with the name and address at the time. */
export type KnownNaming = { name: string; email: string; personId: string };

async function personByEmail(tx: Tx, email: string): Promise<string> {
  const person = await tx
    .insertInto('person')
    .values({ email })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return person.id;
}

async function personByNameOnly(tx: Tx, name: string): Promise<string> {
  const known = await tx
    .selectFrom('actor')
    .innerJoin('person', 'person.id', 'actor.personId')
    .select('person.id')
    .where('actor.name', '=', name)
    .where('actor.email', '=', '')
    .where('actor.erasedAt', 'is', null)
    .where('person.email', 'is', null)
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const person = await tx.insertInto('person').values({ email: null }).returning('id').executeTakeFirstOrThrow();
  return person.id;
}
