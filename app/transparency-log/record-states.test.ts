import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterLeaves } from '#test/leaves.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { mismatchedRecords } from './record-states.server.ts';
import { stateOf, type RecordState } from './record-snapshot.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

test('a record is checked again when its row or its last leaf is another, and only then', async () => {
  const { db } = services;
  await db.insertInto('vehicle').values({ rego: 'STATE1' }).execute();
  await enterLeaves(db);
  const read = async () => {
    const { rows } = await sql<{ state: RecordState }>`select ${stateOf('vehicle')} as state from vehicle t`.execute(
      db,
    );
    return rows.map(({ state }) => state);
  };
  const before = await read();
  expect(before).toEqual([expect.objectContaining({ table: 'vehicle', leafIndex: expect.any(Number) })]);
  expect([...(await mismatchedRecords(db, before)).keys()]).toEqual([]);
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update vehicle set make = 'Another'`.execute(tx);
  });
  // Of the state that was checked the log is not read.
  expect([...(await mismatchedRecords(db, before)).keys()]).toEqual([]);
  const after = await read();
  expect(after).not.toEqual(before);
  const finding = [`vehicle ${after[0]?.key}`];
  expect([...(await mismatchedRecords(db, after)).keys()]).toEqual(finding);
  expect([...(await mismatchedRecords(db, after)).keys()]).toEqual(finding);
});
