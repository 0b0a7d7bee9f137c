// The example of a monitor follows a log that is served as the registry serves it, and alarms at what it must.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bytes } from '#app/tlog/bytes.ts';
import { formatLeaf } from '#app/tlog/leaf.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { newKey, publish, someEntries } from './small-log.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../docs/follow-the-log.mjs');

let key: SigningKey;
let entries: Bytes[];
let files = new Map<string, Bytes>();
let server: Server;
let folder: string;
let nth = 0;
beforeAll(async () => {
  key = await newKey();
  entries = await someEntries(900, 3);
  folder = await mkdtemp(path.join(tmpdir(), 'follow-'));
  server = createServer((asked, answer) => {
    const file = files.get((asked.url ?? '').slice(1));
    answer.statusCode = file === undefined ? 404 : 200;
    answer.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  nth += 1;
});

const serve = async (of: readonly Bytes[], by = key) => ({ files } = await publish(of, by));
function follow(): Promise<{ code: number; words: string }> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const args = [
    SCRIPT,
    `http://127.0.0.1:${port}`,
    formatVerifierKey(key.verifier),
    path.join(folder, `state${nth}.json`),
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, words) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, words }),
    );
  });
}

test('an honest log is followed as it grows, whatever its size', async () => {
  let seen = 0;
  for (const size of [1, 2, 255, 256, 257, 600, 600, 900]) {
    await serve(entries.slice(0, size));
    expect(await follow()).toEqual({
      code: 0,
      words: expect.stringContaining(`All is well: ${size} entries, ${size - seen} of them new`),
    });
    seen = size;
  }
});

test.each([
  ['a shortened log', () => entries.slice(0, 500), 'the log has 500 entries, and had 600'],
  [
    'an entry that was changed since',
    () =>
      entries
        .with(
          301,
          formatLeaf({
            v: 1,
            type: 'technician.approved',
            at: '2026-11-21T00:05:01.000Z',
            origin: 'recorded',
            body: {},
          }),
        )
        .slice(0, 900),
    'forked or was rewritten',
  ],
  ['another tree of the same size', () => entries.toSpliced(599, 1).slice(0, 600), 'forked or was rewritten'],
  [
    'a step back in time',
    () =>
      entries.with(
        700,
        formatLeaf({ v: 1, type: 'technician.approved', at: '2020-01-01T00:00:00.000Z', origin: 'recorded', body: {} }),
      ),
    'earlier than the one before',
  ],
  [
    'an entry left out of a vehicle’s chain',
    () => entries.toSpliced(603, 1),
    'does not follow the last entry of its vehicle',
  ],
])('%s: an alarm', async (_name, of, words) => {
  await serve(entries.slice(0, 600));
  await follow();
  await serve(of());
  expect(await follow()).toEqual({ code: 1, words: expect.stringContaining(words) });
});

test('a checkpoint signed by another key: an alarm; a log that is not there: could not tell', async () => {
  await serve(entries.slice(0, 100), await newKey());
  expect(await follow()).toMatchObject({ code: 1, words: expect.stringContaining('does not bear the signature') });
  files = new Map();
  expect(await follow()).toMatchObject({ code: 2, words: expect.stringContaining('404') });
});
