// The due date of a truck: by its visits, by an admin's hand, and of what was taken over.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { IMAGES_MAX } from './commit-files.server.ts';
import { findVehicle, type Vehicle } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from './remove-vehicle.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';
import { judge, verdictFacts } from './verdict.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  services.setNow('2026-11-21T01:00:00Z');
  rego = `DUE${(count += 1)}`;
  await register();
});

const fields = () => ({ rego, vin: `VIN${rego}`, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' });
const register = (more: Record<string, string> = {}) =>
  registerVehicle(services, admin, { input: vehicleInput({ ...fields(), ...more }), choice: NO_FILES, key: undefined });
async function vehicle(): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
}
async function setDue(next_calibration_due: string, reason = 'the owner asked', files = NO_FILES) {
  const version = String((await vehicle()).version);
  const input = vehicleInput({ ...fields(), version, next_calibration_due, reason });
  return updateVehicle(services, admin, { rego, input, choice: files, key: undefined });
}
const visits = async () =>
  services.db
    .selectFrom('visit')
    .select(['state', 'dueOn', 'handDueOn'])
    .where('vehicleId', '=', (await vehicle()).id)
    .orderBy('openedAt')
    .execute();
const verdict = async () =>
  judge(verdictFacts(await vehicle()), todayIn('Australia/Sydney', services.now()), await currentPolicy(services.db))
    .verdict;
/** A reading of the former register, on 1 November 2026, and the due date of that time. */
async function takenOver(dueOn: string) {
  rego = `TAKEN${count}`;
  await register({ next_calibration_due: dueOn });
  const { id: vehicleId } = await vehicle();
  const reading = {
    id: 1,
    axle: 'STEER',
    attribute: 'Empty Volt',
    value: '1',
    calibratedAt: new Date('2026-11-01T01:00:00Z'),
  } as const;
  await services.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('calibration')
      .values({ rego, vehicleId, ...reading, origin: 'imported' })
      .execute();
    await appendLeaves(tx, [
      calibrationEvent({ id: vehicleId, rego }, { ...reading, dueOn: null }, { technician: null }),
    ]);
  });
}

test('without a visit the due date is a field like all others, and makes nothing valid', async () => {
  expect(await setDue('2027-05-14', '')).toEqual({ updated: true });
  expect(await verdict()).toBe('never-calibrated');
  expect(await recordHonestSet(services, tech, rego, { vin: fields().vin, due_date: null })).toMatchObject({
    state: 'waits',
  });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, restsOn: 'nothing' });
  const { version } = await vehicle();
  expect(await setDue('2027-05-14')).toEqual({ updated: false, reason: 'due-without-visit' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: null, version });
});

test('by hand the due date moves earlier at will, and later up to the longest interval after the visit; a reason is asked', async () => {
  await recordHonestSet(services, tech, rego, { due_date: '2027-05-14' });
  expect(await setDue('2027-01-01', '')).toEqual({ updated: false, reason: 'due-without-reason' });
  const tooLate = { updated: false, reason: 'due-too-late', latest: '2027-11-22' };
  expect(await setDue('2027-11-23')).toEqual(tooLate);
  expect(await setDue('')).toEqual(tooLate);
  expect(await visits()).toEqual([{ state: 'counts', dueOn: '2027-05-14', handDueOn: null }]);
  expect(await setDue('2027-11-22')).toEqual({ updated: true });
  expect(await setDue('2026-11-20')).toEqual({ updated: true });
  expect(await verdict()).toBe('overdue');
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2026-11-20', restsOn: 'visit' });
  // It ends with the rule of that visit, when a later one counts.
  services.setNow('2026-11-21T02:00:00Z');
  expect(await recordHonestSet(services, tech, rego, { due_date: '2027-03-01' })).toMatchObject({ state: 'counts' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-03-01' });
  expect(await visits()).toEqual([
    { state: 'counts', dueOn: '2027-05-14', handDueOn: '2026-11-20' },
    { state: 'counts', dueOn: '2027-03-01', handDueOn: null },
  ]);
});

test('what was taken over keeps its effect until a visit counts, and is bound by its own day', async () => {
  await takenOver('2027-03-01');
  expect(await verdict()).toBe('valid');
  const tooLate = { updated: false, reason: 'due-too-late', latest: '2027-11-02' };
  expect(await setDue('2027-11-03')).toEqual(tooLate);
  expect(await visits()).toEqual([]);
  expect(await setDue('2027-11-02')).toEqual({ updated: true });
  expect(await visits()).toEqual([{ state: 'taken-over', dueOn: '2027-03-01', handDueOn: '2027-11-02' }]);
  const { vin } = fields();
  expect(await recordHonestSet(services, tech, rego, { vin, due_date: null })).toMatchObject({ state: 'waits' });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-11-02', restsOn: '' });
  expect(await recordHonestSet(services, tech, rego, { vin, due_date: '2027-01-01' })).toMatchObject({
    state: 'counts',
  });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-01-01', restsOn: 'visit' });
});

test('a form whose images are refused sets no due date either', async () => {
  await recordHonestSet(services, tech, rego, { due_date: '2027-05-14' });
  const [bytes] = [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ];
  const newImages: string[] = [];
  for (let n = 0; n <= IMAGES_MAX; n += 1) {
    const upload = await addTemporaryUpload(services, admin.personId, {
      role: 'image',
      upload: { name: `${n}.png`, bytes },
    });
    if (upload.added) newImages.push(upload.id);
  }
  expect(await setDue('2027-01-01', 'sooner', { ...NO_FILES, newImages })).toMatchObject({ reason: 'too-many-images' });
  expect(await visits()).toMatchObject([{ handDueOn: null }]);
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-05-14' });
});

test('a restored truck stands as its visits have it', async () => {
  await recordHonestSet(services, tech, rego, { due_date: '2027-05-14' });
  const { id } = await vehicle();
  await removeVehicle(services.db, admin, { rego });
  expect(await restoreVehicle(services.db, admin, { id })).toEqual({ restored: true, rego });
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: '2027-05-14', restsOn: 'visit' });
  expect(await verdict()).toBe('valid');
});

test('nothing that was done to these trucks differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});
