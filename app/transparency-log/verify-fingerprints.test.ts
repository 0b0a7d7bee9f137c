// Fingerprints, by which copied readings are found, are those of the readings: anybody who deletes or changes them is
// found, and the daily look makes them again.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { correctCalibration } from '#app/recording/correct-calibration.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { differencesFromLog, enterLeaves } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { sweepHistories } from './sweep-histories.server.ts';

let services: TestServices;
let mia: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  await takeOver('OLD1');
  await enterLeaves(services.db);
  await registerVehicle(services, mia, {
    input: vehicleInput({ rego: 'NEW1', vin: 'VINNEW1', axle_groups: 'STEER DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });
  await recordHonestSet(services, jo, 'NEW1');
});
afterAll(() => services.stop());

// A truck whose readings were taken over: without a visit.
async function takeOver(rego: string): Promise<void> {
  const { db } = services;
  const { id: vehicleId } = await db.insertInto('vehicle').values({ rego }).returning('id').executeTakeFirstOrThrow();
  const readings = { 'Empty Volt': '0.52', 'Empty Weight': '2310', 'Loaded Volt': '3.41', 'Loaded Weight': '5120' };
  const at = new Date('2026-03-02T01:00:00Z');
  for (const [place, [attribute, value]] of Object.entries(readings).entries())
    await sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at, origin)
      values (${rego}, ${place + 1}, ${vehicleId}, 'STEER', ${attribute}, ${value}, ${at}, 'imported')`.execute(db);
  await sql`select fingerprint_taken_over(array[${vehicleId}::uuid])`.execute(db);
}

const kept = async () => {
  const { rows } = await sql<{ row: string }>`select f::text as row from axle_fingerprint f order by 1`.execute(
    services.db,
  );
  return rows.map(({ row }) => row);
};

test.each([
  'delete from axle_fingerprint',
  'delete from axle_fingerprint where visit_id is null',
  'update axle_fingerprint set fingerprint = fingerprint + 1 where visit_id is not null',
  'update axle_fingerprint set readings = array[1, 2, 3, 4] where visit_id is not null',
  `update axle_fingerprint set axle = 'TRAILERA'`,
  'insert into axle_fingerprint select * from axle_fingerprint where visit_id is not null',
  'insert into axle_fingerprint (fingerprint, vehicle_id, axle) select 7, id, rego from vehicle',
])('%s: found, and made again within a day', async (statement) => {
  const before = await kept();
  expect(before).toHaveLength(3);
  expect(await differencesFromLog(services.db)).toEqual([]);
  await sql.raw(statement).execute(services.db);
  const found = await differencesFromLog(services.db);
  expect(found.length).toBeGreaterThan(0);
  for (const finding of found) expect(finding).toContain('by which copies are found, are not theirs');
  services.setNow(new Date(services.now().getTime() + 21 * 3_600_000).toISOString());
  while ((await sweepHistories({ ...services, everyMs: 5000, isLost: () => false })) > 0);
  expect(await kept()).toEqual(before);
});

test('a correction of a reading that was taken over leaves no fingerprint of what was wrong', async () => {
  const input = {
    axle: 'STEER',
    attribute: 'Empty Volt',
    value: '0.62',
    due_date: null,
    reason: 'Typed wrong.',
  } as const;
  const options = { now: services.now(), zone: 'Australia/Sydney', key: undefined };
  expect(await correctCalibration(services.db, mia, { rego: 'OLD1', id: 1, input, ...options })).toMatchObject({
    corrected: true,
  });
  expect(await differencesFromLog(services.db)).toEqual([]);
});
