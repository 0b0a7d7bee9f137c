// Files of an export: taken in where the copy of the storage has them, never lost again, and each change in the log.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openImportBench, type ImportBench } from '#test/import-run.ts';
import { bucketPath } from './import-files.server.ts';

const URL_BASE = 'https://firebasestorage.googleapis.com/v0/b/x.appspot.com/o/';
const urlOf = (name: string) => `${URL_BASE}${encodeURIComponent(name)}?alt=media&token=1`;

let bench: ImportBench;
let bucket: { folder: string };
beforeEach(async () => {
  bench = await openImportBench();
  bucket = { folder: path.join(bench.folder, 'bucket') };
  await put('certificates/A1/certificate.pdf', '%PDF-1.4\n%%EOF\n');
  await put('vehicles/A1/photo 1.png', await picture('#a33'));
  await put('vehicles/A1/photo 2.png', await picture('#3a3'));
  await put('admins/a@x,example/portrait.png', await picture('#33a'));
});
afterEach(() => bench.close());

const picture = (background: string) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .png()
    .toBuffer();
async function put(name: string, bytes: string | Uint8Array) {
  const file = path.join(bucket.folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}
const vehicle = (more: Record<string, unknown> = {}) => ({
  Vehicles: {
    A1: {
      make: 'Volvo',
      certificate: urlOf('certificates/A1/certificate.pdf'),
      imageUrls: [urlOf('vehicles/A1/photo 1.png')],
      ...more,
    },
  },
});
const linksOf = () =>
  bench.database.db
    .selectFrom('vehicleFile')
    .select(['role', 'fileId', 'externalUrl', 'uploadedName'])
    .where('removedAt', 'is', null)
    .orderBy('role')
    .orderBy('position')
    .execute();
const lastEntry = () =>
  bench.database.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'topics', 'changes'])
    .orderBy('activityLog.index', 'desc')
    .limit(1)
    .executeTakeFirst();

test('a file that is here stays, when a later run has no copy of the storage', async () => {
  await bench.run(vehicle(), { bucket });
  const before = await linksOf();
  expect(before.every(({ fileId }) => fileId !== null)).toBe(true);
  await bench.run(vehicle({ make: 'Mack' }));
  expect(await linksOf()).toEqual(before);

  await bench.run(vehicle({ imageUrls: [urlOf('vehicles/A1/photo 2.png'), urlOf('vehicles/A1/photo 1.png')] }));
  const [certificate, second, first] = await linksOf();
  expect([certificate, first]).toEqual(before);
  expect(second).toMatchObject({ fileId: null, externalUrl: urlOf('vehicles/A1/photo 2.png') });
});

test('a file that changed in the export is the one change, and the log names it', async () => {
  await bench.run(vehicle(), { bucket });
  const { report } = await bench.run(vehicle({ imageUrls: { 0: urlOf('vehicles/A1/photo 2.png') } }), { bucket });
  expect([report.of('Vehicles', 'changed'), report.of('Files', 'added')]).toEqual([1, 1]);
  expect(await lastEntry()).toEqual({
    kind: 'vehicle.updated',
    topics: ['vehicles', 'public-log', 'vehicle:A1', 'logs'],
    changes: [{ field: 'image', from: 'photo 1.png', to: 'photo 2.png' }],
  });
  const removed = await bench.database.db
    .selectFrom('vehicleFile')
    .select('uploadedName')
    .where('removedAt', 'is not', null)
    .execute();
  expect(removed).toEqual([{ uploadedName: 'photo 1.png' }]);
});

test('links are completed once the copy is there, with an entry in the log; not of a vehicle deleted here', async () => {
  await bench.run(vehicle());
  const tried = await bench.run(vehicle(), { bucket, dryRun: true });
  expect((await linksOf()).every(({ fileId }) => fileId === null)).toBe(true);
  const { report } = await bench.run(vehicle(), { bucket });
  expect([tried.report.of('Files', 'added'), report.of('Files', 'added')]).toEqual([2, 2]);
  expect((await linksOf()).every(({ fileId, externalUrl }) => fileId !== null && externalUrl === '')).toBe(true);
  expect(await lastEntry()).toMatchObject({
    kind: 'vehicle.updated',
    topics: ['vehicles', 'public-log', 'vehicle:A1', 'logs'],
  });
  const counts = await bench.tableCounts();
  expect((await bench.run(vehicle(), { bucket })).report.changes()).toBe(0);
  expect(await bench.tableCounts()).toEqual(counts);
});

test('a vehicle deleted here gets no files', async () => {
  await bench.run(vehicle());
  await bench.database.db.updateTable('vehicle').set({ deletedAt: new Date() }).execute();
  expect((await bench.run(vehicle(), { bucket })).report.of('Files', 'added')).toBe(0);
});

test("an admin's picture is completed, kept without the copy, and only a web address is a link", async () => {
  const admin = (imageUrl: string, name = 'A') => ({ Admins: { 'a@x,example': { name, imageUrl } } });
  const portrait = () =>
    bench.database.db.selectFrom('admin').select(['name', 'imageId', 'imageUrl']).executeTakeFirstOrThrow();
  const url = urlOf('admins/a@x,example/portrait.png');
  await bench.run(admin(url));
  expect(await portrait()).toEqual({ name: 'A', imageId: null, imageUrl: url });
  await bench.run(admin(url), { bucket });
  const stored = await portrait();
  expect(stored).toEqual({ name: 'A', imageId: expect.any(String), imageUrl: '' });
  expect(await lastEntry()).toMatchObject({
    kind: 'admin.updated',
    topics: ['admins', 'public-log', expect.stringMatching(/^person:/), 'logs'],
  });
  await bench.run(admin(url, 'B'));
  expect(await portrait()).toEqual({ ...stored, name: 'B' });
  const { lines } = await bench.run(admin('javascript:alert(1)', 'B'));
  expect(await portrait()).toEqual({ name: 'B', imageId: null, imageUrl: '' });
  expect(lines.join('\n')).toContain('imageUrl is not a web address');
});

test('nothing outside the copy is read: neither by dots nor by a link that leads out', async () => {
  await writeFile(path.join(bench.folder, 'secret.pdf'), '%PDF-1.4\nsecret\n%%EOF\n');
  await mkdir(path.join(bucket.folder, 'certificates/A2'), { recursive: true });
  await symlink(path.join(bench.folder, 'secret.pdf'), path.join(bucket.folder, 'certificates/A2/link.pdf'));
  const { report } = await bench.run(
    {
      Vehicles: {
        A2: { certificate: urlOf('certificates/A2/link.pdf') },
        A3: { certificate: urlOf('../secret.pdf') },
        A4: { certificate: `${URL_BASE}certificates%2F%2e%2e%2F%2e%2e%2Fsecret.pdf?alt=media` },
        A5: { certificate: urlOf('/etc/passwd') },
      },
    },
    { bucket },
  );
  expect([report.of('Files', 'added'), report.of('Files', 'kept')]).toEqual([0, 4]);
});

test.each([
  [urlOf('vehicles/A1/photo 1.png'), 'vehicles/A1/photo 1.png'],
  [`${URL_BASE}a.pdf`, 'a.pdf'],
  [`${URL_BASE}%00.pdf`, undefined],
  [`${URL_BASE}%ff.pdf`, undefined],
  [`${URL_BASE}a%5C..%5Cb.pdf`, undefined],
  ['https://x.example/a.pdf', undefined],
])('%s names %s', (url, expected) => {
  expect(bucketPath(url)).toBe(expected);
});
