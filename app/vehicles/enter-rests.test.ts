// After the upgrade: each live vehicle gets one entry that says on what its verdict rests.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { draftLeaf } from '#app/transparency-log/draft-leaf.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { snapshotRecords } from '#app/transparency-log/record-snapshot.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { dropChecks } from '#test/altered-column.ts';
import { enterAsOwner } from '#test/database-owner.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { enterRests } from './enter-rests.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle } from './remove-vehicle.server.ts';

let services: TestServices;
let mia: SignedIn;
let jo: SignedIn;
beforeAll(async () => {
  services = await createTestServices();
  mia = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  jo = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  await services.db.updateTable('activityState').set({ beforeLog: true }).execute();
});
afterAll(() => services.stop());

async function register(rego: string): Promise<void> {
  const ticked = { calibration_validated: 'yes', next_calibration_due: '2030-01-01', axle_groups: 'STEER' };
  await registerVehicle(services, mia, {
    input: vehicleInput({ rego, vin: `6T9${rego}`, ...ticked }),
    choice: NO_FILES,
    key: undefined,
  });
}

// Its last entry is as those before the upgrade were.
async function writeOlderEntry(rego: string): Promise<void> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  const { vehicle } = found;
  await services.db.transaction().execute(async (tx) => {
    const event = vehicleEvent('vehicle.updated', vehicle, { ...vehicle });
    const { rows } = await snapshotRecords(tx, event.records);
    const draft = draftLeaf(event, rows, new Map());
    const leaf = { ...draft, vehicle: vehicle.id };
    await sql`select append_leaves(${JSON.stringify([leaf])}::jsonb)`.execute(tx);
  });
}

async function entries(): Promise<[type: string, restsOn: string | undefined, day: string | undefined][]> {
  const leaves = await services.db.selectFrom('logLeaf').select('entry').orderBy('index').execute();
  return leaves
    .map(({ entry }) => parseLeaf(utf8(entry)))
    .filter(({ type }) => type === 'vehicle.rests')
    .map(({ type, body }) => [type, body.restsOn, body.restsOnDay]);
}
async function enterAll(): Promise<void> {
  while ((await enterRests(services.db, 2)) > 0);
}

test('each live vehicle whose last entry does not say it gets one, and no other, however often it is begun', async () => {
  const { db } = services;
  for (const rego of ['EMPTY1', 'VISIT1', 'GONE1', 'NEW1', 'WAITS1']) await register(rego);
  await recordHonestSet(services, jo, 'VISIT1');
  await recordHonestSet(services, jo, 'WAITS1', { visitedAt: new Date('2026-11-01T01:00:00Z') });
  for (const rego of ['EMPTY1', 'VISIT1', 'GONE1', 'WAITS1']) await writeOlderEntry(rego);
  await removeVehicle(db, mia, { rego: 'GONE1' });
  // Nothing to do in a new registry.
  await enterAll();
  expect(await entries()).toEqual([]);
  await db.updateTable('restsEntered').set({ doneAt: null }).execute();
  // Stopped after a block, and two nodes that take each other for dead.
  await enterRests(db, 2);
  await Promise.all([enterAll(), enterAll()]);
  const entered = [
    ['vehicle.rests', 'no-calibration', undefined],
    ['vehicle.rests', 'nothing', undefined],
    ['vehicle.rests', 'visit', '2026-11-21'],
  ];
  expect((await entries()).toSorted()).toEqual(entered);
  const begin = { doneAt: null, afterId: '00000000-0000-0000-0000-000000000000' };
  await db.updateTable('restsEntered').set(begin).execute();
  await enterAll();
  expect((await entries()).toSorted()).toEqual(entered);
  expect(await differencesFromLog(db)).toEqual([]);
});

test('a verdict that rests on something else than its entry says is found', async () => {
  const owner = await enterAsOwner(services.address, ['calibration', 'visit', 'vehicle']);
  await owner.query(dropChecks('vehicle'));
  const finding = expect.stringContaining('says that its verdict rests on something else');
  for (const statement of [
    `update vehicle set last_calibrated_at = null where rego = 'VISIT1'`,
    `update vehicle set last_calibrated_at = '2026-01-01' where rego = 'EMPTY1'`,
    `update visit set visited_on = visited_on - 1 where state = 'counts'`,
  ]) {
    const found = await owner.whenDone(statement, () => differencesFromLog(services.db));
    expect(found, statement).toContainEqual(finding);
  }
  const column = await owner.whenDone(`update vehicle set rests_on = 'visit' where rego = 'WAITS1'`, () =>
    differencesFromLog(services.db),
  );
  expect(column).toContainEqual(expect.stringContaining('rests_on'));
  await owner.leave();
});
