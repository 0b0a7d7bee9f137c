import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import type { ListWay } from '#app/ui/site.ts';
import { withList } from '#app/ui/list-address.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { listWay } from './list-way.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
const REGOS = Array.from({ length: 12 }, (_, nth) => `WAY${String(nth + 1).padStart(2, '0')}`);

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  for (const rego of REGOS)
    await registerVehicle(services, admin, { input: vehicleInput({ rego }), choice: NO_FILES, key: undefined });
});
afterAll(() => services.stop());

const at = (address: string, who = admin): Promise<ListWay | null> =>
  listWay(services, who, new URL(address, 'https://registry.example'));
const opened = (record: string, list: string, who = admin) => at(withList(record, list), who);

test('a record knows its place in the list, and those beside it, over the edge of a page too', async () => {
  expect(await opened('/vehicles/view/WAY01', '/vehicles')).toEqual({
    of: '/vehicles/view/WAY01',
    label: 'Vehicles',
    list: '/vehicles',
    place: 1,
    total: 12,
    previous: null,
    next: '/vehicles/view/WAY02?from=/vehicles',
  });
  const last = await opened('/vehicles/view/WAY10', '/vehicles?q=way');
  expect(last).toMatchObject({ place: 10, previous: '/vehicles/view/WAY09?from=/vehicles%3Fq%3Dway' });
  const beyond = await at(last?.next ?? '');
  expect(beyond).toMatchObject({ of: '/vehicles/view/WAY11', place: 11, list: '/vehicles?q=way&page=2' });
  expect((await at(beyond?.previous ?? ''))?.of).toBe('/vehicles/view/WAY10');
  expect(await opened('/vehicles/view/WAY12', '/vehicles?at=WAY12')).toMatchObject({ place: 12, next: null });
});

test('every record is reached from the first, in the order of the list', async () => {
  const seen: string[] = [];
  let next: string | null = withList('/vehicles/view/WAY12', '/vehicles?sort=rego&dir=desc');
  while (next !== null) {
    const way: ListWay | null = await at(next);
    seen.push(way?.of.slice(-5) ?? '');
    next = way?.next ?? null;
  }
  expect(seen).toEqual(REGOS.toReversed());
});

test('a record that has left its list leads back to it, and to its first', async () => {
  expect(await opened('/vehicles/view/GONE1', '/vehicles')).toMatchObject({
    place: null,
    previous: null,
    next: '/vehicles/view/WAY01?from=/vehicles',
  });
});

test('only lists of the registry that the reader may open', async () => {
  for (const path of ['/vehicles/view/WAY01', '/vehicles', '/vehicles?q=WAY', '/vehicles?from=', '/technicians'])
    expect([path, await at(path)]).toEqual([path, null]);
  expect(await opened('/visits/1', '/visits', tech)).toBeNull();
  for (const list of [
    '',
    '/',
    '//evil.example',
    '/logs',
    'javascript:alert(1)',
    '/__proto__',
    'toString',
    '\0',
    'http://',
  ])
    expect([list, await opened('/vehicles/view/WAY01', list)]).toEqual([list, null]);
  expect(await opened('/vehicles/view/WAY01', 'https://evil.example/vehicles?page=1')).toMatchObject({
    list: '/vehicles?page=1',
  });
});

test.each([
  '/visits',
  '/check-visits',
  '/patterns?state=asked',
  '/admins',
  '/admins?state=auditor',
  '/applications',
  '/technicians',
  '/references',
])('a record of %s leads back to it', async (list) => {
  expect((await opened('/vehicles/view/WAY01', list))?.list).toBe(list);
});
