// Ways to make an overdue truck look good by its plate: a new one to lose the history, another truck's, a second
// record.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { openOverdueTruck, OVERDUE, REGO, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { decideOldest, replateTo } from '#test/plates.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet, visitsOf } from '#test/visits.ts';
import { decideVisit } from './decide-visit.server.ts';

const OTHER = 'HONEST1';

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const replate = (rego: string, text: string, who = truck.tech, more: { state?: string } = {}) =>
  replateTo(truck.services, who, rego, { text, ...more });
const register = (rego: string, who: SignedIn, more: Record<string, string> = {}) =>
  registerVehicle(truck.services, who, {
    input: vehicleInput({ rego, ...TRUCK, vin: '6T9ANOTHER', scale_serial_number: '', ...more }),
    choice: NO_FILES,
    key: undefined,
  });
const record = (rego: string) => recordHonestSet(truck.services, truck.tech, rego);

test('a new plate to lose the history: it stays with the truck, and the old plate finds it', async () => {
  expect(await replate(REGO, 'FRESH1')).toEqual({ changed: true, rego: 'FRESH1' });
  expect(await truck.read('FRESH1')).toEqual(OVERDUE);
  const asked = new URLSearchParams();
  const page = await vehiclePage(truck.services, 'FRESH1', { asked, origin: 'http://localhost', who: null });
  expect(page).toMatchObject({ page: { history: { total: 8 }, mismatches: [], judgement: { verdict: 'overdue' } } });
  // What it is held against is what it read before.
  const other = await recordHonestSet(truck.services, truck.tech, 'FRESH1', {
    readings: { STEER: { empty_weight: '5940' } },
  });
  expect(other).toMatchObject({ state: 'waits' });
});

test('the plate changed and the old one added anew: the new record waits, until an admin lets a visit of it count', async () => {
  await replate(REGO, 'FRESH1');
  expect(await register(REGO, truck.tech)).toEqual({ registered: true, rego: REGO });
  expect(await record(REGO)).toMatchObject({ state: 'waits' });
  const [{ id = '', checks = '' } = {}] = await visitsOf(truck.services, REGO);
  expect(JSON.stringify(checks)).toContain('Another record has the same plate, within the last 24 months.');
  const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
  const { services, admin } = truck;
  const decided = { visitId: id, input, now: services.now(), key: undefined };
  expect(await decideVisit(services.db, admin, decided)).toMatchObject({ decided: true });
  truck.services.setNow('2026-11-22T01:00:00Z');
  expect(await record(REGO)).toMatchObject({ state: 'counts' });
});

test('after 24 months it is nobody else’s', async () => {
  await replate(REGO, 'FRESH1');
  truck.services.setNow('2028-11-22T01:00:00Z');
  await register(REGO, truck.tech);
  expect(await record(REGO)).toMatchObject({ state: 'counts' });
});

test('a plate swap: a technician’s waits, and no verdict moves with a plate', async () => {
  await register(OTHER, truck.admin);
  expect(await record(OTHER)).toMatchObject({ state: 'counts' });
  const honest = await truck.read(OTHER);
  expect(await replate(REGO, OTHER)).toMatchObject({ changed: false, reason: 'taken' });
  await replate(OTHER, 'FRESH1');
  expect(await replate(REGO, OTHER)).toEqual({ changed: false, asked: true });
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await decideOldest(truck.services, truck.admin, 'confirm')).toEqual({ decided: true, rego: OTHER });
  expect([await truck.read(OTHER), await truck.read('FRESH1')]).toEqual([OVERDUE, honest]);
  // The admin who confirmed it has looked.
  truck.services.setNow('2026-11-22T01:00:00Z');
  expect(await record(OTHER)).toMatchObject({ state: 'counts' });
});

test('a second record of one text: only an admin adds it, and only where both states are known', async () => {
  const stated = { plate_state: 'QLD' };
  expect(await register(REGO, truck.tech, stated)).toEqual({ registered: false, reason: 'exists-without-state' });
  await register(OTHER, truck.admin, { plate_state: 'NSW' });
  expect(await register(OTHER, truck.tech, stated)).toEqual({ registered: false, reason: 'exists-for-admins' });
  expect(await replate(REGO, OTHER, truck.tech, { state: 'QLD' })).toEqual({ changed: false, asked: true });
  expect(await truck.read()).toEqual(OVERDUE);
});
