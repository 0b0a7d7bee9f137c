// The publisher on a real database and a real folder: what it signs verifies, and it never signs two trees of one size.
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import {
  alterLeaf,
  audit,
  growLog,
  newPublication,
  publishedFolder,
  type TestPublication,
} from '#test/published-log.ts';
import { newKey } from '#test/small-log.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { checkPublished, publishLog, Refused } from './publish.server.ts';
import { formatBundle, formatTile, parseBundle, parseTile } from '#app/tlog/tiles.ts';

let key: SigningKey;
const undo: (() => Promise<void>)[] = [];
beforeAll(async () => {
  key = await newKey();
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  undo.push(() => database.drop());
  return database;
}

async function newLog(size: number): Promise<TestPublication & { database: TestDatabase }> {
  const database = await newDatabase();
  await growLog(database.db, size);
  const publication = await newPublication(database.db, key);
  undo.push(() => publication.remove());
  return { ...publication, database };
}

const highWater = ({ dataDir }: { dataDir: string }) => path.join(dataDir, 'log', 'high-water');
const checkpoint = (log: { dataDir: string }) => path.join(publishedFolder(log), 'checkpoint');

test('nothing is signed of an empty log', async () => {
  const log = await newLog(0);
  expect(await publishLog(log)).toEqual({ outcome: 'unchanged', size: 0 });
  expect(await log.folder.readCheckpoint(key.verifier)).toBeUndefined();
});

test('a log that grows across bundles is published, and each state of it is audited and begins with the one before', async () => {
  const log = await newLog(0);
  let saved: Uint8Array | undefined;
  let size = 0;
  for (const more of [1, 1, 253, 1, 1, 255, 300, 1000]) {
    await growLog(log.db, more);
    size += more;
    expect(await publishLog(log)).toEqual({ outcome: 'published', size });
    expect(await publishLog(log)).toEqual({ outcome: 'unchanged', size });
    expect(await audit(publishedFolder(log), key, saved)).toMatchObject({ result: 'proved' });
    expect(await checkPublished(log)).toEqual({ mended: [] });
    saved = await readFile(checkpoint(log));
    expect(await readFile(highWater(log))).toEqual(saved);
  }
  // Of full tiles no narrower version is kept.
  expect(
    (await readdir(path.join(publishedFolder(log), 'tile/entries'))).filter((name) => name.endsWith('.p')),
  ).toEqual(['007.p']);
});

test('a check rests after every few hundred entries, also while more are published', async () => {
  const log = await newLog(600);
  await publishLog(log);
  const steps: number[] = [];
  const checked = checkPublished(log, async (ms) => {
    steps.push(ms);
    await growLog(log.db, 300);
    await publishLog(log);
  });
  expect(await checked).toEqual({ mended: [] });
  expect(steps).toHaveLength(3);
});

test('every tile and bundle is answered in every width that was signed, and in no other', async () => {
  const log = await newLog(600);
  await publishLog(log);
  const width = 600 - 512;
  const hashes = parseTile((await log.folder.readTile({ level: 0, index: 2, width }, 600))!, width);
  const entries = parseBundle((await log.folder.readTile({ level: 'entries', index: 2, width }, 600))!, width);
  for (let less = 1; less <= width; less += 1) {
    expect(await log.folder.readTile({ level: 0, index: 2, width: less }, 600)).toEqual(
      formatTile(hashes.slice(0, less)),
    );
    expect(await log.folder.readTile({ level: 'entries', index: 2, width: less }, 600)).toEqual(
      formatBundle(entries.slice(0, less)),
    );
  }
  for (let less = 1; less <= 256; less += 1)
    expect((await log.folder.readTile({ level: 0, index: 1, width: less }, 600))?.length).toBe(less * 32);
  // A file that a crash left, of a tree that was never signed.
  await writeFile(path.join(publishedFolder(log), 'tile/0/002.p/100'), 'left over');
  for (const tile of [
    { level: 0, index: 2, width: 89 },
    { level: 0, index: 2, width: 100 },
    { level: 0, index: 2, width: 256 },
    { level: 0, index: 3, width: 1 },
    { level: 1, index: 0, width: 3 },
    { level: 2, index: 0, width: 1 },
  ])
    expect(await log.folder.readTile(tile, 600), JSON.stringify(tile)).toBeUndefined();
});

test('a database restored from an older backup is refused, also once it has grown past what was signed', async () => {
  for (const [old, signed] of [
    [300, 310],
    [256, 512],
    [1, 257],
  ] as const) {
    const log = await newLog(signed);
    await publishLog(log);
    const note = await readFile(highWater(log));
    // Other leaves than the ones that were signed, as the salts are others.
    const restored = { ...log, db: (await newDatabase()).db };
    await growLog(restored.db, old);
    await expect(publishLog(restored)).rejects.toThrow(
      `The database has ${old} entries, but ${signed} were signed: it was restored from an older backup`,
    );
    await expect(checkPublished(restored)).rejects.toThrow(Refused);
    await growLog(restored.db, signed - old);
    await expect(publishLog(restored)).rejects.toThrow(`entries are not the ${signed} that were signed`);
    for (const more of [1, 40, 300]) {
      await growLog(restored.db, more);
      await expect(publishLog(restored)).rejects.toThrow(Refused);
      await expect(checkPublished(restored)).rejects.toThrow(/^Entry 0 in the database is not the one that was signed/);
    }
    expect(await readFile(highWater(log))).toEqual(note);
    expect(await readFile(checkpoint(log))).toEqual(note);
    // What the refused rounds left in the folder is not seen by anybody, and is written over.
    await growLog(log.db, 7);
    expect(await publishLog(log)).toEqual({ outcome: 'published', size: signed + 7 });
    expect(await checkPublished(log)).toEqual({ mended: [] });
    expect(await audit(publishedFolder(log), key, note)).toMatchObject({ result: 'proved' });
  }
});

test('an entry that was changed in the database is refused and named, wherever it is', async () => {
  for (const index of [0, 255, 256, 511, 512, 599]) {
    const log = await newLog(600);
    await publishLog(log);
    await alterLeaf(log.db, index);
    await expect(checkPublished(log)).rejects.toThrow(
      `Entry ${index} in the database is not the one that was signed: it was changed.`,
    );
    // What is signed goes on from the published tree, never from the changed entry.
    const note = await readFile(highWater(log));
    await growLog(log.db, 5);
    if (index >= 512) await expect(publishLog(log)).rejects.toThrow(`Entry ${index} in the database`);
    else expect(await publishLog(log)).toEqual({ outcome: 'published', size: 605 });
    expect(await audit(publishedFolder(log), key, note)).toMatchObject({ result: 'proved' });
  }
});

test('an entry changed before it was signed is refused, as it does not give the tree that the database kept', async () => {
  const log = await newLog(300);
  await publishLog(log);
  await growLog(log.db, 300);
  await alterLeaf(log.db, 400);
  await expect(publishLog(log)).rejects.toThrow('do not give the tree that it kept of them');
  const removed = await newLog(300);
  await sql`alter table log_leaf disable trigger user`.execute(removed.db);
  await sql`alter table leaf_opening disable trigger user`.execute(removed.db);
  await sql`delete from leaf_opening where leaf_index = 299`.execute(removed.db);
  await sql`delete from log_leaf where index = 299`.execute(removed.db);
  await expect(publishLog(removed)).rejects.toThrow(Refused);
  expect(await removed.folder.readHighWater(key.verifier)).toBeUndefined();
});

test('another key, a forked note and a damaged note are refused', async () => {
  const log = await newLog(10);
  await publishLog(log);
  await growLog(log.db, 1);
  await expect(publishLog({ ...log, key: await newKey('other.example/log/1') })).rejects.toThrow(
    /What was signed last cannot be known/,
  );
  const other = await newLog(10);
  await publishLog(other);
  await copyFile(checkpoint(other), checkpoint(log));
  await expect(publishLog(log)).rejects.toThrow('Two different trees of 10 entries were signed');
  await writeFile(checkpoint(log), 'damaged');
  await expect(publishLog(log)).rejects.toThrow(Refused);
});

test('the later of high-water note and checkpoint counts, where one was lost or a crash came between', async () => {
  const log = await newLog(10);
  await publishLog(log);
  const early = await readFile(checkpoint(log));
  await growLog(log.db, 10);
  await publishLog(log);
  const late = await readFile(checkpoint(log));
  await writeFile(checkpoint(log), early);
  expect(await publishLog(log)).toEqual({ outcome: 'published', size: 20 });
  expect(await readFile(checkpoint(log))).toEqual(late);
  await rm(checkpoint(log));
  expect(await publishLog(log)).toEqual({ outcome: 'published', size: 20 });
  await rm(highWater(log));
  await growLog(log.db, 1);
  expect(await publishLog(log)).toEqual({ outcome: 'published', size: 21 });
  expect(await audit(publishedFolder(log), key, late)).toMatchObject({ result: 'proved' });
});

test('published files that are lost or damaged are written again; until then nothing is signed over them', async () => {
  const log = await newLog(600);
  await publishLog(log);
  for (const name of ['tile/0/000', 'tile/entries/001', 'tile/entries/002.p/88', 'tile/1/000.p/2']) {
    const file = path.join(publishedFolder(log), name);
    const bytes = await readFile(file);
    bytes[40]! ^= 1;
    await writeFile(file, bytes);
    expect(await checkPublished(log)).toEqual({ mended: [name] });
    await rm(file);
    expect(await checkPublished(log)).toEqual({ mended: [name] });
    expect(await audit(publishedFolder(log), key)).toMatchObject({ result: 'proved' });
  }
  const edge = path.join(publishedFolder(log), 'tile/1/000.p/2');
  await writeFile(edge, Buffer.alloc(64));
  await growLog(log.db, 1);
  await expect(publishLog(log)).rejects.toThrow(Refused);
});

test('many publishers at once of one folder sign each size once, and one tree', async () => {
  const log = await newLog(1);
  const notes = new Map<string, Set<string>>();
  const seen = async () => {
    for (const file of [highWater(log), checkpoint(log)]) {
      const note = await readFile(file, 'utf8').catch(() => undefined);
      const [, size = '', root = ''] = note?.split('\n') ?? [];
      if (note !== undefined) notes.set(size, (notes.get(size) ?? new Set()).add(root));
    }
  };
  // The other of the two databases is a restored one that has gone on by itself.
  const restored = { ...log, db: (await newDatabase()).db };
  await growLog(restored.db, 1);
  let signed = 0;
  const publisher = async (at: TestPublication) => {
    for (let nth = 0; nth < 60; nth += 1) {
      const done = await publishLog(at).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        return undefined;
      });
      if (done?.outcome === 'published') signed += 1;
      await seen();
      await growLog(at.db, 1 + (nth % 3));
    }
  };
  await Promise.all([publisher(log), publisher(log), publisher(log), publisher(restored), publisher(restored)]);
  expect(signed).toBeGreaterThan(5);
  expect([...notes.values()].map((roots) => roots.size)).toEqual([...notes].map(() => 1));
  expect(await audit(publishedFolder(log), key)).toMatchObject({ result: 'proved' });
});

afterAll(async () => {
  for (const step of undo) await step();
});
