import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { addPerson } from '#test/people.ts';
import { findVehicle, lockVehicle } from './queries.server.ts';
import { restoreVehicle } from './remove-vehicle.server.ts';

let database: TestDatabase;
let who: SignedIn;
beforeAll(async () => {
  database = await createTestDatabase();
  const mia = await addPerson(database.db, 'admin', 'mia@registry.example', { name: 'Mia' });
  who = { ...mia, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
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

/** Runs a function after a statement and before its result is returned. Results are numbered from 1. */
function meanwhile(happens: Readonly<Record<number, () => Promise<unknown>>>): KyselyPlugin {
  let answers = 0;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await happens[(answers += 1)]?.();
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
  const db = database.db.withPlugin(meanwhile({ 1: () => add(rego) }));
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

test('a restore is refused, whatever is added again, removed and added again while it looks', async () => {
  const { db } = database;
  const old = await add('AGAIN');
  await remove('AGAIN');
  // Whenever the second statement reads the rego, it is free. Whenever the write follows, it is taken.
  const [gone, anew] = [() => remove('AGAIN'), () => add('AGAIN')];
  const disturbed = db.withPlugin(meanwhile({ 2: anew, 4: gone, 5: anew }));
  expect(await restoreVehicle(disturbed, who, { id: old?.id ?? '' })).toMatchObject({
    restored: false,
    reason: 'rego-taken',
  });
  const states = await db.selectFrom('vehicle').select('deletedAt').where('rego', '=', 'AGAIN').execute();
  expect(states).toHaveLength(3);
  expect(states.filter(({ deletedAt }) => deletedAt === null)).toHaveLength(1);
});

test('a restore has a version of its own, whatever was added again and removed while it looked', async () => {
  const { db } = database;
  const old = await add('ANEW');
  await remove('ANEW');
  const removedAnew = () =>
    db.insertInto('vehicle').values({ rego: 'ANEW', version: 8, deletedAt: new Date() }).execute();
  expect(await restoreVehicle(db.withPlugin(meanwhile({ 4: removedAnew })), who, { id: old?.id ?? '' })).toMatchObject({
    restored: true,
  });
  expect(await findVehicle(db, 'ANEW')).toMatchObject({ state: 'live', vehicle: { version: 9 } });
});
