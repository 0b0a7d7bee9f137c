import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addSignedIn } from '#test/people.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { decideValidation } from './decide-validation.server.ts';
import { findVehicle, listRemovedVehicles, listVehicleFiles } from './queries.server.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from './remove-vehicle.server.ts';
import { searchVehicles } from './search-vehicles.server.ts';
import { updateVehicle } from './update-vehicle.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
});
afterAll(() => services.stop());
beforeEach(async () => {
  rego = `UPD${(count += 1)}`;
  await register({ make: 'Volvo' });
});

const register = (more: Record<string, string> = {}, who = admin, key: unknown = undefined) =>
  registerVehicle(services, who, { input: vehicleInput({ rego, ...more }), choice: NO_FILES, key });
const update = (more: Record<string, string>, who = admin, files = NO_FILES, key: unknown = undefined) =>
  updateVehicle(services, who, {
    rego,
    input: vehicleInput({ rego, make: 'Volvo', version: '1', ...more }),
    choice: files,
    key,
  });
const vehicle = async () => {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(found.state);
  return found.vehicle;
};
/** How many live vehicles a search for this text finds. */
const found = async (text: string) => (await searchVehicles(services.db, text, 1)).total;
const log = async () => {
  const { id } = await vehicle();
  return services.db
    .selectFrom('activityLog')
    .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'details', 'changes'])
    .where('subjectId', '=', id)
    .orderBy('activityLog.index')
    .execute();
};

test('of twenty who add one rego at once, in any spelling, one succeeds', async () => {
  const spellings = ['NEW 1', 'new-1', 'NEW1', 'ｎｅｗ１'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      registerVehicle(services, tech, {
        input: vehicleInput({ rego: spellings[index % 4] ?? '' }),
        choice: NO_FILES,
        key: undefined,
      }),
    ),
  );
  expect(answers.filter(({ registered }) => registered)).toHaveLength(1);
  expect(answers.filter((answer) => !answer.registered && answer.reason === 'exists')).toHaveLength(19);
  expect(await found('NEW1')).toBe(1);
});

test('of ten who save one version at once, one is written; the others are shown what stands there', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => update({ notes: `by ${index}` }, index % 2 === 0 ? admin : tech)),
  );
  expect(answers.filter(({ updated }) => updated)).toHaveLength(1);
  const { notes } = await vehicle();
  for (const answer of answers)
    if (!answer.updated) expect(answer).toMatchObject({ reason: 'stale', now: { notes, version: 2 } });
  expect(await log()).toHaveLength(2);
});

test('each changed field is in the log, and an unchanged form is no entry', async () => {
  expect(await update({ model: 'FM 500', vin: '6t9hz8fm2pa100418' })).toEqual({ updated: true });
  expect((await log()).at(-1)).toEqual({
    kind: 'vehicle.updated',
    details: `${rego} updated`,
    changes: [
      { field: 'vin', from: '', to: '6T9HZ8FM2PA100418' },
      { field: 'model', from: '', to: 'FM 500' },
    ],
  });
  expect(await update({ model: 'FM 500', vin: '6T9HZ8FM2PA100418', version: '2' })).toEqual({ updated: true });
  expect(await log()).toHaveLength(2);
});

test('a form sent eight times at once changes once', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 8 }, () => update({ notes: 'x' }, admin, NO_FILES, key)));
  expect(answers.every(({ updated }) => updated)).toBe(true);
  expect((await vehicle()).version).toBe(2);
});

test('only admins decide: what a technician sends for the two counts for nothing', async () => {
  const decided = { calibration_validated: 'yes', next_calibration_due: '2027-05-14', reason: 'certificate seen' };
  await update(decided, tech);
  expect(await vehicle()).toMatchObject({ calibrationValidated: false, nextCalibrationDueOn: null, version: 1 });
  await update(decided, admin);
  expect(await vehicle()).toMatchObject({ calibrationValidated: true, nextCalibrationDueOn: '2027-05-14', version: 2 });
  const kept = () =>
    services.db
      .selectFrom('validation')
      .innerJoin('actor', 'actor.id', 'validation.decidedBy')
      .innerJoin('vehicle', 'vehicle.id', 'validation.vehicleId')
      .select(['validated', 'nextDueOn', 'reason', 'actor.name'])
      .where('rego', '=', rego)
      .orderBy('validation.id')
      .execute();
  expect(await kept()).toEqual([{ validated: true, nextDueOn: '2027-05-14', reason: 'certificate seen', name: 'Mia' }]);
  expect(await decideValidation(services.db, admin, { rego, validated: false, reason: 'seal broken' })).toEqual({
    decided: true,
  });
  await decideValidation(services.db, admin, { rego, validated: false, reason: 'again' });
  expect((await kept()).map(({ validated, reason }) => [validated, reason])).toEqual([
    [true, 'certificate seen'],
    [false, 'seal broken'],
  ]);
  // A technician's later save does not change the decision.
  await update({ notes: 'greased', version: String((await vehicle()).version) }, tech);
  expect(await vehicle()).toMatchObject({ calibrationValidated: false, nextCalibrationDueOn: '2027-05-14' });
});

