// What the page, the API, the report and a phone say of a check visit, to whom.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { fieldData } from '#app/field/field-data.server.ts';
import { askCheckVisit } from '#app/check-visits/office/ask-check-visit.server.ts';
import { apiApp } from '#server/api.ts';
import { weigh, weighedTruck } from '#test/check-visits.ts';
import { addSeen } from '#test/people.ts';
import { enforce } from '#test/policy.ts';
import { reportOf } from '#test/reports.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';

const REGO = 'NOTE1';
let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let other: SignedIn;
let checked: string;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSeen(services, 'technician', 'pat@scales.example', 'Pat Lee');
  services.setNow('2026-06-04T01:00:00Z');
  checked = await weighedTruck(services, { admin, tech }, REGO);
  services.setNow('2026-06-10T01:00:00Z');
});
afterAll(() => services.stop());

async function page(who: SignedIn | null = null) {
  const found = await vehiclePage(services, REGO, { asked: new URLSearchParams(), origin: 'http://localhost', who });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page;
}
const notes = async () => (await page()).evidence.notes.map(({ lead, rest }) => `${lead} ${rest}`);
const ofApi = async (): Promise<unknown> => (await apiApp(services).request(`/vehicles/${REGO}`)).json();
const onPhone = async (who: SignedIn) =>
  (await fieldData(services, who, [REGO])).trucks.map(({ checkUntilOn }) => checkUntilOn);

const WANTED =
  'A check visit is wanted: somebody else than the technician of 4 June 2026 weighs this truck again, until 9 August 2026.';

test('without one nothing is said', async () => {
  expect(await notes()).toEqual([]);
  expect(await ofApi()).toMatchObject({ check_visit: null, matches_log: true });
});

test('one that is wanted is said in one neutral sentence, and never whether somebody asked', async () => {
  await askCheckVisit(services, admin, { visitId: checked, note: 'PRIVATE', key: undefined });
  expect(await notes()).toEqual([`${WANTED} It says nothing about anybody.`]);
  await enforce(services.db, { checkVisitsPerMille: 1 });
  expect(await notes()).toEqual([`${WANTED} Trucks are also drawn at random: it says nothing about anybody.`]);
  await enforce(services.db, { checkVisitsPerMille: 0 });
  expect(JSON.stringify([await page(), await page(tech), await ofApi()])).not.toMatch(/PRIVATE|heck visit asked/);
  expect(await ofApi()).toMatchObject({
    check_visit: {
      visit: checked,
      visited_on: '2026-06-04',
      state: 'open',
      wanted_until: '2026-08-09',
      checked_by: null,
      result: null,
    },
    matches_log: true,
  });
  expect([await onPhone(tech), await onPhone(other)]).toEqual([[undefined], ['2026-08-09']]);
  expect((await reportOf(services, REGO)).evidence.notes).toMatchObject([{ lead: 'A check visit is wanted:' }]);
});

test('what came of it is said while the verdict rests on one of the two, and agrees moves nothing', async () => {
  services.setNow('2026-06-20T01:00:00Z');
  const closing = await weigh(services, other, REGO);
  expect(await notes()).toEqual([
    'A check visit was made: somebody else weighed this truck again on 20 June 2026, after the visit of 4 June 2026. The two agree within the tolerance.',
  ]);
  expect(await ofApi()).toMatchObject({ check_visit: { state: 'done', checked_by: closing, result: 'agrees' } });
  services.setNow('2026-07-20T01:00:00Z');
  await weigh(services, tech, REGO);
  expect(await notes()).toEqual([]);
});

test('one that was altered behind the log shows as a record that differs from it', async () => {
  await sql`update check_visit set result = 'disagrees'`.execute(services.db);
  expect((await page()).mismatches).toEqual([
    expect.stringMatching(/^check_visit .*: its result is not what was logged/),
  ]);
  expect(await ofApi()).toMatchObject({ matches_log: false });
});
