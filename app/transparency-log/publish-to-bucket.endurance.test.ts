// The publisher on a real S3 server: it signs one tree of each size there too, no matter who else publishes into the
// bucket.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '#app/platform/storage/bucket.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { growLog, newPublication, newPublicationInBucket } from '#test/published-log.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { newKey } from '#test/small-log.ts';
import { auditLog } from '#app/tlog/audit-log.ts';
import { insistLogIsInBucket } from './carried-to-bucket.server.ts';
import { LogFolder, openLogFolder } from './log-folder.server.ts';
import { type LogStorage, openLogStorage } from './log-storage.server.ts';
import { checkPublished, publishLog, Refused, type Publication } from './publish.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';

const BUCKETS_OF_TWO = 4;

/** Waits until `count` have come; who comes later goes on at once. */
function meeting(count: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    come += 1;
    if (come === count) open();
    await all;
  };
}

describe.runIf(hasS3())('the log in a bucket', () => {
  let s3: S3Server;
  let key: SigningKey;
  const databases: TestDatabase[] = [];
  beforeAll(async () => {
    s3 = await startS3();
    key = await newKey();
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    await s3.stop();
  });

  const newDatabase = async (size: number) => {
    const database = await createTestDatabase();
    databases.push(database);
    await growLog(database.db, size);
    return database;
  };
  const inBucket = (bucket: string, { db }: TestDatabase) =>
    newPublicationInBucket(db, { ...s3.env, S3_BUCKET: bucket }, key);
  const newLog = async (size: number) => {
    const bucket = await s3.newBucket();
    const database = await newDatabase(size);
    return { ...inBucket(bucket, database), bucket, database };
  };
  const noteAt = async (bucket: string, name: string): Promise<string | undefined> => {
    const found = await s3.client
      .send(new GetObjectCommand({ Bucket: bucket, Key: `log/${name}` }))
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw error;
      });
    return found?.Body?.transformToString();
  };
  const audit = ({ folder }: Publication, saved?: string) =>
    auditLog({
      sha256: nodeSha256,
      readFile: (name) => folder.readPublished(name),
      key: key.verifier,
      ...(saved === undefined ? {} : { saved: Buffer.from(saved) }),
    });

  test('grows across bundles, each state audited; of full tiles no narrower version is kept', async () => {
    const log = await newLog(0);
    let saved: string | undefined;
    let size = 0;
    expect(await publishLog(log)).toEqual({ outcome: 'unchanged', size: 0 });
    for (const more of [1, 254, 1, 1, 300]) {
      await growLog(log.db, more);
      size += more;
      expect(await publishLog(log)).toEqual({ outcome: 'published', size });
      expect(await publishLog(log)).toEqual({ outcome: 'unchanged', size });
      expect(await audit(log, saved)).toMatchObject({ result: 'proved' });
      expect(await checkPublished(log)).toEqual({ mended: [] });
      saved = await noteAt(log.bucket, '1/checkpoint');
      expect(await noteAt(log.bucket, 'high-water')).toBe(saved);
    }
    const { Contents } = await s3.client.send(
      new ListObjectsV2Command({ Bucket: log.bucket, Prefix: 'log/1/tile/entries/' }),
    );
    expect(Contents?.map(({ Key }) => Key?.slice('log/1/tile/entries/'.length))).toEqual(['000', '001', '002.p/45']);
  });

  test('a database behind what the bucket knows is refused, and the note stays', async () => {
    const log = await newLog(300);
    await publishLog(log);
    const note = await noteAt(log.bucket, 'high-water');
    const restored = inBucket(log.bucket, await newDatabase(290));
    await expect(publishLog(restored)).rejects.toThrow('The database has 290 entries, but 300 were signed');
    await growLog(restored.db, 20);
    await expect(publishLog(restored)).rejects.toThrow(Refused);
    expect(await noteAt(log.bucket, 'high-water')).toBe(note);
    expect(await noteAt(log.bucket, '1/checkpoint')).toBe(note);
  });

  test('what was signed last is asked of the bucket in each round', async () => {
    const log = await newLog(10);
    await publishLog(log);
    const ahead = await newLog(30);
    await publishLog(ahead);
    const note = (await noteAt(ahead.bucket, 'high-water')) ?? '';
    await s3.client.send(new PutObjectCommand({ Bucket: log.bucket, Key: 'log/high-water', Body: note }));
    await growLog(log.db, 1);
    await expect(publishLog(log)).rejects.toThrow('The database has 11 entries, but 30 were signed');
  });

  test('two databases that part, on one bucket: of two who have read the same one signs, and the other never again', async () => {
    const [one, other] = await Promise.all([newDatabase(5), newDatabase(5)]);
    for (let nth = 0; nth < BUCKETS_OF_TWO; nth += 1) {
      const bucket = await s3.newBucket();
      const settings = readConfig({ ...s3.env, S3_BUCKET: bucket });
      // Nobody writes before both have read what was signed last: nothing.
      const bothHaveRead = meeting(2);
      const logs = [one, other].map(({ db }): Publication => {
        const storage = openLogStorage(settings);
        const write: LogStorage['write'] = async (name, bytes) => {
          await bothHaveRead();
          await storage.write(name, bytes);
        };
        return { db, folder: new LogFolder({ ...storage, write }), key };
      });
      const rounds = await Promise.all(logs.map((log) => publishLog(log)));
      expect(rounds.map(({ outcome }) => outcome).toSorted()).toEqual(['busy', 'published']);
      expect(await noteAt(bucket, '1/checkpoint')).toBe(await noteAt(bucket, 'high-water'));
      const [winner, loser] = rounds[0]?.outcome === 'published' ? logs : logs.toReversed();
      await expect(publishLog(loser!)).rejects.toThrow(Refused);
      // The files that the loser left are written over.
      await checkPublished(winner!);
      expect(await audit(winner!)).toMatchObject({ result: 'proved' });
      await growLog(winner!.db, 1);
      expect(await publishLog(winner!)).toMatchObject({ outcome: 'published' });
    }
  });

  test('a log that was on disk is brought along: the start insists on it', async () => {
    const database = await newDatabase(3);
    const onDisk = await newPublication(database.db, key);
    await publishLog(onDisk);
    const bucket = await s3.newBucket();
    const settings = readConfig({ ...s3.env, S3_BUCKET: bucket, DATA_DIR: onDisk.dataDir });
    await expect(insistLogIsInBucket(settings)).rejects.toThrow(
      `${onDisk.dataDir}/log holds what was signed, and S3_BUCKET ${bucket} has no log. Copy ${onDisk.dataDir}/log to log/ in the bucket`,
    );
    const folder = path.join(onDisk.dataDir, 'log');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      const Key = `log/${path.relative(folder, file)}`;
      await s3.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: await readFile(file) }));
    }
    await insistLogIsInBucket(settings);
    await growLog(database.db, 300);
    const carried = { ...onDisk, folder: openLogFolder(settings) };
    expect(await publishLog(carried)).toEqual({ outcome: 'published', size: 303 });
    expect(await audit(carried)).toMatchObject({ result: 'proved' });
    await onDisk.remove();
  });

  test('a publisher that wakes up late shows nobody an older state again', async () => {
    const log = await newLog(10);
    await publishLog(log);
    const early = await log.folder.readCheckpoint(key.verifier);
    await growLog(log.db, 10);
    await publishLog(log);
    const late = await noteAt(log.bucket, '1/checkpoint');
    expect(await log.folder.replaceCheckpoint(early!.note, early!.version)).toBe(false);
    expect(await log.folder.replaceHighWater(early!.note, early!.version)).toBe(false);
    expect(await noteAt(log.bucket, '1/checkpoint')).toBe(late);
    expect(await noteAt(log.bucket, 'high-water')).toBe(late);
  });

  test('storage that is gone is no reason to refuse: it goes on where it was', async () => {
    const log = await newLog(10);
    await publishLog(log);
    await growLog(log.db, 10);
    await s3.cut();
    await expect(publishLog(log)).rejects.toThrow(StorageUnavailable);
    await expect(checkPublished(log)).rejects.toThrow(StorageUnavailable);
    await s3.restore();
    expect(await publishLog(log)).toEqual({ outcome: 'published', size: 20 });
  });
});
