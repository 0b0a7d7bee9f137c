import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '#test/database.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { openPublicReads, type PublicReads } from './public-reads.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';

const log = createLogger({ logLevel: 'silent' });
let database: TestDatabase;
let replica: TestDatabase;
let reads: PublicReads | undefined;
let notified: number;
beforeEach(async () => {
  [database, replica] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  notified = 0;
});
afterEach(async () => {
  await reads?.close();
  reads = undefined;
  await database.drop();
  await replica.drop();
});

const open = async () =>
  (reads = await openPublicReads(
    { db: database.db, live: { notifiedSize: () => notified }, log },
    urlOf(replica.address),
  ));
const write = () =>
  database.db.transaction().execute((tx) => appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null }]));
/** Copies new entries to the replica, in place of replication. */
async function replay(): Promise<void> {
  const entries = await database.db.selectFrom('activityLog').selectAll().orderBy('index').execute();
  const { size } = await database.db.selectFrom('activityState').select('size').executeTakeFirstOrThrow();
  await replica.db
    .insertInto('activityLog')
    .values(entries)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await replica.db.updateTable('activityState').set({ size }).execute();
}
async function nameOf(db: Db): Promise<Response> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return new Response(rows[0]?.name);
}
const source = async (wanted: 'newest' | 'notified' = 'notified') => {
  const text = await (await reads?.answer(wanted, nameOf))?.text();
  const { rows } = await replica.pool.query<{ name: string }>('select current_database() as name');
  return text === rows[0]?.name ? 'replica' : 'database';
};
const SOON = { timeout: 10_000, interval: 20 };

test('without a replica the database answers', async () => {
  reads = await openPublicReads({ db: database.db, live: { notifiedSize: () => 0 }, log }, undefined);
  expect(await source()).toBe('database');
});

test('a replica answers when it has what this node has notified of', async () => {
  await open();
  expect(await source()).toBe('replica');
  await write();
  notified = 1;
  expect(await source()).toBe('database');
  await replay();
  expect(await source()).toBe('replica');
});

test('what is asked for because of a change is never older, no matter who notified of it', async () => {
  await open();
  await write();
  // As when another node was notified first.
  expect(await source('newest')).toBe('database');
  await replay();
  expect(await source('newest')).toBe('replica');
});

test('a copy that went its own way never answers', async () => {
  await write();
  await replica.db.transaction().execute((tx) => appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null }]));
  await open();
  expect(await source()).toBe('database');
});

test('a replica before its migration does not answer', async () => {
  await replica.pool.query("delete from schema_migration where name like '0010%'");
  await open();
  expect(await source()).toBe('database');
});

test('a replica that fails in the midst of an answer is answered for, and used again later', async () => {
  await open();
  const seen: string[] = [];
  const answer = await reads?.answer('notified', async (db) => {
    const name = await (await nameOf(db)).text();
    seen.push(name);
    return new Response(name, { status: seen.length === 1 ? 500 : 200 });
  });
  expect([answer?.status, new Set(seen).size]).toEqual([200, 2]);
  expect(await source()).toBe('database');
  await vi.waitUntil(async () => (await source()) === 'replica', SOON);
});

test('a replica that is away stops nothing, and is used when it comes', async () => {
  const { rows } = await replica.pool.query<{ name: string }>('select current_database() as name');
  const allow = (word: string) => database.pool.query(`alter database ${rows[0]?.name} with allow_connections ${word}`);
  await allow('false');
  await open();
  expect(await (await reads?.answer('notified', nameOf))?.text()).not.toBe(rows[0]?.name);
  await allow('true');
  await vi.waitUntil(async () => (await source()) === 'replica', SOON);
});

test('nothing is written to what is read from', async () => {
  await replica.db.insertInto('mail').values({ kind: 'x', recipient: 'a@b.example', facts: '{}' }).execute();
  await open();
  expect(await source()).toBe('replica');
  await reads?.answer('notified', async (db) => {
    await db.deleteFrom('mail').execute();
    return nameOf(db);
  });
  expect(await replica.db.selectFrom('mail').select('id').execute()).toHaveLength(1);
});
