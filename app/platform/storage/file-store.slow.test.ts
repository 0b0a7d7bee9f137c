// One contract, held by the disk and by a real S3 server.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { StorageUnavailable } from './bucket.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import type { FileStore } from './file-store.server.ts';
import { openFiles } from './open-files.server.ts';

const MB = 1024 * 1024;

async function bytesOf(store: FileStore, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await store.read(key, range)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function holdsTheContract(open: () => FileStore): void {
  test('what was put is read again, to the byte, with its size', async () => {
    const store = open();
    const bytes = randomBytes(70_000);
    await store.put('admins/a.b@site,com/a-b_c+1.pdf', bytes);
    expect(await store.size('admins/a.b@site,com/a-b_c+1.pdf')).toBe(70_000);
    expect(sha256(await bytesOf(store, 'admins/a.b@site,com/a-b_c+1.pdf'))).toBe(sha256(bytes));
    await store.put('images/empty', new Uint8Array());
    expect(await store.size('images/empty')).toBe(0);
    expect(await bytesOf(store, 'images/empty')).toHaveLength(0);
  });

  test('a range is cut out, its last byte included', async () => {
    const store = open();
    const bytes = randomBytes(5000);
    await store.put('images/range', bytes);
    for (const [start, end] of [
      [0, 0],
      [0, 4999],
      [100, 1099],
      [4999, 4999],
    ] as const)
      expect(await bytesOf(store, 'images/range', { start, end })).toEqual(bytes.subarray(start, end + 1));
  });

  test('a key that is there already stays as it is', async () => {
    const store = open();
    await store.put('images/once', Buffer.from('first'));
    await store.put('images/once', Buffer.from('second'));
    expect(String(await bytesOf(store, 'images/once'))).toBe('first');
  });

  test('a large file is stored whole', async () => {
    const store = open();
    const bytes = randomBytes(25 * MB + 7);
    await store.put('certificates/ABC123/large', bytes);
    expect(await store.size('certificates/ABC123/large')).toBe(bytes.length);
    expect(sha256(await bytesOf(store, 'certificates/ABC123/large'))).toBe(sha256(bytes));
    const end = bytes.length - 1;
    expect(await bytesOf(store, 'certificates/ABC123/large', { start: 16 * MB - 2, end: 16 * MB + 2 })).toEqual(
      bytes.subarray(16 * MB - 2, 16 * MB + 3),
    );
    expect(await bytesOf(store, 'certificates/ABC123/large', { start: end, end })).toEqual(bytes.subarray(end));
  });

  test('what was removed, or never stored, has no size and cannot be read', async () => {
    const store = open();
    await store.put('images/gone', Buffer.from('x'));
    await store.remove('images/gone');
    await store.remove('images/gone');
    expect(await store.size('images/gone')).toBeUndefined();
    expect(await store.size('images/never')).toBeUndefined();
    await expect(bytesOf(store, 'images/never')).rejects.toThrow();
  });

  test.each(['', 'x', '/images/x', 'images/../x', 'images/./x', 'images//x', 'images/a b', 'images/x\n', '../x/y'])(
    'no path is made of %j',
    async (key) => {
      const store = open();
      const tries = [
        async () => store.put(key, Buffer.from('x')),
        async () => store.read(key),
        async () => store.remove(key),
        async () => store.size(key),
      ];
      for (const attempt of tries) await expect(attempt()).rejects.toThrow(/not a storage key/);
    },
  );

  test('many at once, of which some are the same', async () => {
    const store = open();
    const files = Array.from({ length: 40 }, (_, index) => ({
      key: `images/many-${index % 25}`,
      bytes: Buffer.alloc(20_000, index % 25),
    }));
    await Promise.all(files.map(({ key, bytes }) => store.put(key, bytes)));
    for (const { key, bytes } of files) expect(await bytesOf(store, key)).toEqual(bytes);
  });
}

describe('files on disk', () => {
  let folder: string;
  let store: FileStore;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'registry-files-'));
    store = await openFiles(readConfig({ DATA_DIR: folder }));
  });
  afterAll(() => rm(folder, { recursive: true }));
  holdsTheContract(() => store);
});

describe.runIf(hasS3())('files in S3-compatible storage', () => {
  let s3: S3Server;
  let store: FileStore;
  beforeAll(async () => {
    s3 = await startS3();
    store = await openFiles(readConfig(s3.env));
  });
  afterAll(() => s3.stop());
  holdsTheContract(() => store);

  test('storage that is gone is an error, not a missing file; it works again when it is back', async () => {
    await store.put('images/before', Buffer.from('before'));
    await s3.cut();
    for (const attempt of [
      () => store.size('images/before'),
      () => store.read('images/before'),
      () => store.put('images/meanwhile', Buffer.from('x')),
      () => store.put('images/large', Buffer.alloc(20 * MB)),
      () => store.remove('images/before'),
    ])
      await expect(attempt()).rejects.toThrow(StorageUnavailable);
    await s3.restore();
    expect(await store.size('images/meanwhile')).toBeUndefined();
    expect(await store.size('images/large')).toBeUndefined();
    expect(String(await bytesOf(store, 'images/before'))).toBe('before');
    await store.put('images/meanwhile', Buffer.from('x'));
  });

  test('a bucket that is taken away under the registry has not lost its files', async () => {
    const other = { ...s3.env, S3_BUCKET: await s3.newBucket() };
    const there = await openFiles(readConfig(other));
    const { DeleteBucketCommand } = await import('@aws-sdk/client-s3');
    await s3.client.send(new DeleteBucketCommand({ Bucket: other.S3_BUCKET }));
    await expect(there.size('images/x')).rejects.toThrow(StorageUnavailable);
    await expect(there.read('images/x')).rejects.toThrow(StorageUnavailable);
    await expect(there.put('images/x', Buffer.from('x'))).rejects.toThrow(StorageUnavailable);
  });
});
