import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { functionsOf } from '#test/database-functions.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type FunctionFile, LANDED, readFunctions } from './apply-functions.ts';
import { migrate } from './migrate.ts';

const MAIL = 'tell_mail_waits.sql';
let functions: FunctionFile[];
const made: TestDatabase[] = [];
let database: TestDatabase;
beforeAll(async () => {
  functions = await readFunctions();
});
beforeEach(async () => {
  database = await createTestDatabase();
  made.push(database);
});
afterAll(() => Promise.all(made.map((each) => each.drop())));

/** The functions of this version with changed texts. `hasLanded`: whether landed.sha256 lists the new texts. */
function versionWith(changes: Record<string, (text: string) => string>, hasLanded = true): FunctionFile[] {
  return functions.map((one) => {
    const text = (changes[one.file] ?? String)(one.text);
    const hash = createHash('sha256').update(text).digest('hex');
    return { ...one, text, hash, landed: hasLanded ? [...one.landed, hash] : one.landed };
  });
}
const quiet = (text: string) => text.replace(`perform pg_notify('mail_waiting', '');`, '');
const state = async () => [await functionsOf(database.pool), (await database.pool.query('table schema_function')).rows];

test('a changed text is applied once, by one of several starts; the version before it does not start any more', async () => {
  expect(await migrate(database.address)).toEqual([]);
  const changed = versionWith({ [MAIL]: quiet });
  const starts = await Promise.all([1, 2, 3].map(() => migrate(database.address, changed)));
  expect(starts.flat()).toEqual([MAIL]);
  expect(await migrate(database.address, changed)).toEqual([]);
  const now = await state();
  expect((await functionsOf(database.pool))['tell_mail_waits()']).not.toContain('pg_notify');
  await expect(migrate(database.address)).rejects.toThrow(
    `The database has the SQL functions of a newer version of the registry (${MAIL}). Start that version.`,
  );
  expect(await state()).toEqual(now);
});

test('a text that has not landed takes the place of any, so that it can be worked on', async () => {
  const first = versionWith({ [MAIL]: quiet }, false);
  const second = versionWith({ [MAIL]: (text) => `-- second\n${text}` }, false);
  for (const version of [first, second, first]) expect(await migrate(database.address, version)).toEqual([MAIL]);
});

test('functions that call each other change in one start, whatever their names', async () => {
  const changed = versionWith({
    'count_vehicle_hits.sql': (text) =>
      `create or replace function a_first() returns bigint language sql as 'select a_second()';\n${text}`,
    [MAIL]: (text) =>
      `create or replace function a_second() returns bigint language sql as 'select 2::bigint';\n${text}`,
  });
  await migrate(database.address, changed);
  expect((await database.pool.query('select a_first() as n')).rows).toEqual([{ n: 2 }]);
});

test.each([
  ['outside of its body', (text: string) => `${text}nonsense;`, 'syntax error at or near "nonsense"'],
  ['within it', (text: string) => text.replace('perform', 'nonsense'), 'syntax error at or near "nonsense"'],
  [
    'about a table',
    (text: string) =>
      `${text}create or replace function of_mails() returns bigint language sql as 'select 1 from mails';`,
    'relation "mails" does not exist',
  ],
])('a text that is wrong %s stops the start with the name of its file, and changes nothing', async (_, spoil, why) => {
  const before = await state();
  const broken = versionWith({ 'append_activity.sql': (text) => `${text}-- longer\n`, [MAIL]: spoil });
  await expect(migrate(database.address, broken)).rejects.toThrow(
    `The SQL function in database/functions/${MAIL} cannot be made: ${why}.`,
  );
  expect(await state()).toEqual(before);
});

test('a function whose results are stored changes by a migration only; its comments change as those of any', async () => {
  const before = await state();
  const index = versionWith({ 'activity_rego.sql': (text) => text.replace('9', '10') });
  const counts = versionWith({ 'vehicle_grams.sql': (text) => text.replace('(1, 3)', '(1, 4)') });
  await expect(migrate(database.address, index)).rejects.toThrow(
    'The SQL function activity_rego(text[]) was changed, but index activity_log_rego holds its old results. Change it by a migration that makes them again.',
  );
  await expect(migrate(database.address, counts)).rejects.toThrow(
    /vehicle_grams\(text,text\) .* table vehicle_gram_count/,
  );
  expect(await state()).toEqual(before);
  const commented = versionWith({ 'activity_address.sql': (text) => `-- As before.\n${text}` });
  expect(await migrate(database.address, commented)).toEqual(['activity_address.sql']);
});

test('a migration may change it: one that brings the text of the file, and rebuilds the index', async () => {
  const index = versionWith({ 'activity_rego.sql': (text) => text.replace('9', '10') });
  await database.pool.query(index.find(({ file }) => file === 'activity_rego.sql')?.text ?? '');
  await database.pool.query('reindex index activity_log_rego');
  expect(await migrate(database.address, index)).toEqual(['activity_rego.sql']);
});

test('a user that does not own the functions is told so where one changed, and starts where none did', async () => {
  const role = `not_owner_${process.pid}`;
  const { pool } = database;
  await pool.query(`create role ${role} login superuser password 'x'`);
  await pool.query(`alter role ${role} nosuperuser`);
  await pool.query(`grant all on all tables in schema public to ${role}; grant create on schema public to ${role}`);
  const address = { ...inject('cluster'), ...database.address, user: role, password: 'x' };
  try {
    expect(await migrate(address)).toEqual([]);
    await expect(migrate(address, versionWith({ [MAIL]: quiet }))).rejects.toThrow(
      `The database user may not replace a function of database/functions/${MAIL}: must be owner of function tell_mail_waits. Use the user that owns the tables.`,
    );
  } finally {
    await pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test('each function of the database has its file, which holds every form of it and nothing else', async () => {
  const client = await database.pool.connect();
  const all: string[] = [];
  for (const { file, text } of functions) {
    await client.query('begin');
    await client.query(text);
    const { rows } = await client.query<{ name: string; signature: string }>(
      'select proname as name, oid::regprocedure::text as signature from pg_proc where xmin::text = pg_current_xact_id()::text',
    );
    expect([...new Set(rows.map(({ name }) => `${name}.sql`))]).toEqual([file]);
    all.push(...rows.map(({ signature }) => signature));
    const statements = text.replaceAll(/^ *--.*$|\$\$[^]*?\$\$/gm, '').split(';');
    expect(statements.filter((one) => !/^\s*(create or replace function [^]*)?$/.test(one))).toEqual([]);
    await client.query('rollback');
  }
  client.release();
  expect(all.toSorted()).toEqual(Object.keys(await functionsOf(database.pool)).toSorted());
});

test(`every text is in ${LANDED}; after a change: cd database/functions && sha256sum FILE >> ${LANDED}`, () => {
  expect(functions.filter(({ hash, landed }) => !landed.includes(hash)).map(({ file }) => file)).toEqual([]);
});
