// Tables that were filled have statistics at once: autovacuum, which is off in the tests' server, is not waited for.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findServerCosts, makeStatistics } from '#app/platform/database/server-speed.server.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#test/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await sql`create table filled as select n, n % 7 as seven from generate_series(1, 5000) as n`.execute(database.db);
});
afterEach(() => database.drop());

const analysed = async ({ db }: TestDatabase) =>
  (
    await sql<{ tablename: string }>`select distinct tablename from pg_stats where schemaname = 'public'`.execute(db)
  ).rows.map(({ tablename }) => tablename);

test('a table without statistics gets them, and one that has grown fourfold gets new ones', async () => {
  await makeStatistics(database.db, 'outgrown');
  expect(await analysed(database)).toContain('filled');
  expect(await makeStatistics(database.db, 'outgrown')).toBe(0);
  await sql`insert into filled select n, 1 from generate_series(1, 30000) as n`.execute(database.db);
  expect(await makeStatistics(database.db, 'outgrown')).toBe(1);
});

test('a table of more pages than PostgreSQL can count bytes of in an integer', async () => {
  await makeStatistics(database.db, 'outgrown');
  // Sixteen terabytes, as the statistics of a table that grew would say; one of half a gigabyte kept the server from
  // starting.
  await sql`update pg_class set relpages = 2147483647 where relname = 'filled'`.execute(database.db);
  expect(await makeStatistics(database.db, 'outgrown')).toBe(0);
});

test('a migration ends with them', async () => {
  const empty = await createEmptyDatabase();
  await sql`create table filled as select n from generate_series(1, 5000) as n`.execute(empty.db);
  await migrate(empty.address);
  expect(await analysed(empty)).toContain('filled');
  await empty.drop();
});

test('what a configuration costs is said', async () => {
  expect(await findServerCosts(database.db)).toEqual([
    'autovacuum is off (pages become slower from day to day)',
    'fsync is off (a power cut destroys the database)',
  ]);
});
