import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neitherNor, pdfs } from '#test/hostile-documents.ts';
import { MARK, NO_IMAGE } from '#test/hostile-file.ts';
import { bombs, damaged, polyglots } from '#test/hostile-images.ts';
import { hostileNames } from '#test/hostile-names.ts';
import { avif, gif, png, tiff } from '#test/image-parts.ts';
import { formRequest, multipartBody } from '#test/multipart-body.ts';
import { addPerson } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { filesApp } from './api.server.ts';
import { MalformedForm } from '#app/platform/http/form.server.ts';
import { receiveForm } from './receive-form.server.ts';
import { findTemporaryUpload, commitUpload } from './temporary-upload.server.ts';
import type { UploadRole } from './store-upload.server.ts';

let services: TestServices;
let personId: string;
let app: ReturnType<typeof filesApp>;
beforeAll(async () => {
  services = await createTestServices();
  ({ personId } = await addPerson(services.db, 'technician', 'tech@scales.example', { password: null }));
  app = filesApp(services, async () => false);
});
afterAll(() => services.stop());

const ROLES = { image: 'image', certificate: 'certificate' } as const;
/** Sends the file as the browser does. Returns the field's refusal, or the id of the upload. */
async function send(role: UploadRole, filename: string, bytes: Uint8Array) {
  const disposition = `form-data; name="${role}_file"; ${filename}`;
  const body = multipartBody([{ disposition, type: 'application/octet-stream', bytes }]);
  const { refused, uploads } = await receiveForm(services, personId, { request: formRequest(body), roles: ROLES });
  return { refusal: refused.get(`${role}_file`), id: uploads[0]?.id ?? '' };
}
const countFiles = async () => {
  const count = await services.db
    .selectFrom('storedFile')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(count.n);
};
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (key: string) => Buffer.concat(await (await services.files.read(key)).toArray());

/** Commits the upload and gives it to a vehicle. Returns its record and id. */
async function publish(role: UploadRole, uploadId: string, rego: string) {
  const committed = await commitUpload(services, personId, { role, id: uploadId, prefix: `${role}s/${rego}` });
  if (committed === undefined) throw new Error('the upload is not there');
  const { id: vehicleId } = await services.db
    .insertInto('vehicle')
    .values({ rego })
    .returning('id')
    .executeTakeFirstOrThrow();
  await services.db
    .insertInto('vehicleFile')
    .values({ vehicleId, role, fileId: committed.fileId, uploadedName: committed.name })
    .execute();
  return services.db.selectFrom('storedFile').selectAll().where('id', '=', committed.fileId).executeTakeFirstOrThrow();
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** Expects the type of our own table, and headers that let the file run nothing. */
async function expectServedHarmless(path: string, type: string, disposition: string): Promise<Buffer> {
  const response = await app.request(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect(response.headers.get('content-disposition')).toBe(disposition);
  expect(JSON.stringify([...response.headers])).not.toContain(MARK);
  return Buffer.from(await response.arrayBuffer());
}

/** Expects a decodable image without the marker or any active content. */
async function expectPixels(bytes: Buffer, type: string): Promise<void> {
  expect(bytes.includes(MARK)).toBe(false);
  for (const active of [
    '<script',
    '<?php',
    'PK\u0003\u0004',
    'Exif\0\0',
    'ICC_PROFILE',
    'iCCP',
    'eXIf',
    'tEXt',
    'XMP ',
  ])
    expect([active, bytes.includes(Buffer.from(active, 'latin1'))]).toEqual([active, false]);
  const { format, exif, icc, xmp, iptc, comments, pages } = await sharp(bytes).metadata();
  expect(`image/${format}`).toBe(type);
  expect([exif, icc, xmp, iptc, comments, pages]).toEqual(Array.from({ length: 6 }, () => undefined));
}

let nextRego = 0;
describe.each(Object.entries({ neitherNor, polyglots, bombs, damaged, pdfs }))('%s', (_group, files) => {
  test.each(files)('$what', async ({ role, name, make, fate }) => {
    const bytes = await make();
    const before = await countFiles();
    const { refusal, id } = await send(role, `filename="${name}"`, bytes);
    if (fate instanceof RegExp) {
      expect(refusal).toMatch(fate);
      expect(refusal?.startsWith(`${name}: `)).toBe(true);
      expect(await countFiles()).toBe(before);
      return;
    }
    expect(refusal).toBeUndefined();
    const rego = `HOST${(nextRego += 1)}`;
    const file = await publish(role, id, rego);
    const stored = await bytesOf(file.storageKey);
    expect(file.storageKey).toBe(`${role}s/${rego}/${sha256(stored)}.${EXTENSIONS[file.mediaType]}`);
    const shown = `filename="${role}-${rego}.${EXTENSIONS[file.mediaType]}"`;
    if (fate === 'attachment') {
      expect(stored.equals(bytes)).toBe(true);
      for (const path of [`/${file.id}`, `/${file.id}/thumbnail`])
        expect((await expectServedHarmless(path, 'application/pdf', `inline; ${shown}`)).equals(bytes)).toBe(true);
      return;
    }
    await expectPixels(await expectServedHarmless(`/${file.id}`, file.mediaType, `inline; ${shown}`), file.mediaType);
    const small = `inline; filename="${role}-${rego}.webp"`;
    await expectPixels(await expectServedHarmless(`/${file.id}/thumbnail`, 'image/webp', small), 'image/webp');
  });
});

describe('names', () => {
  test.each(hostileNames)('$what', async ({ filename, shown }) => {
    const { id } = await send('image', filename, await png()).catch((error: unknown) => {
      if (error instanceof MalformedForm) return { id: '' };
      throw error;
    });
    if (shown === undefined) return expect(id).toBe('');
    const upload = await findTemporaryUpload(services.db, personId, id);
    expect(upload?.name).toBe(shown);
    expect(shown).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]{1,200}$/u);
    expect(shown.isWellFormed()).toBe(true);
    const { storageKey } = await services.db
      .selectFrom('storedFile')
      .select('storageKey')
      .where('id', '=', upload?.fileId ?? '')
      .executeTakeFirstOrThrow();
    expect(storageKey).toMatch(new RegExp(`^staged/${personId}/[0-9a-f]{64}\\.png$`));
    // A refusal shows the same name.
    const { refusal } = await send('image', filename, Buffer.from('no image'));
    expect(refusal).toBe(`${shown}: An image is a JPEG, PNG or WebP file.`);
    expect(refusal).toMatch(NO_IMAGE);
  });
});

test('the image library itself opens nothing but JPEG, PNG and WebP', async () => {
  for (const make of [gif, tiff, avif]) {
    // Made first: sharp blocks loading this type, not saving it.
    const bytes = await make();
    await expect(sharp(bytes).metadata()).rejects.toThrow(/unsupported image format/);
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await expect(sharp(svg).metadata()).rejects.toThrow(/unsupported image format/);
  await expect(sharp(`${import.meta.dirname}/range.ts`).metadata()).rejects.toThrow(/unsupported image format/);
});

test('there are at least 60 hostile files', () => {
  expect([...neitherNor, ...polyglots, ...bombs, ...damaged, ...pdfs].length).toBeGreaterThan(60);
});
