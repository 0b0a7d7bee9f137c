import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { decideOldest, replateTo } from '#test/plates.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, liveVehicle, recordHonestSet, visitsOf } from '#test/visits.ts';
import { listPlateRequests } from './decide-plate.server.ts';
import { listFormerPlates } from './plates.server.ts';
import { findVehicle } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from './remove-vehicle.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let made = 0;
/** Two regos that nobody has. */
let [a, b] = ['', ''];

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(async () => {
  const differences = await differencesFromLog(services.db);
  await services.stop();
  expect(differences).toEqual([]);
});
beforeEach(() => {
  made += 1;
  [a, b] = [`OLD${made}A`, `NEW${made}B`];
  services.setNow('2026-11-21T01:00:00Z');
});

const register = (rego: string, more: Record<string, string> = {}, who = admin) =>
  registerVehicle(services, who, {
    input: vehicleInput({ rego, vin: `6T9${rego}`, axle_groups: 'STEER', ...more }),
    choice: NO_FILES,
    key: undefined,
  });
const change = (rego: string, more: Parameters<typeof replateTo>[3], who = tech) =>
  replateTo(services, who, rego, more);
const entriesOf = (id: string) =>
  services.db
    .selectFrom('activityLog')
    .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'rego', 'topics', 'details', 'changes'])
    .where('subjectId', '=', id)
    .orderBy('activityLog.index', 'desc')
    .execute();

test('the truck stays the same: id, readings, followers; what is new is under the new plate', async () => {
  await register(a, { plate_state: 'NSW' });
  const { id, version } = await liveVehicle(services, a);
  await recordHonestSet(services, tech, a);
  const before = await listCalibrations(services.db, id);
  expect(await change(a, { text: b, state: 'QLD', why: 'another-state' })).toEqual({ changed: true, rego: b });
  const after = await liveVehicle(services, b);
  expect(after).toMatchObject({ id, rego: b, plateState: 'QLD' });
  expect(after.version).toBeGreaterThan(version);
  expect(await findVehicle(services.db, a)).toEqual({ state: 'unknown' });
  expect(await listFormerPlates(services.db, id)).toEqual([
    { rego: a, state: 'NSW', sinceOn: null, untilOn: '2026-11-21', why: 'another-state', isJoined: false },
  ]);
  const [entry] = await entriesOf(id);
  expect(entry).toMatchObject({
    kind: 'vehicle.replated',
    rego: b,
    details: `${a} NSW is ${b} QLD now, from 2026-11-21: another state`,
    changes: [
      { field: 'rego', from: a, to: b },
      { field: 'plate_state', from: 'NSW', to: 'QLD' },
    ],
  });
  expect(entry?.topics).toEqual(expect.arrayContaining([`vehicle:${a}`, `vehicle:${b}`]));
  services.setNow('2026-11-22T01:00:00Z');
  await recordHonestSet(services, tech, b);
  const readings = await listCalibrations(services.db, id);
  expect(readings.map(({ rego }) => rego)).toEqual([...Array<string>(4).fill(b), ...Array<string>(4).fill(a)]);
  expect(readings.slice(4)).toEqual(before);
});

test('a reading under a former plate is corrected, whoever has that plate now', async () => {
  await register(a);
  await recordHonestSet(services, tech, a);
  const [{ id: visit } = { id: '' }] = await visitsOf(services, a);
  await change(a, { text: b });
  await register(a, { vin: '6T9OTHER' });
  services.setNow('2026-11-22T01:00:00Z');
  await recordHonestSet(services, tech, a);
  // At the very moment at which the other truck was read: their ids stay apart.
  const corrected = await correctVisit(services, tech, b, visit, { due_date: '2027-01-31' });
  expect(corrected).not.toContainEqual(expect.objectContaining({ corrected: false }));
  const { id } = await liveVehicle(services, b);
  const readings = await listCalibrations(services.db, id);
  expect(readings.filter(({ correctsId }) => correctsId !== null).map(({ rego }) => rego)).toEqual([a, a, a, a]);
});

test('what cannot be is refused, and writes nothing', async () => {
  await register(a, { plate_state: 'NSW' });
  await register(b);
  const { id } = await liveVehicle(services, a);
  const refused = async (more: Parameters<typeof replateTo>[3]) => {
    const answer = await change(a, more, admin);
    return 'reason' in answer ? answer.reason : answer;
  };
  expect(await refused({ text: a, state: 'NSW' })).toBe('same');
  expect(await refused({ text: `${b}X`, fromOn: '2026-11-22' })).toBe('future');
  expect(await refused({ text: b })).toBe('taken');
  expect(await refused({ text: b, state: 'QLD' })).toBe('taken');
  expect(await refused({ text: `${b}X`, opened: `${a} VIC` })).toBe('stale');
  expect((await entriesOf(id)).map(({ kind }) => kind)).toEqual(['vehicle.added']);
  expect(await change(b, { text: b, state: 'QLD' })).toMatchObject({ reason: 'state-added' });
});

test('a day lies within the present plate, and not within another truck’s', async () => {
  await register(a);
  await change(a, { text: b, fromOn: '2026-10-01' });
  expect(await change(b, { text: `${b}C`, fromOn: '2026-09-30' })).toMatchObject({
    reason: 'too-early',
    since: '2026-10-01',
  });
  await register(`${a}X`);
  const early = await change(`${a}X`, { text: a, fromOn: '2026-09-30' }, admin);
  expect(early).toMatchObject({ reason: 'overlaps', rego: b, untilOn: '2026-10-01' });
  expect(await change(`${a}X`, { text: a, fromOn: '2026-10-01' }, admin)).toEqual({ changed: true, rego: a });
});

