// What a correction does to its entry, its visit and the truck's due date.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { vehicleInput, NO_FILES } from '#test/vehicles.ts';
import { calibrationSchema, correctionSchema } from './calibration-entry.ts';
import type { CalibrationAttribute } from '#app/readings/calibration.ts';
import { correctCalibration } from './correct-calibration.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import { recordCalibration } from './record-calibration.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let other: SignedIn;
let rego: string;
let count = 0;
const TODAY = '2026-11-21';
const ZONE = 'Australia/Sydney';
const NOW = new Date('2026-11-21T01:00:00Z');
const WITHIN = new Date('2026-11-22T01:00:00Z');
const LATE = new Date('2026-12-01T01:00:00Z');

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSignedIn(services, 'technician', 'other@scales.example', '');
});
afterAll(() => services.stop());
beforeEach(async () => {
  rego = `COR${(count += 1)}`;
  await register({ axle_groups: 'DRIVE' });
});

const register = (more: Record<string, string>) =>
  registerVehicle(services, admin, { input: vehicleInput({ rego, ...more }), choice: NO_FILES, key: undefined });
async function record(more: Record<string, string> = {}, now = NOW): Promise<number> {
  const entered = { axle: 'drive', attribute: 'Loaded Weight', value: '15640', confirmed: 'yes', ...more };
  const input = calibrationSchema(TODAY).parse(entered);
  const answer = await recordCalibration(services.db, tech, { rego, input, now, zone: ZONE, key: undefined });
  return answer.recorded ? answer.id : -1;
}
/** A whole visit to the drive axle; the entries state these due dates. Returns the ids of the entries. */
async function recordVisit([first, second, third, last]: readonly [string, string, string, string], loaded = '15640') {
  return [
    await record({ attribute: 'Empty Volt', value: '0.92', due_date: first }),
    await record({ attribute: 'Loaded Volt', value: '3.18', due_date: second }),
    await record({ attribute: 'Empty Weight', value: String(4700 + count), due_date: third }),
    await record({ value: loaded, due_date: last }),
  ] as const;
}
const correct = (id: number, more: Record<string, string>, { who = tech, now = WITHIN } = {}) => {
  const entered = { axle: 'drive', attribute: 'Loaded Weight', value: '15640', reason: 'A zero too many', ...more };
  return correctCalibration(services.db, who, {
    rego,
    id,
    input: correctionSchema.parse(entered),
    now,
    key: undefined,
    zone: ZONE,
  });
};
const vehicle = async () => {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
};
const readings = async () => listCalibrations(services.db, (await vehicle()).id);
const visits = async () =>
  services.db
    .selectFrom('visit')
    .select(['state', 'judged', 'dueOn'])
    .where('vehicleId', '=', (await vehicle()).id)
    .orderBy('openedAt')
    .execute();
const logged = async () =>
  services.db
    .selectFrom('activityLog')
    .select('kind')
    .where('subjectId', 'like', `${rego}/%`)
    .orderBy('index')
    .execute();
/** An entry of the former register, which belongs to no visit. */
async function addImported(id: number, attribute: CalibrationAttribute, dueOn: string) {
  const { id: vehicleId } = await vehicle();
  const reading = { id, axle: 'DRIVE', attribute, value: '1', dueOn, calibratedAt: NOW } as const;
  await services.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('calibration')
      .values({ rego, vehicleId, ...reading, origin: 'imported' })
      .execute();
    await appendLeaves(tx, [calibrationEvent({ id: vehicleId, rego }, reading, { technician: null })]);
  });
}

test('a wrong entry is superseded, once, with a reason; both stay, and its visit is judged again', async () => {
  const due = '2027-11-22';
  const [, , , id] = await recordVisit([due, due, due, '2027-05-14'], '156400');
  expect(await visits()).toMatchObject([{ state: 'waits', judged: 'waits' }]);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, restsOn: 'nothing' });
  const input = { due_date: '2027-05-14' };
  expect(await correct(id, input, { who: other })).toEqual({ corrected: false, reason: 'not-yours' });
  const answers = await Promise.all([correct(id, input), correct(id, input, { who: admin }), correct(id, input)]);
  expect(answers.filter(({ corrected }) => corrected)).toHaveLength(1);
  expect(answers.filter((answer) => !answer.corrected && answer.reason === 'corrected-already')).toHaveLength(2);
  const all = await readings();
  expect(all).toHaveLength(5);
  expect(all[0]).toMatchObject({ correctsId: id, correctionReason: 'A zero too many', calibratedAt: new Date(id) });
  expect(all[1]).toMatchObject({ id, value: '156400', supersededBy: all[0]?.id });
  // The slip alone had held the visit back.
  expect(await visits()).toEqual([{ state: 'counts', judged: 'counts', dueOn: '2027-05-14' }]);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-05-14', restsOn: 'visit' });
  const recorded = Array.from({ length: 4 }, () => 'calibration.recorded');
  expect((await logged()).map(({ kind }) => kind)).toEqual([...recorded, 'calibration.corrected']);
});

