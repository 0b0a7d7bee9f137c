// What the log says of a plate that was changed, and what it finds when somebody alters that in the database.
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { readingBadge } from '#app/readings/reading-badge.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { parseLeaf, openableFields } from '#app/tlog/leaf.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { liveVehicle, recordHonestSet } from '#test/visits.ts';
import { findMismatches } from './vehicle-records.server.ts';

let services: TestServices;
let admin: SignedIn;
const TRUCK = { vin: '6T9TRUCK', axle_groups: 'STEER' };
beforeEach(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  const input = vehicleInput({ rego: 'XV12DE', plate_state: 'NSW', ...TRUCK });
  await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
  await recordHonestSet(services, admin, 'XV12DE');
});
afterEach(() => services.stop());

const replate = () =>
  replateTo(services, admin, 'XV12DE', { text: 'YD20AB', state: 'QLD', fromOn: '2026-11-20', why: 'another-state' });
const lastLeaf = async () => {
  const { entry, index } = await services.db
    .selectFrom('logLeaf')
    .selectAll()
    .orderBy('index', 'desc')
    .executeTakeFirstOrThrow();
  const openings = await services.db
    .selectFrom('leafOpening')
    .select(['field', 'value'])
    .where('leafIndex', '=', index)
    .execute();
  return { entry, leaf: parseLeaf(utf8(entry)), opened: new Map(openings.map(({ field, value }) => [field, value])) };
};
const page = async (rego: string) => {
  const found = await vehiclePage(services, rego, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
};

test('states, day and why stand in clear; the texts are a commitment, in every later entry about the record too', async () => {
  const before = await lastLeaf();
  expect(openableFields(before.leaf).has('plate')).toBe(false);
  await replate();
  const { leaf, entry, opened } = await lastLeaf();
  expect(leaf).toMatchObject({
    type: 'vehicle.replated',
    body: { platedOn: '2026-11-20', plateState: 'QLD', plateStateBefore: 'NSW', plateWhy: 'another-state' },
    subject: before.leaf.subject,
  });
  expect(entry).not.toMatch(/XV12DE|YD20AB/);
  const plate = { rego: 'YD20AB', state: 'QLD', since: '2026-11-20', before: 'XV12DE' };
  expect(opened.get('plate')).toEqual(plate);
  const { version } = await liveVehicle(services, 'YD20AB');
  const input = vehicleInput({ rego: 'YD20AB', plate_state: 'QLD', make: 'Mack', version: String(version), ...TRUCK });
  const tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo');
  await updateVehicle(services, tech, { rego: 'YD20AB', input, choice: NO_FILES, key: undefined });
  const later = await lastLeaf();
  expect([later.leaf.type, later.opened.get('plate')]).toEqual(['vehicle.updated', plate]);
  expect(await differencesFromLog(services.db)).toEqual([]);
});

test('pages show what the log says: the truck’s own, and those of readings under either plate', async () => {
  await replate();
  await recordHonestSet(services, admin, 'YD20AB', { visitedAt: services.now() });
  const { id } = await liveVehicle(services, 'YD20AB');
  const { badge, mismatches, history } = await page('YD20AB');
  expect([mismatches, history.total]).toEqual([[], 8]);
  expect(badge?.shown?.values).toEqual({
    subject: { vehicle: id, rego: 'XV12DE' },
    plate: { rego: 'YD20AB', state: 'QLD', since: '2026-11-20', before: 'XV12DE' },
  });
  for (const reading of await listCalibrations(services.db, id))
    expect((await readingBadge(services, reading))?.shown?.values).toMatchObject({
      subject: { vehicle: id, rego: 'XV12DE' },
    });
});

test.each([
  [
    'its day',
    sql`update former_plate set until_on = '2026-11-19'`,
    /former_plate 1: its until_on is not what was logged/,
  ],
  ['its text', sql`update former_plate set rego = 'XV99ZZ'`, /former_plate 1: its rego is not what was logged/],
  [
    'it is gone',
    sql`delete from former_plate`,
    /former_plate 1: entry \d+ of the log is about it, and the record is gone/,
  ],
  ['the plate itself', sql`update vehicle set rego = 'XV99ZZ'`, /vehicle .*: its rego is not what was logged/],
  ['its state', sql`update vehicle set plate_state = 'WA'`, /vehicle .*: its plate_state is not what was logged/],
  [
    'a reading under the former plate',
    sql`delete from calibration where rego = 'XV12DE'`,
    /calibration XV12DE\/\d+: .* gone/,
  ],
] as const)('an altered period is found by verify and by the check of the history: %s', async (what, change, says) => {
  await replate();
  const { id, rego } = await liveVehicle(services, 'YD20AB');
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await change.execute(tx);
  });
  expect((await differencesFromLog(services.db)).join('\n')).toMatch(says);
  // Of a row that is gone only the whole log knows.
  if (what !== 'it is gone') expect((await findMismatches(services.db, { id, rego })).join('\n')).toMatch(says);
});

test('a period that nobody entered is found', async () => {
  await replate();
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into former_plate (vehicle_id, rego, state, until_on, why, changed_at, changed_by)
      select vehicle_id, 'ZZ9', '', '2020-01-01', 'sold', now(), changed_by from former_plate`.execute(tx);
  });
  expect((await differencesFromLog(services.db)).join('\n')).toMatch(/former_plate 2: the log has no entry about it/);
});
