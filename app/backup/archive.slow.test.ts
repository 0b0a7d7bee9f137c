// What is written is read again, and nothing else: an archive is whole to the last byte or it is refused.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG_KEY, SMALL_MANIFEST, SMALL_TOTALS, writeSmallArchive } from '#test/small-archive.ts';
import { MANIFEST_PART, PARTS_A_LIST, type Part, rowsName, TOTALS_PART } from './archive.ts';
import { readArchive } from './read-archive.server.ts';
import { ArchiveWriter } from './write-archive.server.ts';

const EVERY = 29;
const run = promisify(execFile);
let folder: string;
let file: string;
let whole: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
  file = path.join(folder, 'small.tar');
  await writeSmallArchive(file);
  whole = await readFile(file);
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (name: string) => {
  const parts: Part[] = [];
  const { manifest, totals } = await readArchive(name, {
    take: async (part) => void parts.push(part),
    progress: () => {},
  });
  return { manifest, totals, parts };
};
const refusal = (name: string) =>
  read(name).then(
    () => 'read',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const other = path.join(tmpdir(), `archive-other-${process.pid}`);
afterAll(() => rm(other, { force: true }));
const refusalOf = async (bytes: Uint8Array) => {
  await writeFile(other, bytes);
  return refusal(other);
};
const refusalWith = async (change: Parameters<typeof writeSmallArchive>[1]) => {
  await rm(other, { force: true });
  await writeSmallArchive(other, change);
  return refusal(other);
};

test('what was written is read, for its owner only', async () => {
  const { manifest, totals, parts } = await read(file);
  expect(manifest).toEqual(SMALL_MANIFEST);
  expect(totals).toEqual(SMALL_TOTALS);
  expect(parts.map((part) => (part.kind === 'rows' ? [part.table, part.rows] : part.kind))).toEqual([
    ['vehicle', 2],
    ['vehicle', 1],
    'file',
    'high-water',
    'secret',
  ]);
  expect(parts[2]).toMatchObject({ key: LONG_KEY, bytes: Buffer.from('bytes') });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['small.tar']);
});

test('tar, sha256sum and zcat read it too', async () => {
  const out = path.join(folder, 'out');
  await mkdir(out);
  await run('tar', ['-xf', file, '-C', out]);
  await run('sh', ['-c', 'cat sums/*.sha256 | sha256sum -c --quiet'], { cwd: out });
  const { stdout } = await run('sh', ['-c', `head -c -1536 ${file} | sha256sum`]);
  expect(`${stdout.slice(0, 64)}\n`).toBe(await readFile(path.join(out, 'sha256'), 'utf8'));
  expect((await run('sh', ['-c', 'zcat tables/vehicle.*.copy.gz'], { cwd: out })).stdout).toBe(
    'ABC123\tone\nXYZ789\ttwo\\nlines\nZZZ\t\\N\n',
  );
  await rm(out, { recursive: true });
});

// Every byte of it: archive-flips.endurance.test.ts.
test(`a flipped bit is refused, at every ${EVERY}th byte`, async () => {
  for (let at = 0; at < whole.length; at += EVERY) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 1 << (at % 8);
    expect(await refusalOf(flipped), `byte ${at}`).not.toBe('read');
  }
});

test('one that is cut off at any block, or has something behind it, is refused', async () => {
  for (let end = 0; end < whole.length; end += 512)
    for (const at of [end, end + 100]) expect(await refusalOf(whole.subarray(0, at)), `${at} bytes`).not.toBe('read');
  expect(await refusalOf(whole.subarray(0, -1))).not.toBe('read');
  for (const more of [1, 512, 1024])
    expect(await refusalOf(Buffer.concat([whole, Buffer.alloc(more)])), `${more} more`).not.toBe('read');
  expect(await refusalOf(Buffer.concat([whole, whole]))).not.toBe('read');
  for (let at = 0; at < whole.length; at += 512)
    expect(await refusalOf(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 512)])), `without ${at}`).not.toBe(
      'read',
    );
});

test('what is no backup, or of another format, is refused with its reason', async () => {
  expect(await refusal(path.join(folder, 'absent'))).toBe(`There is no file ${path.join(folder, 'absent')}.`);
  expect(await refusalOf(Buffer.from('{}'))).toContain('too short');
  expect(await refusalOf(Buffer.alloc(4096, 'x'))).toContain('damaged');
  expect(await refusalWith({ [MANIFEST_PART]: async () => {} })).toBe('This is not a backup of a registry.');
  const newer = { ...SMALL_MANIFEST, formatVersion: 2 };
  expect(await refusalWith({ [MANIFEST_PART]: (writer) => writer.addJson(MANIFEST_PART, newer) })).toMatch(
    /^The archive has format 2; this version of the registry reads 1\./,
  );
  expect(await refusalWith({ more: (writer) => writer.add('more', Buffer.alloc(1)) })).toContain('damaged');
  expect(await refusalWith({ secret: (writer) => writer.add('secrets/other', Buffer.alloc(1)) })).toBe(
    'The archive has a part that this version does not know: secrets/other.',
  );
});

test('one that is sealed and lacks something is refused', async () => {
  for (const part of ['first', 'second', 'file', TOTALS_PART])
    expect(await refusalWith({ [part]: async () => {} }), part).not.toBe('read');
  const twice = { second: (writer: ArchiveWriter) => writer.addCompressed(rowsName('vehicle', 1), Buffer.from('A\n')) };
  expect(await refusalWith(twice)).not.toBe('read');
  const unpackable = { second: (writer: ArchiveWriter) => writer.add(rowsName('vehicle', 2), Buffer.from('A\n')) };
  expect(await refusalWith(unpackable)).toContain('cannot be unpacked');
});

test('with more parts than a list holds there are more lists', async () => {
  await rm(other, { force: true });
  const writer = await ArchiveWriter.begin(other, new Date(0));
  await writer.addJson(MANIFEST_PART, { ...SMALL_MANIFEST, tables: [] });
  const count = 2 * PARTS_A_LIST;
  for (let nth = 0; nth < count; nth += 1) await writer.add(`files/a/${nth}`, Buffer.from('x'));
  const files = { count, bytes: count, missing: 0, altered: 0 };
  await writer.addJson(TOTALS_PART, { rows: {}, sequences: [], files });
  await writer.finish();
  expect((await read(other)).parts).toHaveLength(count);
  const { stdout } = await run('tar', ['-tf', other]);
  expect(stdout.split('\n').filter((name) => name.startsWith('sums/'))).toHaveLength(3);
});

test('what is there is never overwritten, and what was not finished leaves nothing', async () => {
  await expect(ArchiveWriter.begin(file, new Date())).rejects.toThrow('already exists and is not overwritten');
  const unfinished = path.join(folder, 'unfinished.tar');
  const writer = await ArchiveWriter.begin(unfinished, new Date());
  await writer.add('files/a/b', Buffer.alloc(100));
  await writer.discard();
  const late = await ArchiveWriter.begin(unfinished, new Date());
  await writeFile(unfinished, 'somebody was faster');
  await expect(late.finish()).rejects.toThrow('already exists');
  await late.discard();
  expect(await readFile(unfinished, 'utf8')).toBe('somebody was faster');
  expect((await readdir(folder)).toSorted()).toEqual(['small.tar', 'unfinished.tar']);
});
