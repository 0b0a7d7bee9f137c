import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findPublicFile } from '#app/files/queries.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { sweepFiles } from '#app/files/sweep-files.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addSignedIn } from '#test/people.ts';
import { uploadPhoto } from '#test/photos.ts';
import { typedSet } from '#test/typed-set.ts';
import { vehicleInput, NO_FILES } from '#test/vehicles.ts';
import { correctionSchema } from './calibration-entry.ts';
import { groupReadings } from '#app/readings/calibration-set.ts';
import { correctCalibration } from './correct-calibration.server.ts';
import { hidePhoto } from '#app/visits/hide-photo.server.ts';
import { listCalibrations, listSets } from '#app/readings/queries.server.ts';
import { recordCalibrationSet } from './record-calibration-set.server.ts';
import { checksOf, findVisit } from '#app/visits/visit-queries.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
const NOW = new Date('2026-11-21T01:00:00Z');
// No two trucks have the same: a visit to them would wait.
const vin = () => `VIN${rego}`;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.now = () => NOW;
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  rego = `SET${(count += 1)}`;
  await register();
});
const register = () =>
  registerVehicle(services, admin, {
    input: vehicleInput({ rego, vin: vin(), axle_groups: 'STEER DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });

const input = (more: Record<string, string> = {}) => typedSet({ vin: vin(), ...more }, NOW);
const record = (more: Record<string, string> = {}, given: { photo?: string; key?: unknown; who?: SignedIn } = {}) =>
  recordCalibrationSet(services, given.who ?? tech, {
    rego,
    input: input(more),
    photos: given.photo === undefined ? [] : [given.photo],
    key: given.key,
  });
const vehicle = async () => {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error('removed');
  return found.vehicle;
};
const counts = async () => {
  const { id } = await services.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  return {
    sets: (await listSets(services.db, id)).length,
    readings: (await listCalibrations(services.db, id)).length,
    activities: (
      await services.db.selectFrom('activityLog').select('kind').where('subjectId', 'like', `${rego}/%`).execute()
    ).map(({ kind }) => kind),
    leaves: Number(
      (await services.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow()).leafSize,
    ),
  };
};

test('a visit is recorded whole: its readings as calibrations like any others, that name the set', async () => {
  const before = await counts();
  const answer = await record({ DRIVE_check_volt: '2.0', DRIVE_check_weight: '9990', STEER_sensor_replaced: 'yes' });
  expect(answer).toMatchObject({ recorded: true, state: 'counts' });
  const { id, nextCalibrationDueOn, version, lastCalibratedAt } = await vehicle();
  const visitedAt = new Date('2026-11-20T03:05:00Z');
  expect({ nextCalibrationDueOn, version, lastCalibratedAt }).toEqual({
    nextCalibrationDueOn: '2027-05-14',
    version: 2,
    lastCalibratedAt: visitedAt,
  });
  const readings = (await listCalibrations(services.db, id)).toReversed();
  expect(readings.map(({ id, axle, attribute, value }) => [id - NOW.getTime(), axle, attribute, value])).toEqual([
    [0, 'STEER', 'Empty Volt', '0.84'],
    [1, 'STEER', 'Empty Weight', '3940'],
    [2, 'STEER', 'Loaded Volt', '1.46'],
    [3, 'STEER', 'Loaded Weight', '5880'],
    [4, 'DRIVE', 'Empty Volt', '0.92'],
    [5, 'DRIVE', 'Empty Weight', '4820'],
    [6, 'DRIVE', 'Loaded Volt', '3.180'],
    [7, 'DRIVE', 'Loaded Weight', '15640'],
  ]);
  for (const reading of readings)
    expect(reading).toMatchObject({
      setId: answer.recorded ? answer.setId : '',
      calibratedAt: visitedAt,
      dueOn: '2027-05-14',
      technicianName: 'Jo Nguyen',
      technicianPersonId: tech.personId,
    });
  expect(await listSets(services.db, id)).toMatchObject([
    {
      visitedAt,
      technicianName: 'Jo Nguyen',
      liftAxle: '',
      notBehind: null,
      axles: [
        { axle: 'STEER', sensor_replaced: true, check_volt: null },
        { axle: 'DRIVE', sensor_replaced: false, check_volt: '2.0', check_weight: '9990', as_found_empty: null },
      ],
    },
  ]);
  const after = await counts();
  expect(after).toMatchObject({ sets: 1, readings: 8, activities: ['calibration-set.recorded'] });
  // Eight readings and the set.
  expect(after.leaves - before.leaves).toBe(9);
});

test('the newest visit that counts rules, also when it is due earlier; one that waits, or is of an earlier day, moves nothing', async () => {
  let kg = 30; // Of each its own, so that no set repeats another to the digit, and none is near another truck’s.
  const dueAfter = async (more: Record<string, string>) => {
    kg += 1;
    const answer = await record({
      STEER_empty_weight: String(3940 + kg),
      DRIVE_empty_weight: String(4820 + kg),
      ...more,
    });
    const { nextCalibrationDueOn } = await vehicle();
    return [answer.recorded ? answer.state : '', nextCalibrationDueOn];
  };
  expect(await dueAfter({})).toEqual(['counts', '2027-05-14']);
  expect(await dueAfter({ due_date: '' })).toEqual(['waits', '2027-05-14']);
  expect(await dueAfter({ visit_date: '2026-11-19', due_date: '2027-11-01' })).toEqual(['counts', '2027-05-14']);
  expect(await dueAfter({ DRIVE_loaded_weight: '20000', due_date: '2027-11-01' })).toEqual(['waits', '2027-05-14']);
  expect(await dueAfter({ visit_date: '2026-11-21', due_date: '2026-12-01' })).toEqual(['counts', '2026-12-01']);
});

test('a form sent twice, or six times at once, is one set with one answer; other values are another', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => record({}, { key })));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await record({}, { key })).toEqual(answers[0]);
  expect(await counts()).toMatchObject({ sets: 1, readings: 8 });
  expect(await record({ STEER_loaded_weight: '5890' }, { key })).not.toEqual(answers[0]);
  expect(await counts()).toMatchObject({ sets: 2, readings: 16 });
});

