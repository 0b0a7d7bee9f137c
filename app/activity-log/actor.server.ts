// Who acts, and under which name at that time.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';

/** A person as named at the time: by address, by known person, or by name only (old records). */
export type ActorNaming = { name: string; email?: string; personId?: string };

/**
 * The actor row for this naming, added when it is new. With an address, or a person's id, the actor belongs to that
 * person; named by nothing but a name it belongs to a person of that name who has no address.
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

/** A known person as named at the time. */
export type KnownNaming = { name: string; email: string; personId: string };

/** Those of `namings` that are actors already, as an SQL value: a JSON array of them, each with its `id`. */
export const knownActors = (namings: readonly KnownNaming[]): RawBuilder<(KnownNaming & { id: number })[]> => sql`(
  select coalesce(json_agg(known), '[]') from (
    select id, person_id as "personId", name, email from actor where (person_id, name, email) in (
      select naming."personId", naming.name, naming.email
      from jsonb_to_recordset(${JSON.stringify(namings)}::jsonb) as naming ("personId" uuid, name text, email text))) known)`;

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
