import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { openLiveUpdates, type LiveEvent, type LiveUpdates } from './live-updates.server.ts';

let database: TestDatabase;
let live: LiveUpdates;
const problems: Error[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  live = await openLiveUpdates(database.db, database.address, { onError: (error) => problems.push(error) });
});
afterAll(async () => {
  await live.close();
  await database.drop();
});
afterEach(() => problems.splice(0));

const change = (rego?: string) =>
  database.db
    .transaction()
    .execute((tx) =>
      appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, ...(rego === undefined ? {} : { rego }) }]),
    );
const bulk = (count: number) =>
  database.db.transaction().execute((tx) =>
    appendActivities(
      tx,
      Array.from({ length: count }, () => ({ kind: 'vehicle.imported', actorId: null })),
    ),
  );

test('a page is notified of its topics only, in order, and of nothing that was rolled back', async () => {
  const delivered: LiveEvent[] = [];
  const stop = await live.subscribe(['vehicle:ABC123'], undefined, (event) => delivered.push(event));
  const first = await change('ABC123');
  await change('OTHER1');
  await database.db
    .transaction()
    .execute(async (tx) => {
      await appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null, rego: 'ABC123' }]);
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  const last = await change('ABC123');
  await vi.waitFor(() =>
    expect(delivered).toEqual([first, last].map((index) => ({ kind: 'change', index, topics: ['vehicle:ABC123'] }))),
  );
  stop();
  expect(live.size()).toBe(0);
});

test('what happened between a page and its subscription is replayed, once', async () => {
  const since = await change();
  const missed = await change();
  const delivered: LiveEvent[] = [];
  const stop = await live.subscribe(['vehicles'], since + 1, (event) => delivered.push(event));
  const next = await change();
  await vi.waitFor(() => expect(delivered.map((event) => event.index)).toEqual([missed, next]));
  stop();
});

test('anybody who missed too much reloads everything', async () => {
  const since = await change();
  await bulk(1500);
  const delivered: LiveEvent[] = [];
  const stop = await live.subscribe(['vehicle:NONE00'], since, (event) => delivered.push(event));
  expect(delivered).toMatchObject([{ kind: 'reset' }]);
  stop();
});

test('a lost connection comes back and brings what was missed', async () => {
  const delivered: LiveEvent[] = [];
  const stop = await live.subscribe(['vehicles'], undefined, (event) => delivered.push(event));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'truck-scale-registry live' and datname = current_database()`.execute(
    database.db,
  );
  const missed = await change();
  await vi.waitFor(() => expect(delivered.map((event) => event.index)).toContain(missed), 5000);
  expect(problems).toHaveLength(1);
  stop();
});
