// The check and the sweep of files, on a real S3 server.
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '#app/platform/storage/bucket.server.ts';
import { addPerson } from '#test/people.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { checkFiles } from './check-files.server.ts';
import { commitUpload, addTemporaryUpload } from './temporary-upload.server.ts';
import { storeUpload } from './store-upload.server.ts';
import { sweepFiles } from './sweep-files.server.ts';

const HOUR = 3_600_000;
const picture = (color: string) =>
  sharp({ create: { width: 12, height: 12, channels: 3, background: color } })
    .png()
    .toBuffer();

describe.runIf(hasS3())('files in a bucket', () => {
  let s3: S3Server;
  let services: TestServices;
  beforeAll(async () => {
    s3 = await startS3();
    services = await createTestServices(s3.env);
  });
  afterAll(async () => {
    await services.stop();
    await s3.stop();
  });
  const keysInBucket = async () => {
    const { Contents } = await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }));
    return (Contents ?? []).map(({ Key }) => Key ?? '');
  };

  test('what is lost or altered there is found; storage that is away is no finding', async () => {
    const ids: string[] = [];
    for (const color of ['#111', '#222', '#333', '#444']) {
      const stored = await storeUpload(services.db, services.files, {
        role: 'image',
        prefix: 'vehicles/FILE1',
        bytes: await picture(color),
      });
      if (stored.stored) ids.push(stored.fileId);
    }
    const rows = await services.db.selectFrom('storedFile').selectAll().where('id', 'in', ids).execute();
    expect((await keysInBucket()).toSorted()).toEqual(
      rows.flatMap(({ storageKey, thumbnailKey }) => [`files/${storageKey}`, `files/${thumbnailKey}`]).toSorted(),
    );
    const check = async () => {
      const wrong: string[] = [];
      const checked = await checkFiles(services, (file) => wrong.push(`${file.wrong} ${file.key}`));
      return { checked, wrong: wrong.toSorted() };
    };
    expect(await check()).toEqual({ checked: 4, wrong: [] });
    const [lost, altered, bare] = rows;
    const at = (key = '') => ({ Bucket: s3.bucket, Key: `files/${key}` });
    await s3.client.send(new DeleteObjectCommand(at(lost?.storageKey)));
    await s3.client.send(new PutObjectCommand({ ...at(altered?.storageKey), Body: 'other' }));
    await s3.client.send(new DeleteObjectCommand(at(bare?.thumbnailKey ?? '')));
    expect(await check()).toEqual({
      checked: 4,
      wrong: [
        `altered ${altered?.storageKey}`,
        `missing ${lost?.storageKey}`,
        `missing ${bare?.thumbnailKey}`,
      ].toSorted(),
    });
    await s3.cut();
    await expect(check()).rejects.toThrow(StorageUnavailable);
    await s3.restore();
  });

  test('what nothing has referred to for a day leaves the bucket; not while it cannot be reached', async () => {
    const mia = await addPerson(services.db, 'admin', 'mia@registry.example');
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
    const kept = await commitUpload(services, mia.personId, {
      role: 'image',
      id: await stage('#555'),
      prefix: 'admins/mia@site,com',
    });
    await services.db.updateTable('admin').set({ imageId: kept?.fileId }).where('id', '=', mia.recordId).execute();
    const records = () => services.db.selectFrom('storedFile').select('id').execute();
    const before = await records();
    const tomorrow = new Date(Date.now() + 25 * HOUR);
    await s3.cut();
    expect(await sweepFiles(services, tomorrow)).toBe(0);
    expect(await records()).toEqual(before);
    await s3.restore();
    expect(await sweepFiles(services, tomorrow)).toBe(before.length - 1);
    expect((await keysInBucket()).filter((key) => !key.startsWith('files/admins/mia@site,com/'))).toEqual([]);
    expect(await keysInBucket()).toHaveLength(2);
  });
});
