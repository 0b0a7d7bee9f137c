import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { enterLeaves } from '#test/leaves.ts';
import { wrongBlocks } from '#test/search-blocks.ts';
import { findVehicle, VEHICLES_PER_PAGE } from './queries.server.ts';
import { searchVehicles } from './search-vehicles.server.ts';

let database: TestDatabase;
const countVehicles = async (db: Db, gram: string) =>
  (await sql<{ total: number }>`select total from search_vehicles(${gram}, 1, 1)`.execute(db)).rows[0]?.total ??
  Number.NaN;
type Row = { rego: string; vin: string };
let rows: Row[];

const ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
let seed = 7;
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
const text = (length: number, letters = ALPHABET) =>
  Array.from({ length }, () => letters[random(letters.length)]).join('');

beforeAll(async () => {
  database = await createTestDatabase();
  const regos = new Set<string>();
  while (regos.size < 1200) regos.add(text(6, 'ABCXV0123'));
  for (const short of ['X', 'V', '0', 'XV', 'X0', 'XVX']) regos.add(short);
  rows = [...regos].map((rego, index) => ({ rego, vin: index % 17 === 0 ? '' : `6T9${text(14)}` }));
  for (let start = 0; start < rows.length; start += 300)
    await database.db
      .insertInto('vehicle')
      .values(rows.slice(start, start + 300))
      .execute();
  await enterLeaves(database.db);
});
afterAll(() => database.drop());

const bruteForce = (needle: string) =>
  rows
    .filter(({ rego, vin }) => rego.includes(needle) || vin.includes(needle))
    .map(({ rego }) => rego)
    .toSorted((a, b) => (a < b ? -1 : 1));

async function searchAll(needle: string): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await searchVehicles(database.db, needle, page);
    found.push(...answer.items.map(({ rego }) => rego));
    expect(answer.total).toBe(bruteForce(needle).length);
    expect(answer.pages).toBe(Math.max(1, Math.ceil(answer.total / VEHICLES_PER_PAGE)));
    if (page >= answer.pages) return found;
  }
}

const NEEDLES = ['', 'X', 'V0', 'XV0', '6T9', 'T9', 'XV01', 'A', 'Z', 'QQQQ', '9876543', 'I', 'KX'];
test.each(NEEDLES)(
  'every page of a search for %j holds what brute force finds, in order, with the exact total',
  async (needle) => {
    expect(await searchAll(needle)).toEqual(bruteForce(needle));
  },
);

test('so it does when a part is folded and counted by block, and when all is', async () => {
  const { db } = database;
  await sql`select fold_vehicle_grams(100)`.execute(db);
  const { rows: common } = await sql<{ gram: string }>`select gram from vehicle_gram_common`.execute(db);
  expect(common).toContainEqual({ gram: '6T9' });
  await db
    .insertInto('vehicle')
    .values([{ rego: 'VVVVVV', vin: '6T9' }, { rego: '000' }])
    .execute();
  rows.push({ rego: 'VVVVVV', vin: '6T9' }, { rego: '000', vin: '' });
  for (const needle of NEEDLES) expect(await searchAll(needle)).toEqual(bruteForce(needle));
  expect(await wrongBlocks(db)).toEqual([]);
  await sql`select fold_vehicle_grams(100)`.execute(db);
  for (const needle of NEEDLES) expect(await searchAll(needle)).toEqual(bruteForce(needle));
  expect(await wrongBlocks(db)).toEqual([]);
});

test('a longer text that many hold is found in the order of regos, from both ends', async () => {
  const common = bruteForce('6T9A');
  expect(common.length).toBeGreaterThan(25);
  for (const few of [5, 2000])
    for (let page = 1; page <= Math.ceil(common.length / 10); page += 1) {
      const { rows: found } = await sql<{ total: number; rego: string }>`select total, rego
        from search_vehicles('6T9A', ${page}, 10, ${few})`.execute(database.db);
      expect(found).toEqual(common.slice((page - 1) * 10, page * 10).map((rego) => ({ total: common.length, rego })));
    }
});

