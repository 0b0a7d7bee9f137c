// What we read does not depend on the database's own settings: those of a managed database differ from the embedded
// one's.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { openDatabase } from './database.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('days, instants and bytes are read the same whatever the settings of the database are', async () => {
  for (const setting of ["datestyle = 'German, DMY'", "timezone = 'Australia/Perth'", 'bytea_output = escape'])
    await sql
      .raw(
        `do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`,
      )
      .execute(database.db);
  const { db } = openDatabase(database.address);
  const { rows } = await sql`select date '2026-11-02' as day, timestamptz '2026-11-02 01:02:03.456Z' as instant,
    timestamptz '2026-11-02 01:02:03.456Z'::text as words, '\\x00ff'::bytea as bytes`.execute(db);
  expect(rows).toEqual([
    {
      day: '2026-11-02',
      instant: new Date('2026-11-02T01:02:03.456Z'),
      words: '2026-11-02 01:02:03.456+00',
      bytes: Buffer.from([0, 255]),
    },
  ]);
  await db.destroy();
});

test('a statement that is prepared is answered when its table has got a column since, and in a transaction the next time', async () => {
  const { db } = openDatabase(database.address, { max: 1 });
  await sql`create table widening as select 1 as a`.execute(database.db);
  const all = (from: typeof db) => sql`select * from widening`.execute(from).then(({ rows }) => rows);
  for (let times = 0; times < 6; times += 1) expect(await all(db)).toEqual([{ a: 1 }]);
  const names = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db);
  expect(names.rows.length).toBeGreaterThan(0);
  await sql`alter table widening add column b int default 2`.execute(database.db);
  expect(await all(db)).toEqual([{ a: 1, b: 2 }]);
  await sql`alter table widening add column c int default 3`.execute(database.db);
  const inTransaction = () => db.transaction().execute((tx) => sql`select * from widening`.execute(tx));
  const first = await inTransaction().catch((error: unknown) => error);
  expect(isUnavailable(first)).toBe(true);
  expect((await inTransaction()).rows).toEqual([{ a: 1, b: 2, c: 3 }]);
  await db.destroy();
});
