import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { LONGEST_INTERVAL_DAYS } from '#app/policy/policy.ts';
import { findVehicle, findVehicleById } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addSignedIn } from '#test/people.ts';
import { vehicleInput, NO_FILES } from '#test/vehicles.ts';
import { READING_PLACES } from '#test/visits.ts';
import { calibrationSchema, correctionSchema } from './calibration-entry.ts';
import { finishVisit } from '#app/visits/close-visit.server.ts';
import { correctCalibration } from './correct-calibration.server.ts';
import { listReadingsBeside, readEntryRules } from './entry-rules.server.ts';
import { findCalibration, listCalibrations } from '#app/readings/queries.server.ts';
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

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  other = await addSignedIn(services, 'technician', 'other@scales.example', '');
});
afterAll(() => services.stop());
beforeEach(async () => {
  rego = `CAL${(count += 1)}`;
  await registerVehicle(services, admin, { input: vehicleInput({ rego }), choice: NO_FILES, key: undefined });
});

const entry = (more: Record<string, string> = {}) =>
  calibrationSchema(TODAY).parse({ axle: 'drive', attribute: 'Loaded Weight', value: '15640.50', ...more });
const record = (more: Record<string, string> = {}, who = tech, now = NOW, key: unknown = undefined) =>
  recordCalibration(services.db, who, { rego, input: entry(more), now, zone: ZONE, key });
const vehicle = async () => {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
};
const readings = async () => listCalibrations(services.db, (await vehicle()).id);
const openVisits = async () => {
  const { id } = await vehicle();
  return services.db.selectFrom('visit').select('id').where('vehicleId', '=', id).where('state', '=', 'open').execute();
};
const logged = async () =>
  services.db
    .selectFrom('activityLog')
    .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'subjectId', 'changes'])
    .where('subjectId', 'like', `${rego}/%`)
    .orderBy('activityLog.index')
    .execute();

test('an entry is kept exactly as entered, in the name of the person who is signed in, at the server’s time', async () => {
  const answer = await record();
  expect(answer).toEqual({ recorded: true, id: NOW.getTime() });
  expect(await readings()).toMatchObject([
    {
      id: NOW.getTime(),
      axle: 'DRIVE',
      attribute: 'Loaded Weight',
      value: '15640.50',
      dueOn: null,
      technicianName: 'Jo Nguyen',
      calibratedAt: NOW,
    },
  ]);
  expect(await logged()).toEqual([
    { kind: 'calibration.recorded', subjectId: `${rego}/${NOW.getTime()}`, changes: [] },
  ]);
  await record({}, other, new Date(NOW.getTime() + 5));
  expect((await readings())[0]?.technicianName).toBe('other@scales.example');
});

test('a group that only a trailer has is refused on a truck, and writes nothing', async () => {
  expect(await record({ axle: 'rear' })).toEqual({ recorded: false, reason: 'other-kind' });
  expect([await readings(), await logged()]).toEqual([[], []]);
});

test('no due date of an open visit moves the vehicle’s; the earliest of its entries does when it closes', async () => {
  rego = `DUE${count}`;
  await registerVehicle(services, admin, {
    input: vehicleInput({ rego, axle_groups: 'DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });
  const read = (attribute: string, value: string, due_date = '') =>
    record({ attribute, value, due_date, confirmed: 'yes' });
  await read('Empty Volt', '0.92', '2027-05-14');
  await read('Loaded Volt', '3.18', '2027-01-01');
  await read('Empty Weight', '4780');
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, restsOn: 'nothing', version: 1 });
  await read('Loaded Weight', '15640', '2027-03-01');
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-01-01', restsOn: 'visit', version: 2 });
  expect((await logged()).map(({ changes }) => changes)).toEqual([
    [],
    [],
    [],
    [
      { field: 'visit_state', from: 'open', to: 'counts' },
      { field: 'next_calibration_due', from: null, to: '2027-01-01' },
    ],
  ]);
});

test('forty in one millisecond, and a clock that steps back, get ids of their own', async () => {
  // One of each place by each of three people: their visits have it once.
  const left = [tech, other, admin].flatMap((who) => READING_PLACES.map((place) => ({ who, place })));
  const next = (now?: Date) => {
    const { who, place } = left.shift() ?? { who: tech, place: {} };
    return record(place, who, now);
  };
  const answers = await Promise.all(Array.from({ length: 40 }, () => next()));
  const ids = answers.map((answer) => (answer.recorded ? answer.id : -1)).toSorted((a, b) => a - b);
  expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => NOW.getTime() + index));
  expect(await next(new Date(NOW.getTime() - 1))).toEqual({ recorded: true, id: NOW.getTime() + 40 });
  // The clock had been wrong by a day: a new record does not continue from that day.
  const dayBack = NOW.getTime() - 24 * 3_600_000;
  expect(await next(new Date(dayBack))).toEqual({ recorded: true, id: dayBack });
  expect(await next(new Date(dayBack))).toEqual({ recorded: true, id: dayBack + 1 });
});

