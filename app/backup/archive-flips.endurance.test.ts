// Every single byte of an archive, flipped.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeSmallArchive } from '#test/small-archive.ts';
import { readArchive } from './read-archive.server.ts';

test('an archive with any one byte flipped is refused', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'flips-'));
  const file = path.join(folder, 'small.tar');
  await writeSmallArchive(file);
  const bytes = await readFile(file);
  const read = () =>
    readArchive(file, { take: async () => {}, progress: () => {} }).then(
      () => true,
      () => false,
    );
  expect(await read()).toBe(true);
  const missed: number[] = [];
  for (const [at, byte] of bytes.entries()) {
    bytes[at] = byte ^ (1 << (at % 8));
    await writeFile(file, bytes);
    if (await read()) missed.push(at);
    bytes[at] = byte;
  }
  expect(missed).toEqual([]);
  await rm(folder, { recursive: true });
}, 600_000);
