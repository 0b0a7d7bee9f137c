import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RouterContextProvider } from 'react-router';
import { signedInContext } from '#app/access/session.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formRequest, multipartBody } from '#test/multipart-body.ts';
import { addPerson, signedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { MalformedForm } from '#app/platform/http/form.server.ts';
import { receiveForm } from './receive-form.server.ts';
import { action } from './routes/upload.tsx';
import { findTemporaryUpload, commitUpload, addTemporaryUpload } from './temporary-upload.server.ts';
import { recordFile, storeUpload } from './store-upload.server.ts';

let services: TestServices;
let own: string;
let others: string;
beforeAll(async () => {
  services = await createTestServices();
  own = (await addPerson(services.db, 'technician', 'tech@scales.example')).personId;
  others = (await addPerson(services.db, 'admin', 'admin@scales.example', { password: null })).personId;
});
afterAll(() => services.stop());

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
let nextColour = 0;
/** A picture that differs from every earlier one. */
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: (nextColour += 1), g: 0, b: 0 } } })
    .webp({ lossless: true })
    .toBuffer();
async function stage(role: 'image' | 'certificate', bytes: Uint8Array): Promise<string> {
  const answer = await addTemporaryUpload(services, own, { role, upload: { name: 'a', bytes } });
  if (!answer.added) throw new Error(answer.reason);
  return answer.id;
}
const inStore = () => readdir(path.join(services.config.dataDir, 'files'), { recursive: true });
const records = () => services.db.selectFrom('storedFile').select(['id', 'storageKey']).orderBy('id').execute();

test('a temporary upload is its person’s alone, even for an admin', async () => {
  const id = await stage('image', await picture());
  expect(await findTemporaryUpload(services.db, own, id)).toEqual({ fileId: expect.any(String), name: 'a' });
  expect(await findTemporaryUpload(services.db, others, id)).toBeUndefined();
  const before = await records();
  expect(await commitUpload(services, others, { role: 'image', id, prefix: 'vehicles/ABC123' })).toBeUndefined();
  expect(await records()).toEqual(before);
  expect(await commitUpload(services, own, { role: 'image', id, prefix: 'vehicles/ABC123' })).toBeDefined();
});

test.each(['', 'x', '../../etc/passwd', "' or true --", '\0', '__proto__', 'A'.repeat(10_000), randomUUID()])(
  '%j names no temporary upload',
  async (id) => {
    expect(await findTemporaryUpload(services.db, own, id)).toBeUndefined();
    expect(await commitUpload(services, own, { role: 'image', id, prefix: 'vehicles/ABC123' })).toBeUndefined();
  },
);

test('what was uploaded as a certificate is no image, nor the reverse, whichever way it is sent again', async () => {
  const asCertificate = await stage('certificate', PDF);
  expect(
    await commitUpload(services, own, { role: 'image', id: asCertificate, prefix: 'vehicles/ABC123' }),
  ).toBeUndefined();
  const bytes = await picture();
  const asImage = await stage('image', bytes);
  expect(
    await commitUpload(services, own, { role: 'certificate', id: asImage, prefix: 'certificates/ABC123' }),
  ).toBeUndefined();
  expect(await addTemporaryUpload(services, own, { role: 'image', upload: { name: 'a.png', bytes: PDF } })).toEqual({
    added: false,
    reason: 'An image is a JPEG, PNG or WebP file.',
  });
  expect(await addTemporaryUpload(services, own, { role: 'certificate', upload: { name: 'a.pdf', bytes } })).toEqual({
    added: false,
    reason: 'A certificate is a PDF, JPEG or PNG file.',
  });
});

