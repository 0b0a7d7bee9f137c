// A bucket that will not do stops the start with a sentence, on a real S3 server and on ones that are none.
import { createServer, request, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#test/cluster.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openFiles } from './open-files.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'a-secret-that-nobody-may-see' };

async function sentenceOf(env: NodeJS.ProcessEnv): Promise<string> {
  const error: unknown = await openFiles(readConfig(env)).then(
    () => 'started',
    (thrown: unknown) => thrown,
  );
  const sentence = error === 'started' ? error : explainStartError(error);
  expect(sentence).not.toContain(KEYS.AWS_SECRET_ACCESS_KEY);
  return sentence;
}

async function serve(answer: RequestListener): Promise<{ endpoint: string; close: () => void }> {
  const port = await freePort();
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('nothing listens there', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  expect(await sentenceOf({ S3_BUCKET: 'scales', S3_ENDPOINT: endpoint, ...KEYS })).toMatch(
    new RegExp(
      `^Not started\\. The storage of S3_BUCKET cannot be reached at ${endpoint}: .*ECONNREFUSED.*\\. Check S3_ENDPOINT\\.$`,
    ),
  );
});

test('something else answers there', async () => {
  const other = await serve((_, answer) => answer.writeHead(500).end('what?'));
  expect(await sentenceOf({ S3_BUCKET: 'scales', S3_ENDPOINT: other.endpoint, ...KEYS })).toMatch(
    /^Not started\. The storage of S3_BUCKET cannot be reached at .*: it answers 500\. Check S3_ENDPOINT\.$/,
  );
  other.close();
});

describe.runIf(hasS3())('a real storage', () => {
  let s3: S3Server;
  beforeAll(async () => (s3 = await startS3()));
  afterAll(() => s3.stop());

  test('all is well, and nothing is left of the trial', async () => {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    expect(await sentenceOf(s3.env)).toBe('started');
    expect((await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }))).KeyCount).toBe(0);
  });

  test('a bucket that is not there', async () => {
    expect(await sentenceOf({ ...s3.env, S3_BUCKET: 'not-there' })).toBe(
      `Not started. S3_BUCKET not-there does not exist at ${s3.endpoint}. Make it, or set another.`,
    );
  });

  test('keys that are wrong, or may nothing', async () => {
    for (const keys of [KEYS, { AWS_SECRET_ACCESS_KEY: KEYS.AWS_SECRET_ACCESS_KEY }])
      expect(await sentenceOf({ ...s3.env, ...keys })).toBe(
        `Not started. S3_BUCKET ${s3.bucket} may not be opened: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they allow.`,
      );
  });

  test('a bucket that may be read and not written', async () => {
    const { PutBucketPolicyCommand } = await import('@aws-sdk/client-s3');
    const bucket = await s3.newBucket();
    const denied = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${bucket}/*` };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [denied] });
    await s3.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
    expect(await sentenceOf({ ...s3.env, S3_BUCKET: bucket })).toBe(
      `Not started. S3_BUCKET ${bucket} may not be listed, read, written and deleted in by this AWS_ACCESS_KEY_ID.`,
    );
  });

  // Conditions are signed, so the relay stores by itself what came under one.
  test.each([['if-none-match'], ['if-match']])('a storage that does not heed %s', async (header) => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    const relay = await serve(async (asked, answer) => {
      const { method, headers, url = '' } = asked;
      if (headers[header] !== undefined) {
        const Key = url.slice(s3.bucket.length + 2).replace(/\?.*/, '');
        const stored = await s3.client.send(
          new PutObjectCommand({ Bucket: s3.bucket, Key, Body: await buffer(asked) }),
        );
        answer.writeHead(200, { etag: stored.ETag ?? '' }).end();
        return;
      }
      const passed = request(s3.endpoint + url, { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(answer);
      });
      asked.pipe(passed);
    });
    expect(await sentenceOf({ ...s3.env, S3_ENDPOINT: relay.endpoint })).toBe(
      `Not started. S3_BUCKET ${s3.bucket} cannot be used: its storage ignores If-Match and If-None-Match when writing, which keeps the public log from forking.`,
    );
    relay.close();
  });
});
