// Reads the definitions of a database's SQL functions.
import type pg from 'pg';

// Without the functions of extensions.
const DEFINITIONS = `select p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend e where e.objid = p.oid and e.classid = 'pg_proc'::regclass and e.deptype = 'e')
  order by 1`;

/** Signature → definition. */
export async function functionsOf(on: pg.Pool | pg.Client): Promise<Record<string, string>> {
  const { rows } = await on.query<{ signature: string; definition: string }>(DEFINITIONS);
  return Object.fromEntries(rows.map(({ signature, definition }) => [signature, definition]));
}