test('of a truck that is gone, or has another VIN by now, nothing is recorded', async () => {
  const before = await counts();
  expect(
    await recordCalibrationSet(services, tech, {
      rego,
      input: { ...input(), vin: 'JALFSR34T97000126' },
      photos: [],
      key: 1,
    }),
  ).toEqual({ recorded: false, reason: 'vin-differs' });
  expect(await recordCalibrationSet(services, tech, { rego: 'NOBODY', input: input(), photos: [], key: 1 })).toEqual({
    recorded: false,
    reason: 'unknown',
  });
  expect(await record({}, { photo: randomUUID() })).toEqual({ recorded: false, reason: 'file-missing' });
  expect(await counts()).toEqual(before);
  await removeVehicle(services.db, admin, { rego });
  expect(await record()).toEqual({ recorded: false, reason: 'removed' });
  expect(await counts()).toMatchObject({ sets: 0, readings: 0, activities: [] });
});

test('removal against recording, at once: all of it is there, or nothing', async () => {
  for (let round = 0; round < 12; round += 1) {
    rego = `SETRACE${round}`;
    await register();
    const [answer, removed] = await Promise.all([record(), removeVehicle(services.db, admin, { rego })]);
    expect(removed).toEqual({ removed: true });
    expect(await counts()).toMatchObject(answer.recorded ? { sets: 1, readings: 8 } : { sets: 0, readings: 0 });
  }
});

test('two visits recorded at one moment have ids of their own', async () => {
  const answers = await Promise.all([record(), record({}, { who: admin }), record()]);
  expect(answers.every(({ recorded }) => recorded)).toBe(true);
  const ids = (await listCalibrations(services.db, (await vehicle()).id)).map(({ id }) => id - NOW.getTime());
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index));
});

