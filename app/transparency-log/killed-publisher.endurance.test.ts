// Publishers killed at any moment while the log grows: whatever note was ever in the folder, under whatever name, is of
// the one tree. Each life is a third of a second of reading modules, so KILLS=200 is for when there is a minute.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#app/platform/process/config.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { growLog } from '#test/published-log.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { auditLog } from '#app/tlog/audit-log.ts';
import { formatBase64, utf8 } from '#app/tlog/bytes.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { appendLeaf, EMPTY_FRONTIER, leafHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { checkPublished, publishLog } from './publish.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';

const KILLS = Number(process.env['KILLS'] ?? 50);
const WORKLOADS = 3;
const GROWS_EVERY_MS = 10;

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'registry-killed-'));
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

// Also the files written aside: a process may have ended before it renamed one, and it is signed all the same.
async function notesOnDisk(): Promise<string[]> {
  const notes = [];
  for (const folder of [path.join(dataDir, 'log'), path.join(dataDir, 'log/1')])
    for (const name of await readdir(folder).catch(() => []))
      if (/^(high-water|checkpoint)/.test(name))
        notes.push(await readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return notes;
}

async function notesInBucket({ client, bucket }: S3Server): Promise<string[]> {
  const notes = ['log/high-water', 'log/1/checkpoint'].map(async (Key) => {
    const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key })).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    });
    return (await found?.Body?.transformToString()) ?? '';
  });
  return Promise.all(notes);
}

async function killOne(child: ChildProcess, livesAtMostMs: number): Promise<void> {
  const ended = once(child, 'exit');
  // One that ends by itself fails the test below.
  await Promise.race([once(child, 'message'), ended]);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * livesAtMostMs));
  child.kill('SIGKILL');
  const [code, signal]: unknown[] = await ended;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

type Place = { env: NodeJS.ProcessEnv; readNotes: () => Promise<string[]>; livesAtMostMs: number };

async function killPublishers(place: Place): Promise<void> {
  const { env, readNotes } = place;
  const publisher = () =>
    fork(
      new URL('../../test/publish-process.ts', import.meta.url),
      [JSON.stringify(database.address), dataDir],
      // Most of a life would be reading the modules.
      { env: { ...process.env, ...env, NODE_COMPILE_CACHE: path.join(dataDir, 'modules') }, execArgv: [] },
    );
  const seen = new Set<string>();
  const look = async () => {
    // One that is not written to its end has no signature yet.
    for (const note of await readNotes()) if (/\n\n— .*\n$/.test(note)) seen.add(note);
  };
  let kills = 0;
  let done = false;
  const growing = (async () => {
    while (!done) {
      await growLog(database.db, 1 + Math.floor(Math.random() * 20));
      await look();
      await new Promise((resolve) => setTimeout(resolve, GROWS_EVERY_MS));
    }
  })();
  const workload = async () => {
    while (kills < KILLS) {
      kills += 1;
      await killOne(publisher(), place.livesAtMostMs);
      await look();
    }
  };
  await Promise.all(Array.from({ length: WORKLOADS }, workload));
  done = true;
  await growing;

  const leaves = await database.db.selectFrom('logLeaf').select('entry').orderBy('index').execute();
  const roots = [''];
  let frontier = EMPTY_FRONTIER;
  for (const { entry } of leaves) {
    frontier = await appendLeaf(nodeSha256, frontier, await leafHash(nodeSha256, utf8(entry)));
    roots.push(formatBase64(await rootOf(nodeSha256, frontier)));
  }
  const wrong = [...seen].filter((note) => {
    const [, size, root] = note.split('\n');
    return root !== roots[Number(size)];
  });
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(KILLS / 4);

  const key = await logKey({ dataDir, logKeyFile: undefined, publicUrl: undefined });
  const publication = { db: database.db, folder: openLogFolder(readConfig({ ...env, DATA_DIR: dataDir })), key };
  expect(await checkPublished(publication)).toEqual({ mended: [] });
  expect(await publishLog(publication)).toMatchObject({ size: leaves.length });
  const readFile = (name: string) => publication.folder.readPublished(name);
  expect(await auditLog({ sha256: nodeSha256, readFile, key: key.verifier })).toMatchObject({ result: 'proved' });
  process.stdout.write(`${KILLS} kills, ${seen.size} different notes seen, ${leaves.length} leaves\n`);
}

// On a busy machine each life takes seconds.
const LASTS_AT_MOST_MS = KILLS * 3000 + 120_000;

test(
  `a publisher killed ${KILLS} times never signs two trees of one size`,
  () => killPublishers({ env: {}, readNotes: notesOnDisk, livesAtMostMs: 60 }),
  LASTS_AT_MOST_MS,
);

test.runIf(hasS3())(
  `nor does one that publishes to a bucket, killed ${KILLS} times`,
  async () => {
    const s3 = await startS3();
    try {
      await killPublishers({ env: s3.env, readNotes: () => notesInBucket(s3), livesAtMostMs: 250 });
    } finally {
      await s3.stop();
    }
  },
  LASTS_AT_MOST_MS,
);
