// The planner's statistics. Without them PostgreSQL reads whole tables where an index would do: on a server of one's
// own a vehicle's page took 4 s, from an import until autovacuum came by.

/** Tables of the registry's schema that belong to no extension, of `pg_class c`. */
export const OUR_TABLES = `c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not exists (select from pg_depend e where e.objid = c.oid and e.classid = 'pg_class'::regclass and e.deptype = 'e')`;

const PAGE_BYTES = 8192;
const GROWN = 4;
const OUTGROWN = `pg_relation_size(c.oid) > 0
  and (pg_relation_size(c.oid) > ${GROWN * PAGE_BYTES}::bigint * greatest(c.relpages, 1)
    or not exists (select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname))`;

type Listed = { rows: { tables: string | null; count: number }[] };

/**
 * Makes the statistics of all tables, or of those that have none or have grown fourfold since. Returns how many.
 * `query` runs a statement outside a transaction.
 */
export async function analyse(
  query: (statement: string) => Promise<Listed>,
  which: 'all' | 'outgrown',
): Promise<number> {
  const { rows } = await query(
    `select string_agg(format('%I', c.relname), ', ') as tables, count(*)::int as count
    from pg_class c where ${OUR_TABLES} ${which === 'all' ? '' : `and ${OUTGROWN}`}`,
  );
  const [{ tables = null, count = 0 } = {}] = rows;
  if (tables !== null) await query(`analyze ${tables}`);
  return count;
}
