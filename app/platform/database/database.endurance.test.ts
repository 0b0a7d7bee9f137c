import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, socketOf, type TestDatabase } from '#test/database.ts';
import { startRelay, type Relay } from '#test/relay.ts';
import { FOR_REQUESTS, openDatabase } from './database.server.ts';

let database: TestDatabase;
let relay: Relay;
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await startRelay([socketOf(database.address)]);
});
afterAll(async () => {
  await relay.stop();
  await database.drop();
});

test('the locks of a node that is cut off without a word go within 10 s', async () => {
  const far = openDatabase(
    { ...database.address, host: '127.0.0.1', port: relay.port },
    { max: 1, patience: FOR_REQUESTS },
  );
  let locked = () => {};
  const holds = new Promise<void>((resolve) => (locked = resolve));
  const abandoned = far.db.transaction().execute(async (tx) => {
    await tx.selectFrom('activityState').select('size').forUpdate().execute();
    locked();
    await new Promise(() => {});
  });
  abandoned.catch(() => {});
  await holds;
  relay.freeze();
  const size = await database.db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '10s'`.execute(tx);
    return tx.updateTable('activityState').set({ beforeLog: true }).executeTakeFirstOrThrow();
  });
  expect(Number(size.numUpdatedRows)).toBe(1);
}, 30_000);
