// The S3 server that the tests use does what the registry needs of one.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasS3, startS3, type S3Server } from './s3.ts';

describe.runIf(hasS3())('the S3 server of the tests', () => {
  let s3: S3Server;
  beforeAll(async () => (s3 = await startS3()));
  afterAll(() => s3.stop());

  test('keeps what was stored while it was gone', async () => {
    await s3.client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: 'kept', Body: 'bytes' }));
    await s3.cut();
    await expect(fetch(s3.endpoint)).rejects.toThrow();
    await s3.restore();
    const again = new PutObjectCommand({ Bucket: s3.bucket, Key: 'kept', Body: 'other', IfNoneMatch: '*' });
    await expect(s3.client.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' });
  });
});
