// The scale's system and its seals: from the forms to the page, and serials that two vehicles have.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { serialConflicts } from '#app/vehicles/serial-conflicts.server.ts';
import { vehicleSchema } from '#app/vehicles/vehicle-entry.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import { apiApp } from '#server/api.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { readTyped, STEER, VISIT } from '#test/typed-set.ts';
import { recordHonestSet, visitsOf } from '#test/visits.ts';
import { NO_FILES } from '#test/vehicles.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

const register = (rego: string, more: Record<string, string> = {}) =>
  registerVehicle(services, admin, {
    input: vehicleSchema.parse({ rego, vin: `VIN${rego}00000000`, axle_groups: 'STEER', ...more }),
    choice: NO_FILES,
    key: undefined,
  });

test('a seal that changed is said, and holds nothing back; the firmware is shown over time', async () => {
  await register('SEAL1', { scale_make: 'Merino Scales', scale_category: 'B', firmware: '3.0' });
  services.setNow('2026-05-03T01:00:00Z');
  await recordHonestSet(services, tech, 'SEAL1', { firmware: '3.1.0', seals_left: '4468 unit; 4469 junction box' });
  services.setNow('2026-08-28T01:00:00Z');
  await recordHonestSet(services, tech, 'SEAL1', { firmware: '3.1.0', seals_left: '4468 unit; 4469 junction box' });
  services.setNow('2026-11-28T01:00:00Z');
  const seals = { seals_found: '4471 unit; 4469 junction box', seals_left: '4502 unit', seals_reason: 'broken' };
  await recordHonestSet(services, tech, 'SEAL1', { firmware: '3.2.1', settings_locked: 'yes', ...seals });
  const [first, , last] = await visitsOf(services, 'SEAL1');
  expect(checksOf(first?.checks).map(({ check }) => check)).not.toContain('seals');
  expect(last?.state).toBe('counts');
  const sentence =
    'The seal found on the unit (4471) is not the one left on 28 August 2026 (4468). The technician says: broken on arrival.';
  expect(checksOf(last?.checks)).toContainEqual({ check: 'seals', rule: 'noted', answer: 'failed', sentence });
  const asked = { asked: new URLSearchParams(), origin: 'https://registry.example', who: null };
  const found = await vehiclePage(services, 'SEAL1', asked);
  const page = found.state === 'live' ? found.page : expect.fail();
  expect(page.mismatches).toEqual([]);
  const facts = page.facts.map(({ label, value }) => `${label}: ${value}`);
  expect(facts).toEqual(expect.arrayContaining(['Scale make: Merino Scales', 'Category: B, sends']));
  expect(facts.filter((fact) => fact.startsWith('Firmware'))).toEqual([
    'Firmware: 3.2.1 since 28 Nov 2026; 3.1.0 by 28 Aug 2026',
  ]);
  expect(facts.slice(-2)).toEqual(['Settings: Locked', 'Seals left: 4502 unit']);
  expect(page.evidence.ruling?.groups.flatMap(({ checks }) => checks)).toContainEqual(
    expect.objectContaining({ name: 'Seals', answer: 'Noted', sentence }),
  );
});

test('the seals left may be those found, and a word outside the list is refused', () => {
  const given = { ...VISIT, ...STEER, seals_found: '4471 unit', seals_same: 'yes' };
  expect(readTyped(given, new Date('2026-11-21T01:00:00Z'), ['STEER']).input).toMatchObject({
    seals_left: '4471 unit',
  });
  const wrong = readTyped({ ...given, settings_locked: 'may' }, new Date('2026-11-21T01:00:00Z'), ['STEER']);
  expect(wrong.errors).toEqual({ settings_locked: 'Choose one of them.' });
});

test('a serial of a unit or a sensor on two live vehicles is found; no sensor’s serial is public', async () => {
  const details = 'DRIVE tandem dual-tyres kPa serial:D-3301,D_3302';
  await register('SERIAL1', { scale_serial_number: 'BW-2 00484', group_details: details });
  await register('SERIAL2', { scale_serial_number: 'BW-2 00484', group_details: 'STEER serial:D_3302' });
  await register('SERIAL3', { scale_serial_number: 'BW-2 00485', group_details: 'STEER serial:D-3303' });
  expect(await serialConflicts(services.db, 10)).toEqual([
    { serial: 'BW-2 00484', what: 'unit', regos: ['SERIAL1', 'SERIAL2'] },
    { serial: 'D 3302', what: 'sensor', regos: ['SERIAL1', 'SERIAL2'] },
  ]);
  const answer = await (await apiApp(services).request('/vehicles/SERIAL1')).text();
  expect(answer).toContain('"group_details":"DRIVE tandem dual-tyres kPa"');
  expect(() => register('SERIAL4', { group_details: 'STEER serial:<b>' })).toThrow(/letters, digits/);
});
