// A list of axle groups from before the upgrade may be shorter than what the truck's visits that count have read: a
// visit is held against both, before it is saved and after, and the forms ask for both.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fieldData } from '#app/field/field-data.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { openOverdueTruck, OVERDUE, REGO, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { liveVehicle, visitsOf } from '#test/visits.ts';
import { previewFinish } from '#app/recording/preview-visit.server.ts';
import { findVisit } from './visit-queries.server.ts';

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
});
afterEach(() => truck.services.stop());

const list = async (axleGroups: string) =>
  truck.services.db.updateTable('vehicle').set({ axleGroups }).where('rego', '=', REGO).execute();

/** The form of the truck's record, sent by `who`. */
async function update(who: OverdueTruck['admin'], axleGroups: string, reason = '') {
  const { version, nextCalibrationDueOn: due } = await liveVehicle(truck.services, REGO);
  const sent = { rego: REGO, ...TRUCK, axle_groups: axleGroups, reason, next_calibration_due: due ?? '' };
  return updateVehicle(truck.services, who, {
    rego: REGO,
    input: vehicleInput({ ...sent, version: String(version) }),
    choice: NO_FILES,
    key: undefined,
  });
}

test('a short list makes no visit complete, nor the form shorter', async () => {
  await list('STEER');
  expect(await truck.record({ axles: ['STEER'] })).toMatchObject({ state: 'partial' });
  expect(await truck.read()).toEqual(OVERDUE);
  const { trucks } = await fieldData(truck.services, truck.tech, [REGO]);
  expect(trucks.map(({ axles }) => axles)).toEqual([['STEER', 'DRIVE']]);
});

test('single readings stay open for the group that a short list leaves out', async () => {
  await list('STEER');
  await truck.singles('STEER');
  const { db, config } = truck.services;
  const open = (await visitsOf(truck.services, REGO)).find(({ state }) => state === 'open');
  const [vehicle, visit] = [await liveVehicle(truck.services, REGO), await findVisit(db, open?.id ?? '')];
  if (visit === undefined) throw new Error('it is not open');
  const rules = { policy: await currentPolicy(db), zone: config.timeZone };
  expect(await previewFinish(db, vehicle, { visit, rules })).toMatchObject({ state: 'partial' });
  await truck.singles('DRIVE');
  expect(await truck.states()).toEqual(['counts', 'counts']);
});

test('what an admin took away with a reason stays away', async () => {
  expect(await update(truck.admin, 'STEER', 'The sensor was taken off.')).toEqual({ updated: true });
  expect(await truck.record({ axles: ['STEER'] })).toMatchObject({ state: 'counts' });
});

test('readings of one morning without a visit are of one day of the registry, though of two in UTC', async () => {
  await truck.register('TAKEN1', { vin: '6T9TAKEN', scale_serial_number: 'S2', axle_groups: '' });
  const { id: vehicleId } = await liveVehicle(truck.services, 'TAKEN1');
  // 10:30 and 11:30 am in Sydney.
  const [before, after] = [new Date('2026-11-01T23:30:00Z'), new Date('2026-11-02T00:30:00Z')];
  const readings = [
    { attribute: 'Empty Volt', value: '0.84', calibratedAt: before },
    { attribute: 'Empty Weight', value: '3940', calibratedAt: before },
    { attribute: 'Loaded Volt', value: '1.46', calibratedAt: after },
    { attribute: 'Loaded Weight', value: '5880', calibratedAt: after },
  ] as const;
  const taken = { rego: 'TAKEN1', vehicleId, axle: 'STEER', origin: 'imported' } as const;
  const values = readings.map((reading, place) => ({ ...taken, ...reading, id: before.getTime() + place }));
  await truck.services.db.insertInto('calibration').values(values).execute();
  const { version } = await liveVehicle(truck.services, 'TAKEN1');
  const sent = {
    rego: 'TAKEN1',
    vin: '6T9TAKEN',
    scale_serial_number: 'S2',
    calibration_validated: 'yes',
    version: String(version),
  };
  const begin = (axle_groups: string) =>
    updateVehicle(truck.services, truck.tech, {
      rego: 'TAKEN1',
      input: vehicleInput({ ...sent, axle_groups }),
      choice: NO_FILES,
      key: undefined,
    });
  expect(await begin('DRIVE')).toEqual({ updated: false, reason: 'axle-group-removed' });
  expect(await begin('STEER DRIVE')).toEqual({ updated: true });
});
