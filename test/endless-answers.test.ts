// Whatever we ask of outside ends at a bound for its kind, counted after decompression: an endless answer, and a few
// bytes that gzip makes gigabytes of.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBucket } from '#app/platform/storage/bucket.server.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { syncSignIn } from '#app/sign-in/token-sync.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { openLogSource } from '#app/transparency-log/log-source.server.ts';
import { askWitness } from '#app/witnesses/ask-witness.server.ts';
import { createTestServices } from '#test/services.ts';
import { MIRROR } from '#test/built-programs.ts';
import { newKey } from '#test/small-log.ts';

const MEGABYTE = 1024 * 1024;
const ZEROS = Buffer.alloc(64 * 1024);
// What a sender that is not stopped would send: enough to be seen, too little to fill the memory of the tests.
const GIVEN_UP_AT = 200 * MEGABYTE;

let server: Server;
let base: string;
let kind: 'endless' | 'bomb';
/** Of the answers since the test began, before compression. */
let sent: number;
let open: Set<ServerResponse>;
beforeAll(async () => {
  server = createServer((asked, answer) => {
    asked.resume();
    const mine = open.add(answer);
    answer.on('close', () => mine.delete(answer));
    if (kind === 'bomb') answer.setHeader('content-encoding', 'gzip');
    void sendZeros(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [sent, open] = [0, new Set()];
});

async function sendZeros(answer: ServerResponse): Promise<void> {
  const gzip = createGzip();
  const closed = once(answer, 'close');
  if (kind === 'bomb') gzip.pipe(answer);
  const out = kind === 'bomb' ? gzip : answer;
  while (!answer.destroyed && sent < GIVEN_UP_AT) {
    sent += ZEROS.length;
    if (!out.write(ZEROS)) await Promise.race([once(out, 'drain'), closed]);
  }
  out.end();
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it was taken',
    (error: unknown) => String(error),
  );

describe.each(['endless', 'bomb'] as const)('%s', (one) => {
  beforeEach(() => {
    kind = one;
  });

  test.each(['checkpoint', 'tile/0/000', 'tile/entries/000'])('a log that is audited: %s', async (name) => {
    expect(await failureOf(openLogSource(base)(name))).toBe(`Error: the file ${name} is too long`);
    expect(sent).toBeLessThan(GIVEN_UP_AT);
  });

  test('a log that is mirrored', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'endless-'));
    const args = [MIRROR, base, formatVerifierKey((await newKey()).verifier), path.join(folder, 'copy')];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { timeout: 20_000 }, (_error, out, words) => resolve(`${out}${words}`));
    });
    expect(said).toContain('Could not tell: the file checkpoint is too long');
    expect(sent).toBeLessThan(GIVEN_UP_AT);
    await rm(folder, { recursive: true });
  });

  test('a witness', async () => {
    const asked = askWitness(
      { url: base, witnesses: [] },
      { note: utf8('a note\n'), size: 1, prove: async () => [] },
      { old: 0, now: () => new Date(), signal: new AbortController().signal },
    );
    expect(await failureOf(asked)).toBe('Error: its answer is too long');
    expect(sent).toBeLessThan(GIVEN_UP_AT);
  });

  test('the other system that is notified of a sign-in', async () => {
    const services = await createTestServices({ AUTH_TOKEN_SYNC_URL: `${base}/` });
    syncSignIn(services, { personId: 'p', email: 'a@site.example', name: 'A', role: 'admin' });
    await expect.poll(() => sent, { timeout: 10_000 }).toBeGreaterThan(0);
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
    expect(sent).toBeLessThan(GIVEN_UP_AT);
    await services.stop();
  });
});

test('a storage: no object is larger than what is stored', async () => {
  kind = 'endless';
  const { s3 } = readConfig({
    S3_BUCKET: 'files',
    S3_ENDPOINT: base,
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
  });
  if (s3 === undefined) throw new Error('the settings name a storage');
  const bucket = await openBucket(s3);
  expect(await failureOf(bucket.read('log/checkpoint'))).toContain('The storage sends more than was ever stored');
  expect(sent).toBeLessThan(GIVEN_UP_AT);
});
