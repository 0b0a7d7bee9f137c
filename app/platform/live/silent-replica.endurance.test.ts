import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '#test/database.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { openPublicReads } from './public-reads.server.ts';

let database: TestDatabase;
let replica: TestDatabase;
beforeAll(async () => {
  [database, replica] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await replica.drop();
});

test('a replica that lags is given up within seconds, even where the node was notified of nothing', async () => {
  const reads = await openPublicReads(
    { db: database.db, live: { notifiedSize: () => 0 }, log: createLogger({ logLevel: 'silent' }) },
    urlOf(replica.address),
  );
  const isDatabase = async () => {
    const answer = await reads.answer(
      'notified',
      async (db) => new Response(db === database.db ? 'database' : 'replica'),
    );
    return (await answer.text()) === 'database';
  };
  expect(await isDatabase()).toBe(false);
  await database.db.transaction().execute((tx) => appendActivities(tx, [{ kind: 'vehicle.updated', actorId: null }]));
  await vi.waitUntil(isDatabase, { timeout: 7_000, interval: 50 });
  // It stays so as long as the replica does not catch up.
  for (let look = 0; look < 20; look += 1) {
    expect(await isDatabase()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await reads.close();
});
