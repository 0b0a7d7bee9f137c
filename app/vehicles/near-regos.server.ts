// "Did you mean XV04KL?": what is offered when a rego is not in the registry, and never mixed into what is.
//
// Look-alikes share a folded form, which is indexed, and the swaps of two neighbours are looked up as they are. At a million
// vehicles one rego takes 0.2 ms (half of 4,000) and at most 8 ms (99 of 100).
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { normaliseSearch, REGO_MAX_LENGTH } from './vehicle.ts';

const MOST = 5;

/**
 * The live regos that look like each of `regos` (normalised), or have two neighbours the other way round: the nearest
 * first, a few. A rego without any is no key. By index (0024_near_regos.sql).
 */
export async function nearRegos(db: Db | Tx, regos: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ asked: string; near: string }>`
    select asked_rego as asked, near_rego as near from near_regos(${[...new Set(regos)]}, ${MOST})`.execute(
    db.withoutPlugins(),
  );
  const near = new Map<string, string[]>();
  for (const row of rows) near.set(row.asked, [...(near.get(row.asked) ?? []), row.near]);
  return near;
}

/** The same for a text that was searched and is found nowhere, read as a whole rego. */
export async function nearText(db: Db, text: string): Promise<string[]> {
  const rego = normaliseSearch(text);
  if (rego === '' || rego.length > REGO_MAX_LENGTH) return [];
  return (await nearRegos(db, [rego])).get(rego) ?? [];
}