test('a writer waits for no other that has counted the same text', async () => {
  const { db } = database;
  const held = await db.startTransaction().execute();
  await held.insertInto('vehicle').values({ rego: 'WAIT1', vin: 'WAITWAIT' }).execute();
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1ms'`.execute(tx);
    await tx.insertInto('vehicle').values({ rego: 'WAIT2', vin: 'WAITWAIT' }).execute();
    await sql`select fold_vehicle_grams()`.execute(tx);
    expect(await countVehicles(tx, 'AIT')).toBe(1);
    await tx.deleteFrom('vehicle').where('rego', '=', 'WAIT2').execute();
  });
  await held.rollback().execute();
  expect(await countVehicles(db, 'AIT')).toBe(0);
});

test('no search crosses from the rego into the VIN', async () => {
  const [row] = rows.filter(({ vin }) => vin !== '');
  if (row === undefined) throw new Error('a vehicle has a VIN');
  const across = row.rego.slice(-2) + row.vin.slice(0, 3);
  expect(await searchAll(across)).toEqual(bruteForce(across));
});

test('totals stay exact while writers insert, change, remove and restore at once, and while deltas are folded', async () => {
  const { db } = database;
  const before = await countVehicles(db, 'ZZQ');
  const writer = async (index: number) => {
    for (let round = 0; round < 10; round += 1) {
      const rego = `ZZQ${index}${round}`;
      await db.insertInto('vehicle').values({ rego, vin: 'ZZQZZQ' }).execute();
      if (round % 3 === 0)
        await db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', rego).execute();
      if (round % 6 === 0) await db.updateTable('vehicle').set({ deletedAt: null }).where('rego', '=', rego).execute();
      if (round % 5 === 0) await db.updateTable('vehicle').set({ vin: 'AAB' }).where('rego', '=', rego).execute();
      await db
        .transaction()
        .execute(async (tx) => {
          await tx
            .insertInto('vehicle')
            .values({ rego: `ZZQGONE${index}${round}` })
            .execute();
          throw new Error('rolled back');
        })
        .catch(() => undefined);
    }
  };
  const folder = async () => {
    for (let round = 0; round < 20; round += 1) await sql`select fold_vehicle_grams(50)`.execute(db);
  };
  await Promise.all([...Array.from({ length: 16 }, (_, index) => writer(index)), folder(), folder()]);
  for (const gram of ['', 'Z', 'ZZ', 'ZZQ', 'QZZ', 'AAB', 'Q1']) {
    const { rows: exact } = await sql<{
      n: number;
    }>`select count(*) as n from vehicle where deleted_at is null and (rego like ${`%${gram}%`} or vin like ${`%${gram}%`})`.execute(
      db,
    );
    expect([gram, await countVehicles(db, gram)]).toEqual([gram, exact[0]?.n]);
  }
  expect(await countVehicles(db, 'ZZQ')).toBe(before + 16 * 8);
  expect(await wrongBlocks(db)).toEqual([]);
  await db.deleteFrom('vehicle').where('rego', 'like', 'ZZQ%').execute();
  await sql`select fold_vehicle_grams()`.execute(db);
  expect(await countVehicles(db, 'ZZQ')).toBe(before);
});

test('a page beyond the last is the last, and before the first the first', async () => {
  expect((await searchVehicles(database.db, 'X', 99_999)).page).toBe((await searchVehicles(database.db, 'X', 1)).pages);
  expect((await searchVehicles(database.db, 'X', -5)).page).toBe(1);
});

test('a removed vehicle leaves the search, and is known as removed; its rego may be used again', async () => {
  const { db } = database;
  await db
    .insertInto('vehicle')
    .values({ rego: 'GONE01', deletedAt: new Date('2026-01-01T00:00:00Z') })
    .execute();
  expect((await searchVehicles(db, 'GONE01', 1)).total).toBe(0);
  expect(await findVehicle(db, 'GONE01')).toEqual({ state: 'removed', removedAt: new Date('2026-01-01T00:00:00Z') });
  await db.insertInto('vehicle').values({ rego: 'GONE01' }).execute();
  expect((await findVehicle(db, 'GONE01')).state).toBe('live');
  await expect(db.insertInto('vehicle').values({ rego: 'GONE01' }).execute()).rejects.toThrow(/vehicle_live_rego/);
  expect(await findVehicle(db, 'NEVER0')).toEqual({ state: 'unknown' });
});
