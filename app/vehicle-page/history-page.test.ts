// The page of the whole history: all visits, in pages; opened, it holds all of them against the log, and what it finds
// takes the tick from the vehicle's own page, which shows the newest visits only.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { historyPage } from './history-page.server.ts';
import { vehiclePage } from './vehicle-page.server.ts';

const DAY_MS = 86_400_000;
const REGO = 'OLD1';
const VISITS = 12;
let services: TestServices;
let jo: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2021-05-20T01:00:00Z');
  const mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const fields = { rego: REGO, vin: 'VINOLD1', axle_groups: 'STEER', calibration_validated: 'yes' };
  await registerVehicle(services, mia, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  for (let visit = 1; visit <= VISITS; visit += 1) {
    later(170);
    await recordHonestSet(services, jo, REGO, { nudge: visit * 2, ticket_number: `T${visit}`, notes: 'OFFICE-NOTE' });
  }
});
afterAll(() => services.stop());

const later = (days: number) => services.setNow(new Date(services.now().getTime() + days * DAY_MS).toISOString());
async function front() {
  const found = await vehiclePage(services, REGO, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
}
async function history(page: string | null = null, who: SignedIn | null = null) {
  const found = await historyPage(services, REGO, { asked: page, who });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
}
const alter = (value: string) =>
  services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update calibration set value = ${value}
      where id = (select min(id) from calibration where attribute = 'Empty Volt')`.execute(tx);
  });

test('the vehicle’s page shows the newest visits and leads to all, which stand in pages', async () => {
  const { history: newest, timeline, checked } = await front();
  expect({ ...newest, visits: newest.visits.length }).toEqual({ visits: 2, total: VISITS * 4, isWhole: false });
  expect(timeline.items.length).toBeLessThanOrEqual(8);
  expect(checked).toMatch(/Of this vehicle it was not yet\.$/);
  const [first, second, beyond] = [await history(), await history('2'), await history('99')];
  expect([first.visits.length, second.visits.length, first.pages]).toEqual([10, 2, 2]);
  expect(beyond.visits).toEqual(second.visits);
  expect(first.visits.slice(0, 2)).toEqual(newest.visits);
  expect(first.timeline?.items.filter(({ kind }) => kind === 'visit')).toHaveLength(VISITS);
  expect(second.timeline).toBeNull();
  expect(JSON.stringify(first)).not.toContain('OFFICE-NOTE');
  expect(JSON.stringify(await history(null, jo))).toContain('OFFICE-NOTE');
  expect((await front()).checked).toMatch(/^The whole history was last held against the public log on /);
});

test('what was altered in an old reading is found when its page is opened, and takes the tick from the vehicle’s page', async () => {
  await alter('0.5');
  expect((await front()).mismatches).toEqual([]);
  const finding = expect.stringMatching(/^calibration OLD1\/\d+: its value is not what was logged/);
  // Whichever of its pages it is.
  expect((await history('1')).mismatches).toEqual([finding]);
  expect((await front()).mismatches).toEqual([finding]);
  await alter('0.84');
  expect((await history('2')).mismatches).toEqual([]);
  expect((await front()).mismatches).toEqual([]);
});

test('that an old reading was taken away shows on the vehicle’s page by itself', async () => {
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from calibration where id = (select min(id) from calibration)`.execute(tx);
  });
  expect((await front()).mismatches).toEqual(['The log has 1 entry about readings that are gone.']);
  expect((await history()).mismatches).toEqual([expect.stringMatching(/the record is gone\.$/)]);
  expect((await front()).mismatches).toEqual([expect.stringMatching(/the record is gone\.$/)]);
});