test('typed wrong: the plate is as old as the wrong one', async () => {
  await register(a);
  await change(a, { text: `${a}X`, fromOn: '2026-10-01' });
  await change(`${a}X`, { text: b, why: 'typed-wrong', fromOn: '2026-10-15' });
  const { id } = await liveVehicle(services, b);
  expect((await listFormerPlates(services.db, id)).at(-1)).toEqual({
    rego: `${a}X`,
    state: '',
    sinceOn: '2026-10-01',
    untilOn: '2026-11-21',
    why: 'typed-wrong',
    isJoined: false,
  });
});

test('a technician’s change to a plate that was another’s waits for an admin', async () => {
  await register(a);
  await change(a, { text: `${a}X` });
  await register(b);
  expect(await change(b, { text: a })).toEqual({ changed: false, asked: true });
  expect(await change(b, { text: a })).toEqual({ changed: false, reason: 'asked-already' });
  expect((await liveVehicle(services, b)).rego).toBe(b);
  expect(await listPlateRequests(services.db)).toMatchObject([{ vehicle: b, rego: a, name: 'Jo Nguyen' }]);
  expect(await decideOldest(services, admin, 'decline')).toEqual({ decided: true, rego: b });
  expect(await change(b, { text: a })).toEqual({ changed: false, asked: true });
  expect(await decideOldest(services, admin, 'confirm')).toEqual({ decided: true, rego: a });
  expect(await decideOldest(services, admin, 'confirm')).toEqual({ decided: false, reason: 'gone' });
  const { id } = await liveVehicle(services, a);
  expect((await entriesOf(id)).map(({ kind }) => kind)).toEqual([
    'vehicle.replated',
    'plate.asked',
    'plate.declined',
    'plate.asked',
    'vehicle.added',
  ]);
});

test('two trucks swap their plates by way of a third, on one day', async () => {
  await register(a);
  await register(b);
  const [first, second] = [(await liveVehicle(services, a)).id, (await liveVehicle(services, b)).id];
  await change(a, { text: `${a}X` }, admin);
  await change(b, { text: a }, admin);
  await change(`${a}X`, { text: b }, admin);
  expect([(await liveVehicle(services, b)).id, (await liveVehicle(services, a)).id]).toEqual([first, second]);
});

test('of many who want one plate at once, one gets it', async () => {
  const trucks = ['P', 'Q', 'R', 'S'].map((letter) => `${a}${letter}`);
  for (const rego of trucks) await register(rego);
  const answers = await Promise.all(trucks.map((rego) => change(rego, { text: b }, admin)));
  expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
  expect(answers.filter((answer) => 'reason' in answer && answer.reason === 'taken')).toHaveLength(3);
});

test('sent twice it is one change', async () => {
  await register(a);
  const key = '7d1fdc0f-7a0e-4f43-9d5a-64c1d1a4a9f1';
  const twice = { text: b, opened: a, key };
  expect(await change(a, twice)).toEqual({ changed: true, rego: b });
  expect(await change(b, twice)).toEqual({ changed: true, rego: b });
  expect(await listFormerPlates(services.db, (await liveVehicle(services, b)).id)).toHaveLength(1);
});

test('one text in two states: both states are known, and an admin adds the second', async () => {
  await register(a);
  const exists = { registered: false, reason: 'exists' };
  expect(await register(a, { vin: '6T9SECOND' })).toEqual(exists);
  expect(await register(a, { plate_state: 'QLD' })).toEqual({ registered: false, reason: 'exists-without-state' });
  const { version } = await liveVehicle(services, a);
  const input = vehicleInput({
    rego: a,
    plate_state: 'NSW',
    vin: `6T9${a}`,
    axle_groups: 'STEER',
    version: String(version),
  });
  expect(await updateVehicle(services, tech, { rego: a, input, choice: NO_FILES, key: undefined })).toEqual({
    updated: true,
  });
  expect(await register(a, { plate_state: 'QLD' }, tech)).toEqual({ registered: false, reason: 'exists-for-admins' });
  expect(await register(a, { plate_state: 'NSW' })).toEqual(exists);
  expect(await register(a, { plate_state: 'QLD', vin: '6T9SECOND' })).toEqual({ registered: true, rego: `${a}-QLD` });
  // A known state changes with the plate.
  const later = { ...input, plate_state: 'VIC', version: version + 1 };
  expect(
    await updateVehicle(services, admin, { rego: a, input: later, choice: NO_FILES, key: undefined }),
  ).toMatchObject({
    reason: 'plate-state',
  });
  // By a change of its plate too; a technician’s waits.
  await register(b);
  expect(await change(b, { text: a, state: 'VIC' })).toEqual({ changed: false, asked: true });
  expect(await decideOldest(services, admin, 'confirm')).toEqual({ decided: true, rego: `${a}-VIC` });
  await removeVehicle(services.db, admin, { rego: a });
  expect(await register(a, { plate_state: 'QLD' })).toEqual(exists);
  const removed = services.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', a)
    .where('deletedAt', 'is not', null);
  const { id } = await removed.executeTakeFirstOrThrow();
  expect(await restoreVehicle(services.db, admin, { id })).toEqual({ restored: true, rego: a });
});
