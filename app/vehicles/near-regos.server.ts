// "Did you mean XV04KL?": suggestions when a rego is not in the registry. They are never mixed with matches.
//
// Regos that look alike share one indexed form, in which O and 0, for example, are the same. Each swap of two
// neighbouring characters is looked up by itself, and so is each wrong character. Measured at a million vehicles,
// beside other work on the machine: median 0.9 ms, for many at once 0.8 ms each.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { findFormers } from './plates.server.ts';
import { stateIn } from './state-in.ts';
import { normaliseSearch, parseRego, REGO_MAX_LENGTH } from './vehicle.ts';

const MOST = 5;

/**
 * For each of `regos` (normalised) the live regos that look like it or have two neighbouring characters swapped, or
 * else one wrong character: at most `MOST`, the nearest first. A rego without suggestions has no key. Uses the indexes
 * of 0024_near_regos.sql.
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

/** What stands behind the suggestions: whether a state was left out. */
export function askOf(text: string): string {
  const state = stateIn(text);
  return state === undefined ? '?' : `, without ${state}?`;
}

/** The same for a search text without matches, read as a whole rego. Of one with a state: what it is without it. */
export async function nearText(db: Db, text: string): Promise<string[]> {
  const parsed = parseRego(text);
  const { rego } = (parsed.ok ? parsed.without : undefined) ?? { rego: normaliseSearch(text) };
  if (rego === '' || rego.length > REGO_MAX_LENGTH) return [];
  const former = (await findFormers(db, [rego])).get(rego);
  if (former !== undefined && !former.isRemoved) return [former.now];
  if (parsed.ok && parsed.without !== undefined && (await isLive(db, rego))) return [rego];
  return (await nearRegos(db, [rego])).get(rego) ?? [];
}

async function isLive(db: Db, rego: string): Promise<boolean> {
  const found = db.selectFrom('vehicle').select('id').where('rego', '=', rego).where('deletedAt', 'is', null);
  return (await found.executeTakeFirst()) !== undefined;
}
