// What one page finds altered, every answer says from then on, and no longer once it is mended.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FOR_REPLICA, openDatabase } from '#app/platform/database/database.server.ts';
import { judgeFollowed } from '#app/following/judge-followed.server.ts';
import { allAnswers } from '#app/check-list/check-list.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { listVehicles } from '#app/vehicles/list-vehicles.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { apiApp } from '#server/api.ts';
import { dropChecks } from '#test/altered-column.ts';
import { enterAsOwner } from '#test/database-owner.ts';
import { addSeen } from '#test/people.ts';
import { addTruck } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { liveVehicle, recordHonestSet } from '#test/visits.ts';
import { historyPage } from './history-page.server.ts';
import { vehiclePage } from './vehicle-page.server.ts';

const REGO = 'ALT1';
let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  await addTruck(services, await addSeen(services, 'admin', 'mia@registry.example', 'Mia'), REGO);
  const jo = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  await recordHonestSet(services, jo, REGO);
});
afterAll(() => services.stop());

const openPage = () =>
  vehiclePage(services, REGO, { asked: new URLSearchParams(), origin: 'http://localhost', who: null });
const MATCH = { api: true, check: true, search: true, list: true, sorted: true, followers: 'valid' };
const ALTERED = { api: false, check: false, search: false, list: false, sorted: false, followers: 'no-match' };

async function answers() {
  const { db, config, now } = services;
  const { id } = await liveVehicle(services, REGO);
  const today = todayIn(config.timeZone, now());
  const [checked] = await allAnswers(db, [{ number: 1, text: REGO, isHeading: false }], today);
  const said: unknown = await (await apiApp(services).request(`/vehicles/${REGO}`)).json();
  const listed = (query: string) =>
    listVehicles(db, parseListQuery(new URLSearchParams(query)), { today, policy: FIRST_POLICY });
  return {
    api: typeof said === 'object' && said !== null && 'matches_log' in said ? said.matches_log : undefined,
    check: checked?.kind === 'found' && checked.matchesLog,
    search: !(await searchVehicles(db, REGO, 1)).mismatched.has(id),
    list: !(await listed('')).mismatched.has(id),
    sorted: !(await listed('sort=due')).mismatched.has(id),
    followers: (await judgeFollowed(db, id, { today, zone: config.timeZone })).state,
  };
}
const told = async () => {
  const entries = services.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index');
  const rows = await entries
    .select(['details', 'topics'])
    .where('kind', '=', 'history.checked')
    .orderBy('activityLog.index')
    .execute();
  return rows.map(({ details, topics }) => [details, topics.includes(`vehicle:${REGO}`), topics.includes('vehicles')]);
};

test('an altered reading that a page finds is said by API, /check, lists and to followers at once, and once', async () => {
  await openPage();
  expect(await answers()).toEqual(MATCH);
  const owner = await enterAsOwner(services.address, ['calibration']);
  await owner.query(dropChecks('calibration'));
  const alter = `update calibration set value = '9.99' where attribute = 'Loaded Volt' and axle = 'DRIVE'`;
  await owner.whenDone(alter, async () => {
    expect(await answers()).toEqual(MATCH);
    for (let opened = 0; opened < 3; opened += 1) await openPage();
    expect(await answers()).toEqual(ALTERED);
    expect(await told()).toEqual([[`${REGO}: records are not what was logged`, true, true]]);
  });
  // What was seen stays until the whole history is checked.
  expect(await answers()).toEqual(ALTERED);
  await historyPage(services, REGO, { asked: null, who: null });
  expect(await answers()).toEqual(MATCH);
  await openPage();
  expect(await told()).toEqual([
    [`${REGO}: records are not what was logged`, true, true],
    [`${REGO}: every record is what was logged again`, true, true],
  ]);
  await owner.leave();
});

test('whatever answer sees it first, the others follow: a list of readings, sets, the check of many, a list', async () => {
  const { db, config, now } = services;
  const today = todayIn(config.timeZone, now());
  const api = async (path: string) => void (await (await apiApp(services).request(`/vehicles/${REGO}${path}`)).text());
  const ofReading = `update calibration set value = '9.99' where attribute = 'Loaded Volt' and axle = 'DRIVE'`;
  const ofVehicle = `update vehicle set make = 'Another'`;
  const seen: [string, string, () => Promise<unknown>][] = [
    ['readings', ofReading, () => api('/calibrations')],
    ['sets', ofReading, () => api('/sets')],
    ['vehicle', ofVehicle, () => api('')],
    ['search', ofVehicle, () => searchVehicles(db, REGO, 1)],
    ['check', ofVehicle, () => allAnswers(db, [{ number: 1, text: REGO, isHeading: false }], today)],
  ];
  const owner = await enterAsOwner(services.address, ['calibration', 'vehicle']);
  await owner.query(dropChecks('calibration'));
  for (const [name, alter, see] of seen) {
    await historyPage(services, REGO, { asked: null, who: null });
    expect([name, await answers()]).toEqual([name, MATCH]);
    await owner.whenDone(alter, see);
    expect([name, await answers()]).toEqual([name, ALTERED]);
    await historyPage(services, REGO, { asked: null, who: null });
  }
  await owner.leave();
});

test('of a database that can only be read the page is answered all the same', async () => {
  const owner = await enterAsOwner(services.address, ['calibration']);
  const alter = `update calibration set value = '9.99' where attribute = 'Loaded Volt' and axle = 'DRIVE'`;
  await owner.whenDone(alter, async () => {
    const { db, pool } = openDatabase(services.address, { patience: FOR_REPLICA });
    const { state } = await vehiclePage({ ...services, db }, REGO, {
      asked: new URLSearchParams(),
      origin: 'http://localhost',
      who: null,
    });
    expect(state).toBe('live');
    expect(await answers()).toEqual(MATCH);
    await pool.end();
  });
  await owner.leave();
});