test('a form sent twice, or eight times at once, is one entry with one answer', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => record({}, tech, new Date(), key)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await record({}, tech, new Date(), key)).toEqual(answers[0]);
  expect(await readings()).toHaveLength(1);
  expect(await logged()).toHaveLength(1);
});

test('of eight who record one place at once each has it in their own visit; of one person’s eight, one is recorded', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => record({ value: String(n) }, n % 2 === 0 ? tech : other, NOW, randomUUID())),
  );
  const recorded = answers.flatMap((answer) => (answer.recorded ? answer.id : []));
  expect(recorded).toHaveLength(2);
  const refused = new Set(answers.filter((answer) => !answer.recorded).map((answer) => JSON.stringify(answer)));
  expect([...refused].toSorted()).toEqual(
    recorded.toSorted().map((id) => JSON.stringify({ recorded: false, reason: 'recorded-already', id })),
  );
  expect(await readings()).toHaveLength(2);
  expect(await openVisits()).toHaveLength(2);
});

test('the form of a lost answer, sent again with another value, is another write: it is told which entry is there', async () => {
  const key = randomUUID();
  const first = await record({ value: '4.20' }, tech, NOW, key);
  const id = first.recorded ? first.id : -1;
  expect(await record({ value: '4.25' }, tech, NOW, key)).toEqual({ recorded: false, reason: 'recorded-already', id });
  expect(await record({ value: '4.20' }, tech, NOW, key)).toEqual(first);
  // Of another axle it is an entry of its own.
  expect(await record({ value: '4.25', axle: 'steer' }, tech, NOW, key)).toEqual({ recorded: true, id: id + 1 });
  expect((await readings()).map(({ value }) => value).toSorted()).toEqual(['4.20', '4.25']);
});

test('removal against recording, at once: either the entry is there, or the technician is told', async () => {
  for (let round = 0; round < 25; round += 1) {
    rego = `RACE${round}`;
    await registerVehicle(services, admin, { input: vehicleInput({ rego }), choice: NO_FILES, key: undefined });
    const [recorded, removed] = await Promise.all([record(), removeVehicle(services.db, admin, { rego })]);
    expect(removed).toEqual({ removed: true });
    const found = await services.db.selectFrom('calibration').select('id').where('rego', '=', rego).execute();
    expect(found).toHaveLength(recorded.recorded ? 1 : 0);
    if (!recorded.recorded) expect(recorded.reason).toBe('removed');
  }
});

test('the rego added again has no entries of the old record, and ids never clash over both', async () => {
  await record();
  const old = await vehicle();
  await removeVehicle(services.db, admin, { rego });
  expect(await record()).toEqual({ recorded: false, reason: 'removed' });
  await registerVehicle(services, admin, { input: vehicleInput({ rego }), choice: NO_FILES, key: undefined });
  expect(await readings()).toEqual([]);
  expect(await record()).toEqual({ recorded: true, id: NOW.getTime() + 1 });
  expect((await findCalibration(services.db, rego, NOW.getTime()))?.vehicleId).toBe(old.id);
  expect(await restoreVehicle(services.db, admin, { id: old.id })).toEqual({
    restored: false,
    reason: 'rego-taken',
    rego,
  });
  await removeVehicle(services.db, admin, { rego });
  expect(await restoreVehicle(services.db, admin, { id: old.id })).toEqual({ restored: true, rego });
  expect(await readings()).toHaveLength(1);
  expect((await findVehicleById(services.db, old.id))?.deletedAt).toBeNull();
});

