import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, type Person } from '#test/people.ts';
import { commitUpload, addTemporaryUpload } from './temporary-upload.server.ts';
import { BACKUP_LOCK, sweepFiles, sweepStore } from './sweep-files.server.ts';

let services: TestServices;
let mia: Person;
beforeAll(async () => {
  services = await createTestServices();
  mia = await addPerson(services.db, 'admin', 'mia@registry.example');
});
afterAll(() => services.stop());

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const picture = (color: string) =>
  sharp({ create: { width: 12, height: 12, channels: 3, background: color } })
    .png()
    .toBuffer();
const stage = async (color: string) => {
  const upload = await addTemporaryUpload(services, mia.personId, {
    role: 'image',
    upload: {
      name: 'a.png',
      bytes: await picture(color),
    },
  });
  if (!upload.added) throw new Error(upload.reason);
  return upload.id;
};
const stored = () => services.db.selectFrom('storedFile').select(['id', 'storageKey']).execute();

test('what nothing has referred to for a day is removed, its bytes too; what is referred to stays', async () => {
  const kept = await commitUpload(services, mia.personId, {
    role: 'image',
    id: await stage('#111'),
    prefix: 'admins/mia',
  });
  await services.db.updateTable('admin').set({ imageId: kept?.fileId }).where('id', '=', mia.recordId).execute();
  await commitUpload(services, mia.personId, { role: 'image', id: await stage('#222'), prefix: 'vehicles/ABC123' });
  const before = await stored();
  expect(before).toHaveLength(4);
  expect(await sweepFiles(services, inHours(23))).toBe(0);
  expect(await sweepFiles(services, inHours(25))).toBe(3);
  expect((await stored()).map(({ id }) => id)).toEqual([kept?.fileId]);
  for (const { id, storageKey } of before)
    expect(await services.files.size(storageKey), storageKey).toEqual(
      id === kept?.fileId ? expect.any(Number) : undefined,
    );
});

test('swept and chosen again at once, forty times: what was uploaded is there', async () => {
  for (let round = 0; round < 40; round += 1) {
    await stage('#333');
    const [, id] = await Promise.all([sweepFiles(services, inHours(25)), stage('#333').catch(() => undefined)]);
    if (id === undefined) continue;
    const committed = await commitUpload(services, mia.personId, { role: 'image', id, prefix: 'vehicles/XYZ' }).catch(
      () => undefined,
    );
    if (committed === undefined) continue;
    const { storageKey } = await services.db
      .selectFrom('storedFile')
      .select('storageKey')
      .where('id', '=', committed.fileId)
      .executeTakeFirstOrThrow();
    expect(await services.files.size(storageKey)).toBeGreaterThan(0);
  }
});

test('what a killed process left in the store without a record is removed after a day, and nothing else', async () => {
  const kept = await commitUpload(services, mia.personId, {
    role: 'image',
    id: await stage('#444'),
    prefix: 'vehicles/KEPT1',
  });
  const leftovers = ['vehicles/LEFT1/0123.png', 'staged/left/0123-480.webp', 'certificates/LEFT1/0123.pdf.9.part'];
  for (const key of leftovers) await services.files.put(key, Buffer.from('left'));
  const sizes = () => Promise.all(leftovers.map((key) => services.files.size(key)));
  expect(await sweepStore(services, inHours(23))).toBe(0);
  expect(await sizes()).toEqual([4, 4, 4]);
  expect(await sweepStore(services, inHours(25))).toBe(3);
  expect(await sizes()).toEqual([undefined, undefined, undefined]);
  const rows = await services.db.selectFrom('storedFile').select(['storageKey', 'thumbnailKey']).execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(kept).toBeDefined();
  for (const { storageKey, thumbnailKey } of rows)
    for (const key of [storageKey, thumbnailKey])
      if (key !== null) expect(await services.files.size(key), key).toBeGreaterThan(0);
});

test('left without a record and uploaded at once, forty times: the file is there', async () => {
  const bytes = await picture('#555');
  for (let round = 0; round < 40; round += 1) {
    const upload = () =>
      addTemporaryUpload(services, mia.personId, { role: 'image', upload: { name: 'a.png', bytes } });
    await upload();
    await services.db.deleteFrom('stagedUpload').execute();
    await services.db.deleteFrom('storedFile').where('storageKey', 'like', `staged/${mia.personId}/%`).execute();
    const [, again] = await Promise.all([sweepStore(services, inHours(25)), upload()]);
    expect(again.added).toBe(true);
    for (const { storageKey } of await stored()) expect(await services.files.size(storageKey)).toBeGreaterThan(0);
  }
});

test('while a backup runs nothing is removed', async () => {
  await stage('#444');
  const backup = new pg.Client(services.address);
  await backup.connect();
  await backup.query('select pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
  expect(await sweepFiles(services, inHours(25))).toBe(0);
  await backup.end();
  await expect.poll(() => sweepFiles(services, inHours(25))).toBeGreaterThan(0);
});
