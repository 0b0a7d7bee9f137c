// VINs that older versions took though they only say that there is none: they count as empty, and the record stays.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { exportLines } from './export-vehicles.server.ts';
import { parseListQuery } from './list-query.ts';
import { listVehicles } from './list-vehicles.server.ts';
import { findVehicle } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { searchVehicles } from './search-vehicles.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';
import { vehicleSchema } from './vehicle-entry.ts';
import { textsOf } from './vehicle-columns.server.ts';
import { isPlaceholder, knownVin, PLACEHOLDERS } from './vehicle.ts';

let services: TestServices;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices();
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  // As an older version wrote them: by the same write, past the form.
  for (const [rego, vin] of [
    ['OLD1', 'UNKNOWN'],
    ['OLD2', 'TBA'],
    ['OLD3', '00000000'],
    ['NEW1', 'CHUNK123'],
  ] as const) {
    const input = { ...vehicleInput({ rego }), vin };
    await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
  }
});
afterAll(() => services.stop());

const regosOf = async (text: string) => (await searchVehicles(services.db, text, 1)).items.map(({ rego }) => rego);
const listed = async (text: string, sort = 'rego') => {
  const query = parseListQuery(new URLSearchParams({ q: text, sort }));
  const { items, total, counts } = await listVehicles(services.db, query, {
    today: '2026-11-21',
    policy: FIRST_POLICY,
  });
  return { regos: items.map(({ rego }) => rego), total, counted: Object.values(counts).reduce((sum, n) => sum + n, 0) };
};

test('the form refuses them, and says what to do', () => {
  for (const vin of ['TBA', 'n/a', 'Unknown', 'XXXXX', '000', '???'])
    expect(vehicleSchema.safeParse({ rego: 'A1', vin }).error?.issues).toMatchObject([
      { path: ['vin'], message: expect.stringContaining('leave it empty') },
    ]);
});

test('SQL and the form have the same list', async () => {
  const texts = [...PLACEHOLDERS, '', '0', 'XXXX', 'AB', 'NA1', '6T9HZ8FM2PA100418'];
  const { rows } = await sql<{ vin: string; known: string }>`
    select vin, known_vin(vin) as known from unnest(${texts}::text[]) vin`.execute(services.db);
  expect(rows.map(({ known }) => known)).toEqual(rows.map(({ vin }) => knownVin(vin)));
  expect(PLACEHOLDERS.every(isPlaceholder)).toBe(true);
});

test('no search finds them, before the counts are added up and after', async () => {
  for (let again = 0; again < 2; again += 1) {
    for (const text of ['UNKNOWN', 'TBA', '00000000', 'NKN', 'TB', '000']) {
      expect([text, await regosOf(text)]).toEqual([text, []]);
      expect([text, await listed(text)]).toEqual([text, { regos: [], total: 0, counted: 0 }]);
      expect([text, (await listed(text, 'due')).regos]).toEqual([text, []]);
    }
    expect(await regosOf('UNK')).toEqual(['NEW1']);
    expect(await regosOf('CHUNK')).toEqual(['NEW1']);
    expect(await regosOf('OLD')).toEqual(['OLD1', 'OLD2', 'OLD3']);
    await sql`select fold_vehicle_grams(1)`.execute(services.db);
  }
});

test('files and forms show none, and an export can be read again', async () => {
  const found = await findVehicle(services.db, 'OLD2');
  if (found.state !== 'live') throw new Error('it is there');
  expect(textsOf(found.vehicle).vin).toBe('');
  const lines: string[] = [];
  const context = { today: '2026-11-21', policy: await currentPolicy(services.db), origin: 'https://x' };
  for await (const line of exportLines(services.db, parseListQuery(new URLSearchParams()), context)) lines.push(line);
  expect(lines.join('')).not.toMatch(/UNKNOWN|TBA|00000000/);
});

test('the records stay as they were logged, until somebody enters a VIN', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
  const found = await findVehicle(services.db, 'OLD3');
  if (found.state !== 'live') throw new Error('it is there');
  const input = { ...vehicleInput({ rego: 'OLD3', vin: '6T9HZ8FM2PA100418' }), version: found.vehicle.version };
  await updateVehicle(services, admin, { rego: 'OLD3', input, choice: NO_FILES, key: undefined });
  expect(await regosOf('PA100418')).toEqual(['OLD3']);
  expect(await regosOf('000')).toEqual([]);
  expect(await differencesFromLog(services.db)).toEqual([]);
});
