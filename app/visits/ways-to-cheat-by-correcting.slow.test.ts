// A technician corrects the last visit of an overdue truck, so that nothing is left to hold a new one against, or an
// invented line.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { openOverdueTruck, OVERDUE, REGO, TODAY, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, liveVehicle, visitsOf } from '#test/visits.ts';

const LIGHT = { DRIVE: { loaded_weight: '9000' } };
const PLACE = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const correctWeight = async (value: string) => {
  const [visit] = await visitsOf(truck.services, REGO);
  await correctVisit(truck.services, truck.tech, REGO, visit?.id ?? '', { value }, PLACE);
};

test('the last visit waits by a late due date, and a line that is not the truck’s waits behind it', async () => {
  await truck.correct({ due_date: '2027-01-11' });
  expect(await truck.record({ readings: LIGHT })).toMatchObject({ state: 'waits' });
  expect(await truck.states()).toEqual(['waits', 'waits']);
  // An honest one counts.
  expect(await truck.record()).toMatchObject({ state: 'counts' });
});

test('the last visit gets the invented line by a late correction: the new one is held against what it was', async () => {
  await correctWeight('9000');
  expect(await truck.record({ readings: LIGHT })).toMatchObject({ state: 'waits' });
  expect((await truck.read()).verdict).toBe('overdue');
  expect(await truck.record()).toMatchObject({ state: 'counts' });
});

test('the VIN is changed, and the last visit, which had the old one, made to wait', async () => {
  const { version } = await liveVehicle(truck.services, REGO);
  const form = vehicleInput({ rego: REGO, ...TRUCK, vin: '6T9ANOTHER', version: String(version) });
  await updateVehicle(truck.services, truck.tech, { rego: REGO, input: form, choice: NO_FILES, key: undefined });
  await truck.correct({ due_date: '2027-01-11' });
  expect(await truck.record()).toMatchObject({ state: 'waits' });
});

test('a prompt correction of a slip is what later visits are held against', async () => {
  expect(await truck.record({ readings: LIGHT, nudge: 0 })).toMatchObject({ state: 'waits' });
  const [, visit] = await visitsOf(truck.services, REGO);
  await correctVisit(truck.services, truck.tech, REGO, visit?.id ?? '', { value: '15640' }, PLACE);
  expect(await truck.states()).toEqual(['counts', 'counts']);
  truck.services.setNow(`${addDays(TODAY, 30)}T01:00:00Z`);
  expect(await truck.record()).toMatchObject({ state: 'counts' });
});
