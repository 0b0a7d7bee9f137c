// Brings a database to the current schema. Runs each file of migrations/ once, in order, each in a transaction, and
// then the functions (apply-functions.ts). A lock lets several processes start at once. A landed migration never
// changes.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { connectionTo, type DatabaseAddress } from './connection.ts';
import { applyFunctions, type FunctionFile, readFunctions } from './apply-functions.ts';
import { MigrationError } from './migration-error.ts';
import { analyse } from './statistics.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');
const OLDEST_SERVER = 150_000;
/** The advisory lock for changing the schema. Every start waits for it. */
export const MIGRATION_LOCK = 7_246_531;
const INSUFFICIENT_PRIVILEGE = '42501';
const FEATURE_NOT_SUPPORTED = '0A000';
const UNDEFINED_FILE = '58P01';
const MAKE_IT_SO = "Make it so: create database registry template template0 encoding 'UTF8' locale 'C.UTF-8'";

/** One file of migrations/; the hash is of its text. */
export type Migration = { name: string; text: string; hash: string };

/**
 * Applies what is missing or changed. Returns the names of the files applied. Throws MigrationError with a plain
 * sentence. `functions`: other texts than this version's, for tests.
 */
export async function migrate(address: DatabaseAddress, functions?: readonly FunctionFile[]): Promise<string[]> {
  const client = await connect(address, 'migrate');
  try {
    const version = await client.query<{ server_version_num: string }>('show server_version_num');
    requireVersion(Number(version.rows[0]?.server_version_num));
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMissing(client, await readMigrations());
    const texts = functions ?? (await readFunctions());
    const replaced = await inTransaction(client, () => applyFunctions(client, texts));
    // A migration may have filled a table, or made an index on an expression.
    if (applied.length > 0) await analyse((statement) => client.query(statement), 'all');
    return [...applied, ...replaced];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection of its own, under `name`. Throws MigrationError with a sentence. */
export async function connect(address: DatabaseAddress, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionTo(address, name),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => {}); // a connection lost while waiting shows in the query that follows
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationError(
      `The database cannot be reached: ${error instanceof Error && error.message !== '' ? error.message : 'no answer'}. Check DATABASE_URL.`,
    );
  }
  return client;
}

/** Refuses a PostgreSQL older than 15. `version` is `server_version_num`. */
export function requireVersion(version: number): void {
  if (version < OLDEST_SERVER)
    throw new MigrationError(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}; the registry needs version 15 or newer.`,
    );
}

/**
 * Refuses a database, before anything is in it, that holds other than Unicode, or whose locale knows no small É or
 * takes I for the capital of another letter: names would not be found by other capitals.
 */
export async function requireUnicode(client: pg.Client): Promise<void> {
  const asked = async (value: string) =>
    (await client.query<{ value: string }>(`select ${value} as value`)).rows[0]?.value;
  const encoding = await asked("current_setting('server_encoding')");
  if (encoding !== 'UTF8')
    throw new MigrationError(`The database has the encoding ${encoding}; the registry needs UTF8. ${MAKE_IT_SO}`);
  const small = await asked("lower('IÉ')");
  if (small !== 'ié') throw new MigrationError(`The locale of the database writes IÉ small as ${small}. ${MAKE_IT_SO}`);
}

/** The names of all migrations of this version, in order. */
export async function migrationNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
}

export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(path.join(FOLDER, name), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await createRecord(client);
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migration');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  if (applied.size === 0) await requireUnicode(client);
  const unknown = [...applied.keys()].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new MigrationError(
      `The database was already migrated by a newer version of the registry (${unknown.join(', ')}). Start that version.`,
    );
  const done: string[] = [];
  for (const migration of migrations) {
    const hash = applied.get(migration.name);
    if (hash === migration.hash) continue;
    if (hash !== undefined)
      throw new MigrationError(
        `The migration ${migration.name} was changed after it had been applied. Restore the file.`,
      );
    await inTransaction(client, () => applyWithin(client, migration));
    done.push(migration.name);
  }
  return done;
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('begin');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Creates the table that records which migrations were applied. */
export async function createRecord(client: pg.Client): Promise<void> {
  await client
    .query(
      'create table if not exists schema_migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    .catch((error: unknown) => {
      throw explain(error, 'schema_migration');
    });
}

/** Applies a migration in the caller's transaction. Throws MigrationError; the caller must then roll back. */
export async function applyWithin(client: pg.Client, { name, text, hash }: Migration): Promise<void> {
  try {
    await client.query(text);
    await client.query('insert into schema_migration (name, hash) values ($1, $2)', [name, hash]);
  } catch (error) {
    throw explain(error, name);
  }
}

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (
    error.message.includes('pg_trgm') &&
    (error.code === INSUFFICIENT_PRIVILEGE || error.code === UNDEFINED_FILE || error.code === FEATURE_NOT_SUPPORTED)
  )
    return new MigrationError(
      `The database does not let this user create the extension pg_trgm. Let an administrator run: CREATE EXTENSION pg_trgm;`,
    );
  if (error.code === INSUFFICIENT_PRIVILEGE)
    return new MigrationError(`The database user may not create tables: ${error.message}.`);
  return new MigrationError(`The migration ${name} failed: ${error.message}.`);
}
