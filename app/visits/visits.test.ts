import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordAllButOne, recordHonestSet, recordSingles } from '#test/visits.ts';
import { closeExpired } from './close-visit.server.ts';
import { decideVisit } from './decide-visit.server.ts';
import type { RecordAnswer } from '#app/recording/record-calibration.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
const ZONE = 'Australia/Sydney';

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-11-21T01:00:00Z');
  rego = `VIS${(count += 1)}`;
  const input = vehicleInput({
    rego,
    vin: `6T9VIS${count}`,
    scale_serial_number: `S${count}`,
    axle_groups: 'STEER DRIVE',
    calibration_validated: 'yes',
  });
  await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
});

async function vehicle(): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
}
const visits = async () =>
  services.db
    .selectFrom('visit')
    .selectAll()
    .where('vehicleId', '=', (await vehicle()).id)
    .orderBy('openedAt')
    .execute();
const verdict = async () =>
  judge(verdictFacts(await vehicle()), todayIn(ZONE, services.now()), await currentPolicy(services.db)).verdict;

test('a complete honest set counts, and its due date is the truck’s', async () => {
  expect(await recordHonestSet(services, tech, rego)).toMatchObject({ recorded: true, state: 'counts' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-05-22', restsOn: 'visit' });
  expect(await verdict()).toBe('valid');
});

test('of several sets of one moment the one recorded last rules, also when the clock is set back meanwhile', async () => {
  for (const due of ['2027-05-20', '2027-04-01', '2027-05-10', '2027-03-01', '2027-05-01']) {
    await recordHonestSet(services, tech, rego, { due_date: due });
    expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: due });
  }
  services.setNow('2026-11-21T00:59:30Z');
  await recordHonestSet(services, tech, rego, { due_date: '2027-02-01' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-02-01' });
});

test('one junk reading turns nothing green, also after its visit has closed', async () => {
  const day = '2026-12-01';
  expect(await verdict()).toBe('never-calibrated');
  const [junk] = await recordSingles(services, tech, rego, 'STEER', { dueOn: day });
  expect(junk).toMatchObject({ recorded: true });
  expect(await verdict()).toBe('not-validated');
  expect((await visits()).map(({ state }) => state)).toEqual(['open']);
  services.setNow('2026-11-21T14:00:00Z');
  expect(await closeExpired(services.db, { now: services.now(), zone: ZONE })).toBe(1);
  expect(await visits()).toMatchObject([{ state: 'partial', judged: 'partial', dueOn: day }]);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, restsOn: 'nothing' });
});

test('single readings are one visit, which closes with the last of them', async () => {
  await recordSingles(services, tech, rego, 'STEER');
  expect((await visits()).map(({ state }) => state)).toEqual(['open']);
  await recordSingles(services, tech, rego, 'DRIVE');
  expect(await visits()).toMatchObject([{ state: 'counts', dueOn: '2027-05-22', isConfirmed: true }]);
  expect(await verdict()).toBe('valid');
});

test('a value that the visit has already is refused, and names the entry', async () => {
  const [first] = await recordSingles(services, tech, rego, 'STEER');
  const [again] = await recordSingles(services, tech, rego, 'STEER');
  expect(again).toEqual({ recorded: false, reason: 'recorded-already', id: first?.recorded ? first.id : 0 });
});

test('of visits that close at one moment the newest rules; each move has its entry, and the leaf covers what it left', async () => {
  const people = [tech];
  for (const name of ['Sam', 'Kim', 'Lee'])
    people.push(await addSignedIn(services, 'technician', `${name.toLowerCase()}@scales.example`, name));
  const dates = ['2027-03-01', '2027-02-01', '2027-05-14', '2027-04-01'];
  const last: (() => Promise<RecordAnswer>)[] = [];
  for (const [place, who] of people.entries()) {
    await recordSingles(services, who, rego, 'STEER', { dueOn: dates[place] });
    last.push(await recordAllButOne(services, who, rego, 'DRIVE', { dueOn: dates[place] }));
  }
  const { version } = await vehicle();
  const answers = await Promise.all(last.map((record) => record()));
  expect(answers.every(({ recorded }) => recorded)).toBe(true);
  expect((await visits()).map(({ state, dueOn }) => [state, dueOn])).toEqual(dates.map((day) => ['counts', day]));
  const { rows } = await sql<{ from: string | null; to: string }>`
    select c ->> 'from' as from, c ->> 'to' as to
    from activity_log l join activity_detail d using (index), jsonb_array_elements(d.changes) c
    where l.subject_id like ${`${rego}/%`} and c ->> 'field' = 'next_calibration_due' order by index`.execute(
    services.db,
  );
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-04-01', version: version + rows.length });
  expect(rows.map(({ from }) => from)).toEqual([null, ...rows.slice(0, -1).map(({ to }) => to)]);
  expect(rows.at(-1)?.to).toBe('2027-04-01');
});

test('a visit that waits changes nothing until another admin lets it count', async () => {
  await recordHonestSet(services, tech, rego);
  services.setNow('2027-04-01T01:00:00Z');
  const far = { DRIVE: { loaded_weight: '9000' } };
  expect(await recordHonestSet(services, tech, rego, { readings: far })).toMatchObject({ state: 'waits' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-05-22' });
  const waiting = (await visits()).find(({ state }) => state === 'waits');
  const input = { decision: 'accepted', reason: 'sensor-replaced', note: '', openedState: 'waits' } as const;
  const decided = await decideVisit(services.db, admin, {
    visitId: waiting?.id ?? '',
    input,
    now: services.now(),
    key: undefined,
  });
  expect(decided).toMatchObject({ decided: true });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-09-30' });
});

test('accepting a visit ticks the truck, and a form that was opened before is stale, also where the due date stays', async () => {
  await recordHonestSet(services, tech, rego);
  await decideValidation(services.db, admin, { rego, validated: false, reason: 'seal broken' });
  const { version, nextCalibrationDueOn: due } = await vehicle();
  const light = { readings: { DRIVE: { loaded_weight: '9000' } }, due_date: due };
  const recorded = await recordHonestSet(services, tech, rego, light);
  const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
  const visitId = recorded.recorded ? recorded.setId : '';
  await decideVisit(services.db, admin, { visitId, input, now: services.now(), key: undefined });
  expect(await vehicle()).toMatchObject({
    calibrationValidated: true,
    nextCalibrationDueOn: due,
    version: version + 1,
  });
  const form = vehicleInput({
    rego,
    version: String(version),
    calibration_validated: 'no',
    axle_groups: 'STEER DRIVE',
  });
  expect(await updateVehicle(services, admin, { rego, input: form, choice: NO_FILES, key: undefined })).toMatchObject({
    reason: 'stale',
  });
});

test('nothing that was done to these trucks differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});
