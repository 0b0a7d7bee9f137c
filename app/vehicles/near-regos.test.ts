import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { nearRegos, nearText } from './near-regos.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const regos = ['XV04KL', 'VX04KL', 'SB21ZI', '5821Z1', 'A0', 'ABCDEF', 'ABCDFE'];
  await database.db
    .insertInto('vehicle')
    .values([...regos.map((rego) => ({ rego })), { rego: 'GONE01', deletedAt: new Date('2026-03-01T00:00:00Z') }])
    .execute();
});
afterAll(() => database.drop());

test.each([
  ['XVO4KL', ['XV04KL']],
  ['XVO4K1', ['XV04KL']],
  ['XVO4KI', ['XV04KL']],
  ['XV0K4L', ['XV04KL']],
  ['X0V4KL', ['XV04KL']],
  // The rego itself is no suggestion; one with two neighbours swapped is.
  ['XV04KL', ['VX04KL']],
  // The fewest differences first.
  ['5B21ZI', ['SB21ZI', '5821Z1']],
  ['5821ZL', ['5821Z1', 'SB21ZI']],
  ['SB212I', ['SB21ZI', '5821Z1']],
  // One wrong character, where nothing looks alike.
  ['ABCDFF', ['ABCDEF', 'ABCDFE']],
  ['XV04KX', ['XV04KL']],
  ['9V04KL', ['XV04KL']],
  // Two wrong characters, or one of three, are no error of typing.
  ['XV04XX', []],
  ['A00', []],
  // Two swapped pairs are two errors.
  ['BADCEF', []],
  ['O', []],
  ['OA', []],
  ['0A', ['A0']],
  ['AO', ['A0']],
  // Removed.
  ['G0NE01', []],
  ['GOEN01', []],
])('near %s: %j', async (rego, near) => {
  expect(await nearText(database.db, rego)).toEqual(near);
});

test('many are asked at once, each has its own', async () => {
  expect(await nearRegos(database.db, ['XVO4KL', 'NOPE99', 'ABCDEF', 'XVO4KL'])).toEqual(
    new Map([
      ['XVO4KL', ['XV04KL']],
      ['ABCDEF', ['ABCDFE']],
    ]),
  );
  expect(await nearRegos(database.db, [])).toEqual(new Map());
});

test('what is searched is read as a rego is, and nothing longer than one is', async () => {
  expect(await nearText(database.db, ' xvo-4kl ')).toEqual(['XV04KL']);
  expect(await nearText(database.db, '??')).toEqual([]);
  expect(await nearText(database.db, 'XV04KLXV04KLXV04KLXVO')).toEqual([]);
});

test('of many vehicles only those near are read, by index, for one and for a hundred at once', async () => {
  const { db } = database;
  await sql`insert into vehicle (rego) select 'T' || upper(lpad(to_hex(n), 6, '0')) from generate_series(1, 20000) n`.execute(
    db,
  );
  await sql`analyze vehicle`.execute(db);
  for (const asked of [['TOO12AB'], ['T0X12AB'], Array.from({ length: 100 }, (_, n) => `TO0${1000 + n}`)])
    await db.transaction().execute(async (tx) => {
      const before = await readSoFar(tx);
      await nearRegos(tx, asked);
      const after = await readSoFar(tx);
      expect(after.scans).toBe(before.scans);
      // Of 20,000 vehicles.
      expect(after.rows - before.rows).toBeLessThan(asked.length * 20);
    });
  expect(await nearText(db, 'TOO12A8')).toEqual(['T0012A8', 'T0012AB']);
  expect(await nearText(db, 'T0X12AB')).toEqual(['T0012AB']);
});

// This connection's reads of vehicles: the number of sequential scans, and of rows in all.
async function readSoFar(tx: Tx): Promise<{ scans: number; rows: number }> {
  const { rows } = await sql<{ scans: number; rows: number }>`
    select seq_scan as scans, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows
    from pg_stat_xact_user_tables where relname = 'vehicle'`.execute(tx);
  return rows[0] ?? { scans: 0, rows: 0 };
}
