// What the public log leans on, on a real S3 server: of many who write over one version at once, one succeeds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { openBucket, type Bucket, type S3Settings } from './bucket.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';

const ROUNDS = 10;
const AT_ONCE = 8;

describe.runIf(hasS3())('a bucket', () => {
  let s3: S3Server;
  let settings: S3Settings;
  beforeAll(async () => {
    s3 = await startS3();
    const { s3: given } = readConfig(s3.env);
    if (given === undefined) throw new Error('no bucket');
    settings = given;
  });
  afterAll(() => s3.stop());
  // As processes have: none knows of the other.
  const clients = () => Promise.all(Array.from({ length: AT_ONCE }, () => openBucket({ ...settings })));
  const text = async (bucket: Bucket, key: string) => String(Buffer.from((await bucket.read(key))?.bytes ?? []));

  test('of many who write over the same version one succeeds, and it is his that lies there', async () => {
    const buckets = await clients();
    const [bucket] = buckets;
    for (let round = 0; round < ROUNDS; round += 1) {
      const version = (await bucket!.read('contended'))?.version;
      expect(version === undefined).toBe(round === 0);
      const words = buckets.map((_, index) => `round ${round}, writer ${index}`);
      const done = await Promise.allSettled(
        buckets.map((each, index) => each.replace('contended', Buffer.from(words[index] ?? ''), version)),
      );
      const winners = words.filter((_, index) => {
        const outcome = done[index];
        return outcome?.status === 'fulfilled' && outcome.value;
      });
      expect(winners).toEqual([await text(bucket!, 'contended')]);
    }
  });

  test('over another version, or what is gone, nothing is written', async () => {
    const bucket = await openBucket(settings);
    await bucket.put('kept', Buffer.from('one'));
    const first = await bucket.read('kept');
    expect(await bucket.replace('kept', Buffer.from('two'), undefined)).toBe(false);
    expect(await bucket.replace('kept', Buffer.from('two'), first?.version)).toBe(true);
    expect(await bucket.replace('kept', Buffer.from('three'), first?.version)).toBe(false);
    expect(await text(bucket, 'kept')).toBe('two');
    await bucket.remove('kept');
    expect(await bucket.replace('kept', Buffer.from('four'), first?.version)).toBe(false);
    expect(await bucket.read('kept')).toBeUndefined();
  });

  test('whose first try was done and not answered hears that it is done', async () => {
    const bucket = await openBucket(settings);
    await bucket.put('retried', Buffer.from('ours'));
    expect(await bucket.replace('retried', Buffer.from('ours'), undefined)).toBe(true);
  });

  test('all keys below a prefix are listed, however many, and no others', async () => {
    const bucket = await openBucket(settings);
    const keys = Array.from({ length: 1003 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => bucket.put(key, Buffer.from('x'))));
    await bucket.put('many-others', Buffer.from('x'));
    const listed: string[] = [];
    for await (const { name } of bucket.list('many/')) listed.push(name);
    expect(listed).toEqual(keys);
  });
});