test('a new certificate keeps the old one in the store and in the history; images keep their order', async () => {
  const bytes = (color: string) =>
    sharp({ create: { width: 20, height: 20, channels: 3, background: color } })
      .png()
      .toBuffer();
  const stage = async (role: 'certificate' | 'image', color: string, name: string) => {
    const upload = await addTemporaryUpload(services, admin.personId, {
      role,
      upload: { name, bytes: await bytes(color) },
    });
    if (!upload.added) throw new Error(upload.reason);
    return upload.id;
  };
  const version = async () => String((await vehicle()).version);
  const save = async (files: Partial<typeof NO_FILES>) =>
    update({ version: await version() }, admin, { ...NO_FILES, ...files });
  const present = async () => listVehicleFiles(services.db, (await vehicle()).id);

  await save({
    certificate: await stage('certificate', '#111', 'cert.png'),
    newImages: [await stage('image', '#222', 'a.png'), await stage('image', '#333', 'b.png')],
  });
  const [first, a, b] = await present();
  expect([first, a, b].map((file) => file?.uploadedName)).toEqual(['cert.png', 'a.png', 'b.png']);
  expect(first?.storageKey).toMatch(new RegExp(`^certificates/${rego}/[0-9a-f]{64}\\.png$`));
  expect(a?.storageKey).toMatch(new RegExp(`^vehicles/${rego}/[0-9a-f]{64}\\.png$`));

  // The same name with other bytes: the old file stays.
  await save({
    certificate: await stage('certificate', '#444', 'cert.png'),
    order: new Map([
      [a?.id ?? '', 2],
      [b?.id ?? '', 1],
    ]),
  });
  expect((await present()).map((file) => file.uploadedName)).toEqual(['cert.png', 'b.png', 'a.png']);
  expect((await present())[0]?.storageKey).not.toBe(first?.storageKey);
  expect(await services.files.size(first?.storageKey ?? '')).toBeGreaterThan(0);
  await save({ removeCertificate: true, removedImages: [b?.id ?? ''] });
  expect((await present()).map((file) => file.uploadedName)).toEqual(['a.png']);
  expect((await log()).at(-1)?.changes).toEqual([
    { field: 'certificate', from: 'cert.png', to: null },
    { field: 'images', from: 'b.png, a.png', to: 'a.png' },
  ]);
  // Another person's upload counts as missing, and a stale save commits nothing.
  const foreign = await stage('image', '#555', 'foreign.png');
  expect(await update({ version: await version() }, tech, { ...NO_FILES, newImages: [foreign] })).toMatchObject({
    reason: 'file-missing',
  });
  expect(await update({ version: '1' }, admin, { ...NO_FILES, newImages: [foreign] })).toMatchObject({
    reason: 'stale',
  });
  expect(await present()).toHaveLength(1);
});

test('more than twenty images are refused, and nothing is half written', async () => {
  const ids = [];
  for (let index = 0; index < 21; index += 1) {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: index, g: 9, b: 9 } } })
      .png()
      .toBuffer();
    const upload = await addTemporaryUpload(services, admin.personId, {
      role: 'image',
      upload: { name: `${index}.png`, bytes },
    });
    if (upload.added) ids.push(upload.id);
  }
  expect(await update({ notes: 'x' }, admin, { ...NO_FILES, newImages: ids })).toMatchObject({
    reason: 'too-many-images',
  });
  expect(await vehicle()).toMatchObject({ notes: '', version: 1 });
});

