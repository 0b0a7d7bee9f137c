// What the database's own catalogue says of the registry's tables, so that a table that is added is backed up with it.
import type pg from 'pg';
import { OUR_TABLES } from '#database/statistics.ts';

/** A table: what is read of it, and in which order, so that the same rows give the same text anywhere. */
export type RegistryTable = { name: string; columns: string[]; orderBy: string };
export type RegistrySequence = { table: string; column: string; name: string };

/**
 * Not in a backup, because a restore would revive what had ended: sessions and half-done sign-ins, one-time links (a
 * used one would work again), counters of tries. Nor how far the daily check of all histories came, what it found, and
 * when each job ran: a restored registry begins them again at once.
 */
const LEFT_OUT = [
  'session',
  'verification',
  'reset_token',
  'setup_link',
  'rate_limit',
  'history_sweep',
  'history_check',
  'job',
];
const RECORD_OF_MIGRATIONS = 'schema_migration';
// A restored registry has the functions of the version that restores it.
const RECORD_OF_FUNCTIONS = 'schema_function';

/** Whether the schema has any table at all: one that has none may be restored into. */
export async function hasTables(client: pg.Client): Promise<boolean> {
  return (await client.query(`select from pg_class c where ${OUR_TABLES} limit 1`)).rows.length > 0;
}

/** The tables of a backup, each after those that it refers to. */
export async function listTables(client: pg.Client): Promise<RegistryTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; order_by: string; refers_to: string[] }>(
    `select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      (select string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by place)
        from pg_attribute a
        join unnest(coalesce((select i.indkey::int2[] from pg_index i where i.indrelid = c.oid and i.indisprimary),
          array(select a.attnum from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)))
          with ordinality as k (attnum, place) on k.attnum = a.attnum
        where a.attrelid = c.oid) as order_by,
      array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> f.conrelid) as refers_to
    from pg_class c where ${OUR_TABLES} and c.relname <> all ($1) order by c.relname collate "C"`,
    [[...LEFT_OUT, RECORD_OF_MIGRATIONS, RECORD_OF_FUNCTIONS]],
  );
  const sorted: RegistryTable[] = [];
  const placed = new Set<string>();
  let waiting = rows;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ refers_to: others }) => others.every((other) => placed.has(other)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    for (const { name, columns, order_by: orderBy } of ready) sorted.push({ name, columns, orderBy });
    for (const { name } of ready) placed.add(name);
    waiting = waiting.filter(({ name }) => !placed.has(name));
  }
  return sorted;
}

export async function listSequences(client: pg.Client): Promise<RegistrySequence[]> {
  const { rows } = await client.query<RegistrySequence>(
    `select c.relname as table, a.attname as column, s.relname as name
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and ${OUR_TABLES} order by s.relname collate "C"`,
  );
  return rows;
}

/** The migrations that a database has had, in order; undefined where there is no registry. */
export async function readApplied(client: pg.Client): Promise<{ name: string; hash: string }[] | undefined> {
  const found = await client.query('select to_regclass($1) as record', [RECORD_OF_MIGRATIONS]);
  if (found.rows[0]?.record === null) return undefined;
  const statement = `select name, hash from ${RECORD_OF_MIGRATIONS} order by name collate "C"`;
  return (await client.query<{ name: string; hash: string }>(statement)).rows;
}
