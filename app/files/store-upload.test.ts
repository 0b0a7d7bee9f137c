import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFileStore, type FileStore } from '#app/platform/storage/file-store.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { storeUpload, type UploadRole } from './store-upload.server.ts';

let database: TestDatabase;
let files: FileStore;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'files-'));
  files = await openFileStore({ directory: folder });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const picture = () => sharp({ create: { width: 900, height: 600, channels: 3, background: '#a33' } });
const noise = () =>
  sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#a33',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
const store = (role: UploadRole, bytes: Uint8Array) =>
  storeUpload(database.db, files, {
    role,
    prefix: role === 'image' ? 'vehicles/ABC123' : 'certificates/ABC123',
    bytes,
  });

test('an image is re-encoded, loses what was hidden in it, and gets a thumbnail', async () => {
  const jpeg = await picture()
    .withExif({ IFD0: { Copyright: 'SECRET-EXIF' } })
    .jpeg()
    .toBuffer();
  const polyglot = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
  const answer = await store('image', polyglot);
  if (!answer.stored) throw new Error(answer.reason);
  const row = await database.db
    .selectFrom('storedFile')
    .selectAll()
    .where('id', '=', answer.fileId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ mediaType: 'image/jpeg', width: 900, height: 600 });
  const stored = Buffer.concat(await (await files.read(row.storageKey)).toArray()).toString('latin1');
  expect(stored).not.toContain('SECRET-EXIF');
  expect(stored).not.toContain('<script>');
  expect(await files.size(row.thumbnailKey ?? '')).toBeGreaterThan(0);
  expect(await store('image', polyglot)).toEqual({ ...answer, isNew: false });
});

test('the same bytes below another prefix are another file, also where the prefixes differ by a sign that SQL could take for any', async () => {
  const bytes = await picture().png().toBuffer();
  const one = await storeUpload(database.db, files, { role: 'image', prefix: 'admins/aXb@x,example', bytes });
  const other = await storeUpload(database.db, files, { role: 'image', prefix: 'admins/a_b@x,example', bytes });
  expect([one.stored && one.isNew, other.stored && other.isNew]).toEqual([true, true]);
});

test('a PDF certificate is kept byte for byte', async () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
  const answer = await store('certificate', pdf);
  if (!answer.stored) throw new Error(answer.reason);
  const { storageKey } = await database.db
    .selectFrom('storedFile')
    .select('storageKey')
    .where('id', '=', answer.fileId)
    .executeTakeFirstOrThrow();
  expect(Buffer.concat(await (await files.read(storageKey)).toArray())).toEqual(pdf);
});

const chunk = (type: string, body: Buffer) => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), body])));
  return Buffer.concat([head, Buffer.from(type), body, crc]);
};
function bombPng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(40_000, 0);
  header.writeUInt32BE(40_000, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test.each<[string, UploadRole, () => Promise<Buffer> | Buffer, RegExp]>([
  [
    'SVG',
    'image',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    /JPEG, PNG or WebP/,
  ],
  ['HTML', 'image', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /JPEG, PNG or WebP/],
  ['HTML as certificate', 'certificate', () => Buffer.from('<html></html>'), /PDF, JPEG or PNG/],
  [
    'SVG as certificate',
    'certificate',
    () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    /PDF, JPEG or PNG/,
  ],
  ['GIF', 'image', () => Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), /JPEG, PNG or WebP/],
  ['a PDF as image', 'image', () => Buffer.from('%PDF-1.4\n%%EOF'), /JPEG, PNG or WebP/],
  ['a truncated PDF', 'certificate', () => Buffer.from('%PDF-1.4\n1 0 obj<</Length 900>>stream\n'), /damaged/],
  ['a truncated PNG', 'image', async () => (await noise()).subarray(0, 4000), /damaged/],
  ['truncated JPEG', 'image', async () => (await picture().jpeg().toBuffer()).subarray(0, 400), /damaged/],
  ['a PNG bomb', 'image', bombPng, /50 million|damaged/],
  ['nothing', 'image', () => Buffer.alloc(0), /empty/],
  ['too much', 'image', () => Buffer.alloc(15 * 1024 * 1024 + 1), /15 MB/],
])('%s is refused', async (_name, role, make, reason) => {
  const before = await database.db
    .selectFrom('storedFile')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(await store(role, await make())).toEqual({ stored: false, reason: expect.stringMatching(reason) });
  expect(
    await database.db
      .selectFrom('storedFile')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ).toEqual(before);
});
