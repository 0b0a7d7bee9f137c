// Each connection of the registry finds the same settings, whatever the server, the database or the URL says.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase, urlOf } from '#test/database.ts';
import { connectionTo } from './connection.ts';
import { connect } from './migrate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
// As a server of one's own may have them.
const THEIRS = {
  jit: 'on',
  random_page_cost: '1.1',
  work_mem: '64kB',
  enable_indexscan: 'off',
  enable_nestloop: 'off',
  effective_cache_size: '1MB',
  plan_cache_mode: 'force_generic_plan',
  default_transaction_isolation: 'serializable',
  synchronous_commit: 'off',
  statement_timeout: '50ms',
  lock_timeout: '10ms',
  idle_session_timeout: '1min',
  timezone: 'Australia/Perth',
  datestyle: 'German, DMY',
  extra_float_digits: '-3',
  gin_fuzzy_search_limit: '1',
  transform_null_equals: 'on',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = 'database' in database.address ? database.address.database : '';
  for (const [setting, value] of Object.entries(THEIRS))
    await sql.raw(`alter database ${name} set ${setting} = '${value}'`).execute(database.db);
});
afterAll(() => database.drop());

const PLAIN = 'select name, setting from pg_settings where name = any($1)';
type Row = { name: string; setting: string };

async function settingsOf(config: pg.ClientConfig): Promise<Map<string, string>> {
  const client = new pg.Client(config);
  await client.connect();
  const { rows } = await client.query<Row>(PLAIN, [[...Object.keys(THEIRS), 'TimeZone', 'DateStyle', 'search_path']]);
  await client.end();
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

const OURS = {
  jit: 'off',
  random_page_cost: '4',
  work_mem: '4096',
  enable_indexscan: 'on',
  enable_nestloop: 'on',
  plan_cache_mode: 'auto',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
  extra_float_digits: '1',
  gin_fuzzy_search_limit: '0',
  transform_null_equals: 'off',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
};

test('a connection has our settings, however the database is set', async () => {
  const theirs = await settingsOf('connectionString' in database.address ? {} : database.address);
  expect(theirs.get('jit')).toBe('on');
  expect(Object.fromEntries(await settingsOf(connectionTo(database.address)))).toMatchObject(OURS);
});

test('so have the pool and the connection of commands, with the limits of each', async () => {
  const { db } = openDatabase(database.address, { max: 1, patience: { statementMs: 7000, silenceMs: 9000 } });
  const { rows } =
    await sql<Row>`select name, setting from pg_settings where name in ('jit', 'statement_timeout')`.execute(db);
  expect(rows).toEqual([
    { name: 'jit', setting: 'off' },
    { name: 'statement_timeout', setting: '7000' },
  ]);
  await db.destroy();
  const client = await connect(database.address, 'test');
  expect((await client.query<Row>(PLAIN, [['jit', 'work_mem']])).rows).toEqual([
    { name: 'jit', setting: 'off' },
    { name: 'work_mem', setting: '4096' },
  ]);
  await client.end();
});

test('options of the URL stay, and ours hold where both say a thing', async () => {
  const url = `${urlOf(database.address)}&options=${encodeURIComponent('-c search_path=mine,public -c jit=on')}`;
  const found = await settingsOf(connectionTo({ connectionString: url }));
  expect(found.get('search_path')).toBe('mine,public');
  expect(Object.fromEntries(found)).toMatchObject(OURS);
});

test('nothing connects in another way', async () => {
  const found: string[] = [];
  for (const folder of ['app', 'server', 'commands', 'database'])
    for (const entry of await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!/\.tsx?$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
      const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8');
      const made = text.matchAll(/new (?:pg\.)?(?:Client|Pool)\(\s*(?:\{\s*)?(?:\.\.\.)?(\w+)/g);
      for (const [, from] of made) if (from !== 'connectionTo') found.push(path.join(entry.parentPath, entry.name));
    }
  // It takes an address apart, and never connects.
  expect(found).toEqual([path.join(ROOT, 'app/platform/process/config.server.ts')]);
});