test('a reading is held against what its technician recorded in the same hours, the latest that counts', async () => {
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  const rulesFor = (who: SignedIn, minutes: number, except: number | null = null) =>
    listReadingsBeside(services.db, { rego, personId: who.personId, at: at(minutes), except });
  const beside = async (...asked: Parameters<typeof rulesFor>) => (await rulesFor(...asked)).readings;
  const volts = (value: string) => ({ attribute: 'Empty Volt', value });
  await record(volts('1'), tech, at(0));
  const [first] = await openVisits();
  const by = { now: at(1), zone: ZONE, key: undefined };
  expect(await finishVisit(services.db, tech, { rego, visitId: first?.id ?? '', ...by })).toMatchObject({
    finished: true,
  });
  const wrong = await record(volts('2'), tech, at(1));
  await record(volts('9'), other, at(2));
  await record({ ...volts('5'), axle: 'steer' }, tech, at(3));
  const one = (axle: 'STEER' | 'DRIVE', value: string) => ({ axle, attribute: 'Empty Volt', value, unit: null });
  expect(await beside(tech, 60)).toEqual([one('DRIVE', '2'), one('STEER', '5')]);
  expect(await beside(other, 60)).toEqual([one('DRIVE', '9')]);
  expect(await beside(tech, 242)).toEqual([one('STEER', '5')]);
  expect(await beside(tech, 300)).toEqual([]);
  const id = wrong.recorded ? wrong.id : -1;
  expect(await beside(tech, 1, id)).toEqual([one('DRIVE', '1'), one('STEER', '5')]);
  const asked = [tech, other, admin].flatMap((who) => [60, 242, 300].map((minutes) => ({ who, minutes })));
  const atOnce = asked.map(({ who: { personId }, minutes }) =>
    readEntryRules(services.db, { rego, personId, at: at(minutes) }),
  );
  for (const [place, rules] of (await Promise.all(atOnce)).entries()) {
    const { who, minutes } = asked[place] ?? { who: tech, minutes: 0 };
    expect(rules).toEqual({ beside: await rulesFor(who, minutes), longestIntervalDays: LONGEST_INTERVAL_DAYS });
  }
  const input = correctionSchema.parse({ axle: 'drive', attribute: 'Empty Volt', value: '3', reason: 'x' });
  await correctCalibration(services.db, tech, { rego, id, input, now: at(9), key: undefined, zone: ZONE });
  expect(await beside(tech, 60)).toEqual([one('DRIVE', '3'), one('STEER', '5')]);
});

test('the database too refuses a recorded due date beyond 732 days, the most of any policy, and one before the reading', async () => {
  const { id: vehicleId } = await vehicle();
  const insert = (dueOn: string, origin: 'recorded' | 'imported') =>
    services.db.transaction().execute(async (tx) => {
      const reading = { id: 1, axle: 'STEER', attribute: 'Empty Volt', value: '1', dueOn, calibratedAt: NOW } as const;
      await tx
        .insertInto('calibration')
        .values({ rego, vehicleId, ...reading, origin })
        .execute();
      throw new Error('taken');
    });
  await expect(insert('2150-01-01', 'recorded')).rejects.toThrow('does not lie within 732 days');
  await expect(insert('2026-11-19', 'recorded')).rejects.toThrow('does not lie within 732 days');
  await expect(insert('2027-11-22', 'recorded')).rejects.toThrow('taken');
  await expect(insert('2150-01-01', 'imported')).rejects.toThrow('taken');
});

test('an entry that is not the first and moves no due date touches no index of its vehicle', async () => {
  await record({}, tech, new Date('2020-01-01T00:00:00Z'));
  const { id } = await vehicle();
  const counted: { updated: number; light: number }[] = [];
  const tried = services.db.transaction().execute(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ updated: number; light: number }>`
        select n_tup_upd as updated, n_tup_hot_upd as light from pg_stat_xact_user_tables where relname = 'vehicle'`.execute(
        tx,
      );
      counted.push(...rows);
    };
    await count();
    await sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at)
      values (${rego}, 1, ${id}, 'STEER', 'Empty Weight', '5890', now())`.execute(tx);
    await count();
    throw new Error('taken back');
  });
  await expect(tried).rejects.toThrow('taken back');
  const [before, after] = counted;
  expect(after).toEqual({ updated: (before?.updated ?? 0) + 1, light: (before?.light ?? 0) + 1 });
});