test('validated, deleted and restored by a form sent again, after others did otherwise: one effect, the same answer', async () => {
  const { db } = services;
  const { id } = await vehicle();
  const entries = async () =>
    (await db.selectFrom('activityLog').select('kind').where('subjectId', '=', id).orderBy('index').execute()).map(
      ({ kind }) => kind,
    );
  const before = (await entries()).length;
  const [validating, deleting, restoring] = [randomUUID(), randomUUID(), randomUUID()];
  const validate = () => decideValidation(db, admin, { rego, validated: true, reason: 'seen', key: validating });
  expect(await validate()).toEqual({ decided: true });
  await decideValidation(db, admin, { rego, validated: false, reason: 'broken' });
  expect(await validate()).toEqual({ decided: true });
  expect(await vehicle()).toMatchObject({ calibrationValidated: false });
  expect(await removeVehicle(db, admin, { rego, key: deleting })).toEqual({ removed: true });
  expect(await removeVehicle(db, admin, { rego, key: deleting })).toEqual({ removed: true });
  expect(await restoreVehicle(db, admin, { id, key: restoring })).toEqual({ restored: true, rego });
  expect(await restoreVehicle(db, admin, { id, key: restoring })).toEqual({ restored: true, rego });
  expect(await removeVehicle(db, admin, { rego, key: deleting })).toEqual({ removed: true });
  expect((await findVehicle(db, rego)).state).toBe('live');
  expect((await entries()).slice(before)).toEqual([
    'vehicle.validated',
    'validation.withdrawn',
    'vehicle.removed',
    'vehicle.restored',
  ]);
});

test('a removed vehicle leaves searches, and comes back as it was', async () => {
  const { id } = await vehicle();
  const answers = await Promise.all([
    removeVehicle(services.db, admin, { rego }),
    removeVehicle(services.db, admin, { rego }),
    removeVehicle(services.db, admin, { rego }),
  ]);
  expect(answers.filter(({ removed }) => removed)).toHaveLength(1);
  expect(await found(rego)).toBe(0);
  expect((await findVehicle(services.db, rego)).state).toBe('removed');
  expect(await update({ notes: 'x' })).toEqual({ updated: false, reason: 'removed' });
  expect((await listRemovedVehicles(services.db, 1)).items.map((item) => item.id)).toContain(id);
  expect(await restoreVehicle(services.db, admin, { id: 'no-id' })).toEqual({ restored: false, reason: 'unknown' });
  const restored = await Promise.all([
    restoreVehicle(services.db, admin, { id }),
    restoreVehicle(services.db, admin, { id }),
    register(),
  ]);
  // In any order exactly one record of this rego is live.
  expect(await found(rego)).toBe(1);
  expect(restored.filter((answer) => 'restored' in answer && answer.restored).length).toBeLessThanOrEqual(1);
});

test('a form opened on a removed record is stale for the one that was added again, and for the one restored', async () => {
  const { id } = await vehicle();
  await removeVehicle(services.db, admin, { rego });
  await register({ make: 'Scania' });
  const anew = await vehicle();
  expect(await update({ make: 'Mack' })).toMatchObject({ updated: false, reason: 'stale', now: { make: 'Scania' } });
  await removeVehicle(services.db, admin, { rego });
  await restoreVehicle(services.db, admin, { id });
  const late = await update({ make: 'Mack', version: String(anew.version) });
  expect(late).toMatchObject({ updated: false, reason: 'stale', now: { make: 'Volvo' } });
  // No two records that were ever live share a version.
  expect([1, anew.version, (await vehicle()).version]).toEqual([1, 3, 5]);
});

test('restore against adding again, twenty times at once: never two live records, never none', async () => {
  for (let round = 0; round < 20; round += 1) {
    rego = `AGAIN${round}`;
    await register();
    const { id } = await vehicle();
    await removeVehicle(services.db, admin, { rego });
    const [added, restored] = await Promise.all([register(), restoreVehicle(services.db, admin, { id })]);
    expect([added.registered, restored.restored].filter(Boolean)).toHaveLength(1);
    const live = await services.db
      .selectFrom('vehicle')
      .select('id')
      .where('rego', '=', rego)
      .where('deletedAt', 'is', null)
      .execute();
    expect(live).toHaveLength(1);
  }
});

test('anybody adds an axle group, and only an admin takes one away', async () => {
  expect(await update({ axle_groups: 'STEER' }, tech)).toEqual({ updated: true });
  expect(await update({ axle_groups: 'STEER DRIVE', version: '2' }, tech)).toEqual({ updated: true });
  const before = await log();
  for (const taken of ['', 'STEER', 'DRIVE TRAILERA'])
    expect(await update({ axle_groups: taken, version: '3' }, tech)).toEqual({
      updated: false,
      reason: 'axle-group-removed',
    });
  expect((await vehicle()).axleGroups).toBe('STEER DRIVE');
  expect(await log()).toEqual(before);
  expect(await update({ axle_groups: 'STEER', version: '3' }, admin)).toMatchObject({
    reason: 'axle-group-without-reason',
  });
  expect(await update({ axle_groups: 'STEER', version: '3', reason: 'Sensor taken off' }, admin)).toEqual({
    updated: true,
  });
  expect((await log()).at(-1)?.changes).toEqual([{ field: 'axle_groups', from: 'STEER DRIVE', to: 'STEER' }]);
});
