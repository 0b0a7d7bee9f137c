import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { takeOverRegistry } from './take-over-registry.server.ts';

let services: TestServices;
const ZONE = 'Australia/Sydney';
const AT = new Date('2026-05-01T01:00:00Z');

beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

async function addVehicle(rego: string, nextCalibrationDueOn: string | null, axles: readonly ('STEER' | 'DRIVE')[]) {
  const { db } = services;
  const values = { rego, nextCalibrationDueOn, calibrationValidated: true };
  const { id } = await db.insertInto('vehicle').values(values).returning('id').executeTakeFirstOrThrow();
  const reading = { rego, vehicleId: id, attribute: 'Empty Volt', value: '1', calibratedAt: AT } as const;
  for (const [place, axle] of axles.entries())
    await db
      .insertInto('calibration')
      .values({ ...reading, id: AT.getTime() + place, axle })
      .execute();
}
const found = async (rego: string) =>
  services.db
    .selectFrom('vehicle')
    .select(['axleGroups', 'nextCalibrationDueOn', 'restsOn'])
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();

test('the vehicles of an upgraded registry get the axle groups of their readings, and no due date beyond the interval', async () => {
  const { db } = services;
  await addVehicle('FAR1', '2036-11-01', ['DRIVE', 'STEER']);
  await addVehicle('NEAR1', '2026-10-30', ['DRIVE']);
  await addVehicle('NONE1', '2036-11-01', []);
  await db.updateTable('takingOver').set({ doneAt: null }).execute();
  // Stopped before it began, it goes on.
  expect(await takeOverRegistry(db, ZONE, () => true)).toBe(0);
  await takeOverRegistry(db, ZONE, () => false);
  expect(await found('FAR1')).toEqual({ axleGroups: 'STEER DRIVE', nextCalibrationDueOn: '2027-05-02', restsOn: '' });
  expect(await found('NEAR1')).toEqual({ axleGroups: 'DRIVE', nextCalibrationDueOn: '2026-10-30', restsOn: '' });
  expect(await found('NONE1')).toEqual({ axleGroups: '', nextCalibrationDueOn: '2036-11-01', restsOn: '' });
  const reasons = await db.selectFrom('validation').select(['reason', 'nextDueOn']).execute();
  expect(reasons).toEqual([
    { reason: 'Cut from 1 November 2036 to the longest interval after the last calibration', nextDueOn: '2027-05-02' },
  ]);
});

test('it runs once: what an admin takes away afterwards stays away', async () => {
  const { db } = services;
  await db.updateTable('vehicle').set({ axleGroups: '' }).where('rego', '=', 'NEAR1').execute();
  expect(await takeOverRegistry(db, ZONE, () => false)).toBe(0);
  expect((await found('NEAR1')).axleGroups).toBe('');
});
