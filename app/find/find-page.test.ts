import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSeen } from '#test/people.ts';
import { replateTo } from '#test/plates.ts';
import { newReference } from '#test/references.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { report, REPORTER_BY_MAIL, take } from '#test/wrong-records.ts';
import { findPage } from './find-page.server.ts';

const VIN = '6T9HZ8FM2PA100418';
let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSeen(services, 'technician', 'al@scales.example', 'Al Rossi');
  await services.db.updateTable('technician').set({ companyName: 'Northern Scales', abn: '51 824 753 556' }).execute();
  const register = (rego: string, more: Record<string, string> = {}) =>
    registerVehicle(services, admin, {
      input: vehicleInput({ rego, axle_groups: 'STEER DRIVE', calibration_validated: 'yes', ...more }),
      choice: NO_FILES,
      key: undefined,
    });
  await register('XV04KL', { vin: VIN, scale_serial_number: 'BW-2 00484', company_name: 'Northern Haulage' });
  for (const nth of [1, 2, 3, 4, 5, 6, 7]) await register(`ZZ${nth}AB`, { company_name: 'Southern 100% Freight' });
  await register('AB');
  await register('XA0048', { plate_state: 'NSW' });
  await replateTo(services, admin, 'XA0048', { text: 'YD71QM', state: 'QLD', fromOn: '2026-05-03' });
  await newReference(services.db, admin.personId, 'Northern Creek');
  await recordHonestSet(services, tech, 'XV04KL', { ticket_number: 'HR-20048' });
  await recordHonestSet(services, other, 'ZZ1AB', { ticket_number: 'HR-20049' });
});
afterAll(() => services.stop());

async function found(who: SignedIn, text: string): Promise<Record<string, string[]>> {
  const { groups } = await findPage(services, who, text);
  return Object.fromEntries(groups.map(({ group, rows }) => [group, rows.map(({ title }) => title)]));
}

test('a truck is found by plate, former plate, VIN, serial and company', async () => {
  expect(await found(admin, 'xv04-kl')).toMatchObject({ Trucks: ['XV04KL'] });
  expect(await found(admin, VIN.toLowerCase())).toEqual({ Trucks: ['XV04KL'] });
  const { groups } = await findPage(services, admin, 'XA0048');
  expect(groups).toMatchObject([
    { group: 'Trucks', isExact: true, rows: [{ title: 'YD71QM', detail: 'formerly XA0048', isExact: true }] },
  ]);
  expect((await findPage(services, tech, '0048')).groups).toMatchObject([
    { group: 'Trucks', rows: [{ title: 'XV04KL', detail: 'Serial BW-2 00484' }] },
  ]);
  expect(await found(tech, 'northern')).toEqual({ Trucks: ['XV04KL'], Weighbridges: ['Northern Creek'] });
});

test('a group with an exact match leads, and within it the exact row; the empty ones share one line', async () => {
  expect(Object.keys(await found(admin, 'northern'))).toEqual(['Companies', 'People', 'Trucks', 'Weighbridges']);
  expect(Object.keys(await found(admin, 'Northern Creek'))[0]).toBe('Weighbridges');
  const page = await findPage(services, admin, 'ab');
  expect(page.groups[0]).toMatchObject({ group: 'Trucks', count: '8, the first 5', all: '/vehicles?q=ab' });
  expect(page.groups[0]?.rows[0]).toMatchObject({ title: 'AB', isExact: true });
  expect(page.none).toContain('weighbridges');
  expect((await findPage(services, admin, 'southern')).groups).toMatchObject([
    { group: 'Trucks', count: 'the first 5', all: '/vehicles?company=southern' },
  ]);
});

test('the office finds a report by its number and its truck', async () => {
  const { id } = await report(services, { vehicle: 'ZZ7AB' });
  await take(services, REPORTER_BY_MAIL, id, 'confirmed');
  const number = `R-${services.now().getFullYear()}-0001`;
  expect(await found(admin, number.toLowerCase())).toEqual({ Reports: [number] });
  expect((await found(admin, 'zz7ab')).Reports).toEqual([number]);
  expect((await found(tech, 'zz7ab')).Reports).toBeUndefined();
});

test('nothing found asks what was meant', async () => {
  expect(await findPage(services, tech, 'XV04KI')).toMatchObject({ groups: [], near: ['XV04KL'] });
});

test('a technician finds no person, and of visits and tickets their own', async () => {
  expect(await found(tech, 'nguyen')).toEqual({});
  expect(await found(admin, 'nguyen')).toEqual({ People: ['Jo Nguyen'] });
  expect(await found(admin, 'mia@registry.example')).toEqual({ People: ['Mia'] });
  expect(await found(admin, '51824753556')).toEqual({ Companies: ['Northern Scales'] });
  expect(await found(tech, 'hr-2004')).toEqual({ Tickets: ['HR-20048'] });
  expect((await found(admin, 'HR-2004')).Tickets?.toSorted()).toEqual(['HR-20048', 'HR-20049']);
  expect((await found(tech, 'ZZ1AB')).Visits).toBeUndefined();
  expect((await found(other, 'ZZ1AB')).Visits).toHaveLength(1);
  expect((await found(admin, 'ZZ1AB')).Visits).toHaveLength(1);
});

test('whatever is typed is only a text', async () => {
  for (const typed of ['%', '_', '\\', "'", '%%%', '___', '\u202e', '9'.repeat(60), 'x'.repeat(10_000)]) {
    const { text } = parseListAddress(new URLSearchParams({ q: typed }));
    for (const who of [admin, tech]) expect([typed, (await findPage(services, who, text)).groups]).toEqual([typed, []]);
  }
  expect(await found(admin, '100%')).toMatchObject({ Trucks: expect.arrayContaining(['ZZ2AB']) });
});
