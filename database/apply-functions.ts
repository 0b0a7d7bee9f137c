// Replaces each SQL function whose text in functions/<name>.sql differs from the hash in schema_function, all in one
// transaction. Migrations run first, so a migration that needs a function, or its new text, contains the same text.
//
// A version that is older than the database does not start, as with migrations: it would replace the texts that newer
// nodes work with. functions/landed.sha256 lists every text that has ever landed; a text in the database that it lacks
// is newer.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { MigrationError } from './migration-error.ts';

const FOLDER = path.join(import.meta.dirname, 'functions');
/** Has a line of `sha256sum FILE` for every text that has ever been on the main branch. */
export const LANDED = 'landed.sha256';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * One file of functions/, which has every overload of that function. `landed`: the hashes of all texts that have
 * landed.
 */
export type FunctionFile = { file: string; text: string; hash: string; landed: readonly string[] };

export async function readFunctions(): Promise<FunctionFile[]> {
  const landed = (await readFile(path.join(FOLDER, LANDED), 'utf8')).split('\n').map((line) => line.split('  '));
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(FOLDER, file), 'utf8');
      const hashes = landed.filter(([, name]) => name === file).map(([hash = '']) => hash);
      return { file, text, hash: createHash('sha256').update(text).digest('hex'), landed: hashes };
    }),
  );
}

/**
 * Applies the changed texts in the caller's transaction, and returns the names of their files. Throws MigrationError;
 * the caller must then roll back.
 */
export async function applyFunctions(client: pg.Client, functions: readonly FunctionFile[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_function');
  const noted = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = functions.filter(({ file, hash }) => noted.get(file) !== hash);
  const newer = changed.filter((one) => isNewer(noted.get(one.file), one)).map(({ file }) => file);
  if (newer.length > 0)
    throw new MigrationError(
      `The database has the SQL functions of a newer version of the registry (${newer.join(', ')}). Start that version.`,
    );
  if (changed.length === 0) return [];
  const before = await readRelied(client);
  // First all of them unchecked, as they call each other in any order. Then once more, checked.
  for (const isChecked of [false, true]) {
    await client.query(`set local check_function_bodies = ${isChecked ? 'on' : 'off'}`);
    for (const one of changed) await replace(client, one);
  }
  await refuseOtherResults(client, before);
  for (const { file, hash } of changed)
    await client.query(
      `insert into schema_function (name, hash) values ($1, $2)
        on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
      [file, hash],
    );
  return changed.map(({ file }) => file);
}

// A text that has not landed is still being worked on, and may replace any other.
const isNewer = (noted: string | undefined, { hash, landed }: FunctionFile) =>
  noted !== undefined && landed.includes(hash) && !landed.includes(noted);

async function replace(client: pg.Client, { file, text }: FunctionFile): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.code === INSUFFICIENT_PRIVILEGE)
      throw new MigrationError(
        `The database user may not replace a function of database/functions/${file}: ${error.message}. Use the user that owns the tables.`,
      );
    throw new MigrationError(`The SQL function in database/functions/${file} cannot be made: ${error.message}.`);
  }
}

// Functions whose results are stored: in an index, a check or a generated column, as the catalogue says, or in a table
// of counts, which the catalogue does not know. The stored results do not change with the function.
const RELIED = `select p.oid::regprocedure::text as signature, pg_get_functiondef(p.oid) as definition,
    coalesce(string_agg(distinct pg_describe_object(d.classid, d.objid, 0), ', '), 'table vehicle_gram_count') as "by"
  from pg_proc p
  left join pg_depend d on d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
    and d.classid in ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass)
  where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
    and (d.objid is not null or p.proname = 'vehicle_grams')
  group by p.oid`;
type Relied = { signature: string; definition: string; by: string };

const readRelied = async (client: pg.Client) => (await client.query<Relied>(RELIED)).rows;

// Such a function is changed by a migration that contains the new text and rebuilds the stored results. Then it does
// not differ here any more.
async function refuseOtherResults(client: pg.Client, before: readonly Relied[]): Promise<void> {
  const after = new Map((await readRelied(client)).map(({ signature, definition }) => [signature, definition]));
  const changed = before.find(({ signature, definition }) => after.get(signature) !== definition);
  if (changed !== undefined)
    throw new MigrationError(
      `The SQL function ${changed.signature} was changed, but ${changed.by} holds its old results. Change it by a migration that makes them again.`,
    );
}