test('the same picture sent many times at once is stored once, and no sender sees an error', async () => {
  for (let round = 0; round < 10; round += 1) {
    const bytes = await picture();
    const prefix = `vehicles/ROUND${round}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => storeUpload(services.db, services.files, { role: 'image', prefix, bytes })),
    );
    expect(answers.filter((answer) => answer.stored && answer.isNew).length).toBe(1);
    expect(new Set(answers.map((answer) => (answer.stored ? answer.fileId : answer.reason))).size).toBe(1);
    const id = await stage('image', bytes);
    const committed = await Promise.all(
      Array.from({ length: 12 }, () =>
        commitUpload(services, own, { role: 'image', id, prefix: `admins/round${round}` }),
      ),
    );
    expect(new Set(committed.map((answer) => answer?.fileId)).size).toBe(1);
    const stored = (await inStore()).filter((file) => file.includes(`ROUND${round}${path.sep}`));
    expect(stored.length).toBe(2);
  }
});

test('of many records of one file that come at once, one is new and none fails', async () => {
  const like = { sha256: 'a'.repeat(64), sourceSha256: 'a'.repeat(64), mediaType: 'image/png', size: 1 } as const;
  for (let round = 0; round < 150; round += 1) {
    const file = { ...like, storageKey: `race/${round}.png`, thumbnailKey: `race/${round}-480.webp` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => recordFile(services.db, file)));
    expect(answers.filter(({ isNew }) => isNew).length).toBe(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  }
});

test('uploads that fail leave nothing in the store', async () => {
  const before = await inStore();
  const whole = multipartBody([{ name: 'image_file', filename: 'a.png', bytes: await picture() }]);
  const roles = { image: 'image' } as const;
  await receiveForm(services, own, {
    request: formRequest(multipartBody([{ name: 'image_file', filename: 'a', bytes: 'x' }])),
    roles,
  });
  await expect(receiveForm(services, own, { request: formRequest(whole.subarray(0, -40)), roles })).rejects.toThrow(
    MalformedForm,
  );
  async function* breaksOff() {
    yield Buffer.alloc(100_000);
    throw new Error('no space left on device');
  }
  const unwritable = breaksOff() as unknown as Uint8Array;
  await expect(services.files.put('vehicles/ABC123/a.png', unwritable)).rejects.toThrow('no space left');
  expect((await inStore()).filter((file) => !before.includes(file) && path.extname(file) !== '')).toEqual([]);
});

test('a person has 40 files or 300 MB that no form has saved, also when many come at once', async () => {
  const { personId } = await addPerson(services.db, 'technician', 'many@scales.example', { password: null });
  const one = async (services: TestServices, who = personId) =>
    addTemporaryUpload(services, who, { role: 'image', upload: { name: 'a', bytes: await picture() } });
  const answers = await Promise.all(Array.from({ length: 45 }, () => one(services)));
  const added = answers.flatMap((answer) => (answer.added ? [answer.id] : []));
  expect(added).toHaveLength(40);
  expect(await one(services)).toEqual({ added: false, reason: expect.stringMatching(/^You have uploaded 40 files/) });
  // Other people have limits of their own, and without rate limits there is none.
  const { personId: other } = await addPerson(services.db, 'technician', 'other@scales.example', { password: null });
  expect(await one(services, other)).toMatchObject({ added: true });
  const unlimited = { ...services, config: { ...services.config, rateLimits: false } };
  expect(await one(unlimited)).toMatchObject({ added: true });
  // Committed uploads do not count.
  for (const id of added.slice(0, 6))
    await commitUpload(services, personId, { role: 'image', id, prefix: 'vehicles/MANY1' });
  const certificate = (bytes: Uint8Array) =>
    addTemporaryUpload(services, personId, { role: 'certificate', upload: { name: 'a', bytes } });
  const kept = await certificate(PDF);
  const fileId = kept.added ? (await findTemporaryUpload(services.db, personId, kept.id))?.fileId : undefined;
  await services.db
    .updateTable('storedFile')
    .set({ size: 299 * 1024 * 1024 })
    .where('id', '=', fileId ?? '')
    .execute();
  const large = Buffer.concat([PDF, Buffer.alloc(2 * 1024 * 1024, ' ')]);
  expect(await certificate(large)).toMatchObject({ added: false });
  expect(await one(services)).toMatchObject({ added: true });
});

test('after all of that no part of a file is left', async () => {
  expect((await inStore()).filter((file) => file.endsWith('.part'))).toEqual([]);
});

async function post(body: Uint8Array, given = services) {
  const context = new RouterContextProvider();
  context.set(servicesContext, given);
  context.set(signedInContext, (await signedIn(services, 'tech@scales.example')).who);
  const request = formRequest(body);
  return action({ request, context, params: {}, url: new URL(request.url), pattern: '/uploads' });
}

test('/uploads answers with the id of what it stored, never with one that was sent', async () => {
  const sent = { name: 'image', bytes: randomUUID() };
  expect((await post(multipartBody([sent]))).status).toBe(400);
  const answer = await post(multipartBody([sent, { name: 'image_file', filename: 'a', bytes: await picture() }]));
  expect(answer.status).toBe(201);
  const { id }: { id: string } = await answer.json();
  expect(await findTemporaryUpload(services.db, own, id)).toBeDefined();
});

test('/uploads says what is wrong: broken off, refused, or not to be stored now', async () => {
  const file = { name: 'image_file', filename: '<b>a', bytes: await picture() };
  expect((await post(multipartBody([file]).subarray(0, -20))).status).toBe(400);
  const refused = await post(multipartBody([{ ...file, bytes: 'x' }]));
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    422,
    'application/problem+json; charset=utf-8',
  ]);
  const full = { ...services, files: { ...services.files, put: () => Promise.reject(new Error('ENOSPC')) } };
  const later = await post(multipartBody([file]), full);
  expect(later.status).toBe(503);
});