test('a correction moves the due date only where its entry stated the earliest; a late one that moves it later waits', async () => {
  const [volts, , weight, earliest] = await recordVisit(['2027-03-01', '2027-02-20', '2027-05-14', '2027-02-01']);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-01' });
  await correct(weight, { attribute: 'Empty Weight', value: '4780' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-01' });
  const moved = await correct(earliest, {});
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-20', restsOn: 'visit' });
  const late = { attribute: 'Empty Volt', value: '0.92', due_date: '2027-02-10' };
  const sooner = await correct(volts, late, { now: LATE });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-10', restsOn: 'visit' });
  await correct(moved.corrected ? moved.id : -1, {}, { now: LATE });
  expect(await visits()).toMatchObject([{ state: 'counts' }]);
  await correct(sooner.corrected ? sooner.id : -1, { ...late, due_date: '2027-02-28' }, { now: LATE });
  expect(await visits()).toEqual([{ state: 'waits', judged: 'counts', dueOn: '2027-02-20' }]);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, restsOn: 'nothing' });
});

test('a correction that ends the rule of its visit never buys a later due date by an older one', async () => {
  await recordVisit(['2027-11-01', '2027-11-01', '2027-11-01', '2027-11-01']);
  const next = new Date('2026-11-22T01:00:00Z');
  await record({ attribute: 'Empty Volt', value: '0.92', due_date: '2027-02-01' }, next);
  await record({ attribute: 'Loaded Volt', value: '3.18', due_date: '2027-02-01' }, next);
  await record({ attribute: 'Empty Weight', value: String(4710 + count), due_date: '2027-02-01' }, next);
  const id = await record({ value: '15650', due_date: '2027-02-01' }, next);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-01' });
  expect(await correct(id, { value: '1', due_date: '2027-02-01' })).toMatchObject({ corrected: true });
  expect((await visits()).map(({ state }) => state)).toEqual(['counts', 'waits']);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-01', restsOn: 'visit' });
  // What was mended counts again, by its own due date; then the older one's is not asked.
  const wrong = (await readings()).find(({ value }) => value === '1')?.id ?? 0;
  expect(await correct(wrong, { value: '15650', due_date: '2027-01-01' })).toMatchObject({ corrected: true });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-01-01' });
});

test('a correction months later finds its visit closed, though nothing else has closed it yet', async () => {
  const id = await record({ due_date: '2027-02-01' });
  await correct(id, { due_date: '2027-11-01' }, { now: LATE });
  expect(await visits()).toEqual([{ state: 'waits', judged: 'partial', dueOn: '2027-11-01' }]);
});

test('of entries from before there were visits a correction moves the due date earlier, never later', async () => {
  rego = `OLD${count}`;
  await register({ next_calibration_due: '2027-03-01' });
  await addImported(5, 'Loaded Weight', '2027-03-01');
  await addImported(6, 'Empty Weight', '2027-02-01');
  const dueAfter = async (id: number, due_date: string) => {
    const answer = await correct(id, { due_date }, { who: admin });
    const { nextCalibrationDueOn } = await vehicle();
    return { id: answer.corrected ? answer.id : -1, nextCalibrationDueOn };
  };
  // The truck's due date is not that entry's.
  expect(await dueAfter(6, '2027-01-01')).toMatchObject({ nextCalibrationDueOn: '2027-03-01' });
  const sooner = await dueAfter(5, '2027-02-15');
  expect(sooner.nextCalibrationDueOn).toBe('2027-02-15');
  const later = await dueAfter(sooner.id, '2027-05-14');
  expect(later.nextCalibrationDueOn).toBe('2027-02-15');
  expect(await dueAfter(later.id, '')).toMatchObject({ nextCalibrationDueOn: '2027-02-15' });
  expect(await vehicle()).toMatchObject({ restsOn: '' });
});

test('a correction takes a due date within 366 days of the reading’s day, or the one that was there', async () => {
  // Late in the evening of 20 November in UTC it is 21 November in the registry's zone.
  const id = await record({}, new Date('2026-11-20T13:30:00Z'));
  const due = (of: number, due_date: string) =>
    correct(of, { due_date }, { who: admin, now: new Date('2030-01-01T00:00:00Z') });
  const before = await logged();
  for (const [day, message] of [
    ['2099-01-01', 'The due date is more than 366 days after the calibration. Check the year.'],
    ['2027-11-23', 'The due date is more than 366 days after the calibration. Check the year.'],
    ['2026-11-20', 'The due date is before the calibration.'],
  ] as const)
    expect(await due(id, day)).toEqual({ corrected: false, reason: 'due-date', message });
  expect(await logged()).toEqual(before);
  expect(await due(id, '2027-11-22')).toMatchObject({ corrected: true });
  expect((await readings())[0]).toMatchObject({ correctsId: id, dueOn: '2027-11-22' });

  // An entry that is imported or older than the limit: its own date is accepted again, another one is refused.
  await addImported(5, 'Loaded Weight', '2031-05-14');
  expect(await due(5, '2031-05-15')).toMatchObject({ corrected: false, reason: 'due-date' });
  const kept = await due(5, '2031-05-14');
  expect(kept).toMatchObject({ corrected: true });
  expect(await due(kept.corrected ? kept.id : -1, '2031-05-14')).toMatchObject({ corrected: true });
});

test('nothing that was done to these trucks differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});
