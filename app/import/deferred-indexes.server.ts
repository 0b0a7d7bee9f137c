// A large import into an empty registry drops the indexes that it does not read by, and makes them at the end, one sort each.
// Until then nothing is vacuumed either. What is dropped is noted in the same transaction, so that the next import or a server
// completes what a killed import left.
// Buys: 100,000 vehicles take PostgreSQL 69 s of processor instead of 82, a million more (docs/decisions/0014). Deletable when
// nobody imports a national registry any more.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { aloneInImporting } from './import-lock.server.ts';

export const GROWING = [
  'vehicle',
  'calibration',
  'validation',
  'record_leaf',
  'log_leaf',
  'leaf_opening',
  'log_chain',
  'import_record',
  'activity_log',
  'activity_detail',
] as const;
const READ_BY = ['vehicle_by_rego', 'calibration_vehicle', 'validation_vehicle'];
const WITHIN = '2s';
// Whoever serves the registry meanwhile may be reading by one of them; and the tables may be somebody else's.
const CANNOT = new Set(['55P03', '40P01', '42501']);

/** Drops the indexes that a large import does not read by, if there is no vehicle yet and no lock is in the way. */
export async function deferIndexes(db: Db): Promise<void> {
  try {
    await db.transaction().execute(deferWithin);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT.has(String(error.code)))) throw error;
  }
}

async function deferWithin(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', ${WITHIN}, true)`.execute(tx);
  await sql`lock table vehicle in share row exclusive mode`.execute(tx);
  const vehicle = await tx.selectFrom('vehicle').select('id').limit(1).executeTakeFirst();
  if (vehicle !== undefined) return;
  const { rows } = await sql<{ name: string }>`
    insert into deferred_index (name, definition)
      select i.relname, pg_get_indexdef(i.oid) from pg_index x join pg_class i on i.oid = x.indexrelid
      where not x.indisunique and x.indrelid = any(${[...GROWING]}::regclass[]) and i.relname <> all(${READ_BY})
      returning name`.execute(tx);
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(tx);
  for (const table of GROWING) await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(tx);
}

/** Makes all that were dropped. `progress` gets, after each, the share of them that is made. */
export async function makeDeferredIndexes(db: Db, progress: (share: number) => void = () => {}): Promise<void> {
  const left = await db.selectFrom('deferredIndex').select('name').orderBy('name').execute();
  for (const [at, { name }] of left.entries()) {
    await db.transaction().execute((tx) => make(tx, name));
    progress((at + 1) / left.length);
  }
}

async function make(tx: Tx, name: string): Promise<void> {
  const [index] = await tx.deleteFrom('deferredIndex').where('name', '=', name).returning('definition').execute();
  if (index === undefined) return;
  await sql`select set_config('maintenance_work_mem', '256MB', true)`.execute(tx);
  await sql.raw(index.definition).execute(tx);
  if ((await nextDeferred(tx)) !== undefined) return;
  for (const table of GROWING) await sql`alter table ${sql.table(table)} reset (autovacuum_enabled)`.execute(tx);
}

const nextDeferred = (db: Db) => db.selectFrom('deferredIndex').select('name').limit(1).executeTakeFirst();

/** What a killed import left, unless one is at work that will make them itself. */
export async function completeIndexes(db: Db): Promise<void> {
  if ((await nextDeferred(db)) !== undefined) await aloneInImporting(db, () => makeDeferredIndexes(db));
}