test('a reading of it is corrected like any other, and the set has the right one', async () => {
  await record();
  const wrong = NOW.getTime() + 7;
  const correction = correctionSchema.parse({
    axle: 'DRIVE',
    attribute: 'Loaded Weight',
    value: '15460',
    due_date: '2027-05-14',
    reason: 'Two digits swapped',
  });
  const answer = await correctCalibration(services.db, admin, {
    rego,
    id: wrong,
    input: correction,
    now: new Date(NOW.getTime() + 60_000),
    key: undefined,
    zone: 'Australia/Sydney',
  });
  expect(answer.corrected).toBe(true);
  const groups = groupReadings(await listCalibrations(services.db, (await vehicle()).id));
  expect(groups.map(({ axle, counting, superseded }) => [axle, counting.length, superseded.length])).toEqual([
    ['STEER', 4, 0],
    ['DRIVE', 4, 1],
  ]);
  const drive = groups.find(({ axle }) => axle === 'DRIVE');
  expect(drive?.counting.find(({ attribute }) => attribute === 'Loaded Weight')?.value).toBe('15460');
  expect(drive?.first.technicianName).toBe('Jo Nguyen');
});

test('a visit has several photos: each is public, kept, hidden with the others, and found again as a copy', async () => {
  const pictures = [await uploadPhoto(services, tech, '#102030'), await uploadPhoto(services, tech, '#a0b0c0')];
  const again = await uploadPhoto(services, tech, '#a0b0c0');
  const { visitedAt, ...typed } = input();
  const recorded = await recordCalibrationSet(services, tech, {
    rego,
    input: { ...typed, visitedAt },
    photos: [...pictures, again],
    key: undefined,
  });
  const [set] = await listSets(services.db, (await vehicle()).id);
  // The same picture twice is one.
  expect(set?.morePhotoIds).toHaveLength(1);
  const [more = ''] = set?.morePhotoIds ?? [];
  await sweepFiles(services, new Date(Date.now() + 3 * 24 * 3_600_000));
  expect(await findPublicFile(services.db, more)).toMatchObject({ name: `image-${rego}`, removed: null });
  const setId = recorded.recorded ? recorded.setId : '';
  await hidePhoto(services.db, admin, { visitId: setId, now: services.now(), key: undefined });
  expect(await findPublicFile(services.db, more)).toMatchObject({ removed: 'file' });
  rego = `SET${(count += 1)}`;
  await register();
  const copy = await recordCalibrationSet(services, tech, {
    rego,
    input: { ...input({ DRIVE_empty_weight: '4824' }), vin: vin() },
    photos: [await uploadPhoto(services, tech, '#00ff00'), await uploadPhoto(services, tech, '#a0b0c0')],
    key: undefined,
  });
  const visit = await findVisit(services.db, copy.recorded ? copy.setId : '');
  expect(checksOf(visit?.checks).find(({ check }) => check === 'photo')).toMatchObject({ answer: 'failed' });
});

test('its photo is public, stays, and its record never changes', async () => {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a01414' } })
    .jpeg()
    .toBuffer();
  const upload = await addTemporaryUpload(services, tech.personId, {
    role: 'image',
    upload: { name: 'ticket.jpg', bytes },
  });
  const answer = await record({}, { photo: upload.added ? upload.id : '' });
  expect(answer.recorded).toBe(true);
  const [set] = await listSets(services.db, (await vehicle()).id);
  const { photoId } = set ?? { photoId: null };
  expect(await findPublicFile(services.db, photoId ?? '')).toMatchObject({ name: `image-${rego}`, removed: null });
  await sweepFiles(services, new Date(Date.now() + 48 * 3_600_000));
  expect(await findPublicFile(services.db, photoId ?? '')).toBeDefined();
  await expect(services.db.updateTable('calibrationSet').set({ notes: 'x' }).execute()).rejects.toThrow('refused');
  await expect(services.db.deleteFrom('calibrationSet').execute()).rejects.toThrow('refused');
});
