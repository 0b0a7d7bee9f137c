// The database's own settings do not show in what we read: a managed one comes with others than the embedded one.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { openDatabase } from './database.server.ts';

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
