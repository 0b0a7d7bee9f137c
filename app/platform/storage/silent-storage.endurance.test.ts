// Storage that takes connections and answers nothing: the waits have an end.
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '#test/cluster.ts';
import { hasS3, startS3 } from '#test/s3.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openFiles } from './open-files.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';

const MB = 1024 * 1024;
// Longer than a wait may last, and far shorter than for ever.
const BOUNDED_MS = 60_000;

test.runIf(hasS3())(
  'files: an error in bounded time, also in the midst of one; afterwards all is well without a restart',
  async () => {
    const s3 = await startS3();
    try {
      const store = await openFiles(readConfig(s3.env));
      await store.put('images/slow', Buffer.alloc(30 * MB, 1));
      const reading = await store.read('images/slow');
      s3.freeze();
      const tries = [
        store.size('images/slow'),
        store.put('images/frozen', Buffer.from('x')),
        store.put('images/frozen-large', Buffer.alloc(9 * MB)),
        (async () => {
          for await (const _ of reading);
        })(),
      ];
      for (const outcome of await Promise.allSettled(tries))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EIO' } });
      s3.thaw();
      await store.put('images/frozen-large', Buffer.alloc(9 * MB));
      expect(await store.size('images/frozen-large')).toBe(9 * MB);
    } finally {
      s3.thaw();
      await s3.stop();
    }
  },
  2 * BOUNDED_MS,
);

test(
  'a start: one sentence in bounded time',
  async () => {
    const port = await freePort();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
    const settings = { S3_BUCKET: 'scales', S3_ENDPOINT: `http://127.0.0.1:${port}` };
    const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
    const error: unknown = await openFiles(readConfig({ ...settings, ...keys })).catch((thrown: unknown) => thrown);
    expect(explainStartError(error)).toMatch(
      /^Not started\. The storage of S3_BUCKET cannot be reached at http:\/\/127\.0\.0\.1:\d+: .*\. Check S3_ENDPOINT\.$/,
    );
    silent.close();
  },
  BOUNDED_MS,
);
