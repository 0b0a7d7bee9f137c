import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { findVehicle, lockVehicle } from './queries.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const add = (rego: string) => database.db.insertInto('vehicle').values({ rego }).returning('id').executeTakeFirst();
const remove = (rego: string) =>
  database.db
    .updateTable('vehicle')
    .set({ deletedAt: new Date() })
    .where('rego', '=', rego)
    .where('deletedAt', 'is', null)
    .execute();

/** Lets `meanwhile` happen after the first statement, before its answer is there. */
function afterFirst(meanwhile: () => Promise<unknown>): KyselyPlugin {
  let isFirst = true;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return result;
    },
  };
}

async function isLocked(rego: string): Promise<boolean> {
  const free = await database.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', rego)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return free === undefined;
}

test.each([
  { what: 'of a new rego', rego: 'ADDED1', isOld: false },
  { what: 'of a rego that was removed before', rego: 'ADDED2', isOld: true },
])('a vehicle $what, added while it is looked for, is locked when it is found', async ({ rego, isOld }) => {
  if (isOld) {
    await add(rego);
    await remove(rego);
  }
  const db = database.db.withPlugin(afterFirst(() => add(rego)));
  await db.transaction().execute(async (tx) => {
    expect((await lockVehicle(tx, rego)).state).toBe('live');
    expect(await isLocked(rego)).toBe(true);
  });
  expect(await isLocked(rego)).toBe(false);
});

test('one that is removed while its lock is waited for is found removed', async () => {
  await add('GONE1');
  let removed: Promise<unknown> = Promise.resolve();
  const found = await database.db.transaction().execute(async (tx) => {
    await lockVehicle(tx, 'GONE1');
    removed = database.db.transaction().execute(async (other) => lockVehicle(other, 'GONE1'));
    await tx.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', 'GONE1').execute();
    return findVehicle(tx, 'GONE1');
  });
  expect(found.state).toBe('removed');
  expect(await removed).toMatchObject({ state: 'removed' });
});
