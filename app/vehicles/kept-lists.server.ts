// Lists that a person keeps under a name: searches and filters of the list of vehicles, by their address.
import type { Db } from '#app/platform/database/database.server.ts';
import { listHref, parseListQuery } from './list-query.ts';

export type KeptList = { id: string; name: string; href: string };

/** More would not be found again. */
export const KEPT_MAX = 30;

/** A person's, by name. */
export async function listKept(db: Db, personId: string): Promise<KeptList[]> {
  const rows = await db
    .selectFrom('keptList')
    .select(['id', 'name', 'query'])
    .where('personId', '=', personId)
    .orderBy('name')
    .execute();
  return rows.map(({ id, name, query }) => ({ id, name, href: keptHref(query) }));
}

/** The list's address without its page; what it says wrongly is left out. */
export const keptHref = (query: string): string => listHref({ ...parseListQuery(new URLSearchParams(query)), page: 1 });

/** The same name again keeps the newer list. */
export async function keepList(
  db: Db,
  personId: string,
  { name, query }: { name: string; query: string },
): Promise<'kept' | 'too-many'> {
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto('keptList')
      .values({ personId, name, query })
      .onConflict((conflict) => conflict.columns(['personId', 'name']).doUpdateSet({ query }))
      .execute();
    const { n } = await tx
      .selectFrom('keptList')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('personId', '=', personId)
      .executeTakeFirstOrThrow();
    if (Number(n) <= KEPT_MAX) return 'kept';
    await tx.deleteFrom('keptList').where('personId', '=', personId).where('name', '=', name).execute();
    return 'too-many';
  });
}

/** Idempotent. Nobody forgets another's. */
export async function forgetList(db: Db, personId: string, id: string): Promise<void> {
  await db.deleteFrom('keptList').where('personId', '=', personId).where('id', '=', id).execute();
}
