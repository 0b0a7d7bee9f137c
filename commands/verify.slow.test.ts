// The offline verifier as people run it: as a command, and as the one file that is built from it.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { utf8 } from '#app/tlog/bytes.ts';
import { formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { signNote } from '#app/tlog/sign-note.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { formatTlogProof, parseTlogProof } from '#app/tlog/tlog-proof.ts';
import { MIRROR, VERIFIER, WITNESS } from '#test/built-programs.ts';
import { cosigned, policyText } from '#test/witnesses/cosign.ts';
import { LOG_NAME, newKey, proofFile, publish, someEntries } from '#test/small-log.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
let folder: string;
let key: string;
let server: Server;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'verify-'));
  const signer = await newKey();
  key = formatVerifierKey(signer.verifier);
  const entries = await someEntries(600, 5);
  const log = await publish(entries, signer);
  for (const [name, bytes] of log.files) await write(`log/${name}`, bytes);
  await write('proof', await proofFile(log, entries, 300));
  await write('earlier', (await publish(entries.slice(0, 300), signer)).files.get('checkpoint')!);
  const other = { origin: LOG_NAME, size: 600, root: nodeSha256(utf8('other')), extensions: [] };
  await write('other', utf8(signNote(signer, formatCheckpoint(other))));

  server = createServer((request, response) => {
    readFile(path.join(folder, 'log', request.url ?? '')).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(request.url === '/down/checkpoint' ? 503 : 404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const at = server.address();
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), bytes);
}

// The built file runs where there is nothing of the project.
async function verify(...args: string[]): Promise<{ code: unknown; said: string }> {
  return promisify(execFile)(process.execPath, [VERIFIER, ...args], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: unknown; stdout: string }) => ({ code: error.code, said: error.stdout }),
  );
}

test.each([VERIFIER, MIRROR, WITNESS])('the built file %s has no dependency but Node', async (file) => {
  const code = await readFile(file, 'utf8');
  const imported = [...code.matchAll(/^import .* from "([^"]*)"/gm)].map((match) => match[1]);
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => name?.startsWith('node:') !== true)).toEqual([]);
  expect(code).not.toMatch(/\bimport\(|\brequire\(/);
});

test('proof', async () => {
  expect(await verify('proof', 'proof', '--key', key)).toEqual({
    code: 0,
    said: `Proved: calibration.recorded was logged at 2026-11-21T00:05:00.000Z as entry 300 of ${LOG_NAME} and is unchanged. Opened: people.technician.\n`,
  });
  const text = await readFile(path.join(folder, 'proof'), 'utf8');
  await write('wrong', utf8(text.replace('\nindex 300\n', '\nindex 301\n')));
  expect(await verify('proof', 'wrong', '--key', key)).toMatchObject({ code: 1 });
  expect(await verify('proof', 'absent', '--key', key)).toMatchObject({ code: 2 });
});

test('audit of a folder and of an address, with an earlier checkpoint', async () => {
  const said = `Proved: the 600 entries of ${LOG_NAME} are what was signed, in order of time, with the 10 vehicles' chains whole, and begins with the 300 of the saved checkpoint.\n`;
  expect(await verify('audit', 'log', '--key', key, '--checkpoint', 'earlier')).toEqual({ code: 0, said });
  expect(await verify('audit', `${address}/`, '--key', key, '--checkpoint', 'earlier')).toEqual({ code: 0, said });
  expect(await verify('audit', 'log', '--key', key, '--checkpoint', 'other')).toEqual({
    code: 1,
    said: 'The log was rewritten: its first 600 entries are not those of the saved checkpoint.\n',
  });
});

test('with a policy nothing is proved that its witnesses have not seen', async () => {
  const { checkpoint, ...proof } = parseTlogProof(await readFile(path.join(folder, 'proof')));
  const now = new Date();
  await write('policy', utf8(policyText(['north', 'south'], 2)));
  await write('seen', utf8(formatTlogProof({ ...proof, checkpoint: cosigned(checkpoint, ['north', 'south'], now) })));
  await write('half', utf8(formatTlogProof({ ...proof, checkpoint: cosigned(checkpoint, ['north'], now) })));
  const withPolicy = ['--key', key, '--policy', 'policy'];
  expect(await verify('proof', 'seen', ...withPolicy)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/ Witnessed by 2 of 2 witnesses \(.*\), \d+ seconds? ago\.\n$/),
  });
  for (const file of ['half', 'proof'])
    expect(await verify('proof', file, ...withPolicy)).toMatchObject({
      code: 2,
      said: expect.stringContaining('not enough witnesses have seen it'),
    });
  // Of a truck's state this entry says nothing.
  expect(await verify('truck', 'seen', ...withPolicy)).toMatchObject({ code: 2 });
  expect(await verify('audit', 'log', ...withPolicy)).toMatchObject({ code: 2 });
  await write('log/checkpoint.witnessed', cosigned(checkpoint, ['north', 'south'], now));
  expect(await verify('audit', 'log', ...withPolicy)).toMatchObject({ code: 0 });
  await write('policy', utf8('quorum north\n'));
  expect(await verify('proof', 'seen', ...withPolicy)).toMatchObject({
    code: 2,
    said: expect.stringContaining('line 1'),
  });
});

test('audit of a log that is not there, or does not answer', async () => {
  for (const place of ['nowhere', `${address}/nowhere`, `${address}/down`, 'http://127.0.0.1:1'])
    expect(await verify('audit', place, '--key', key), place).toMatchObject({ code: 2 });
});

test('audit of an altered copy', async () => {
  const bundle = await readFile(path.join(folder, 'log/tile/entries/001'));
  bundle[5000]! ^= 1;
  await write('log/tile/entries/001', bundle);
  expect(await verify('audit', 'log', '--key', key)).toMatchObject({ code: 1 });
  bundle[5000]! ^= 1;
  await write('log/tile/entries/001', bundle);
});

test('fork', async () => {
  expect(await verify('fork', 'log/checkpoint', 'other', '--key', key)).toMatchObject({ code: 1 });
  expect(await verify('fork', 'log/checkpoint', 'log/checkpoint', '--key', key)).toMatchObject({ code: 0 });
  expect(await verify('fork', 'log/checkpoint', 'earlier', '--key', key)).toMatchObject({ code: 2 });
});

test('what is not understood is no answer about the log, and shows how it is used', async () => {
  for (const args of [
    [],
    ['prove', 'log'],
    ['toString'],
    ['audit', 'log'],
    ['audit', '--key', key],
    ['fork', 'a', '--key', key],
    ['audit', 'log', '--key', key, '--trust'],
  ])
    expect(await verify(...args)).toMatchObject({ code: 2, said: expect.stringContaining('Usage:') });
  expect(await verify('audit', 'log', '--key', 'key')).toMatchObject({ code: 2 });
});

test('the command of the project answers alike', async () => {
  const args = [path.join(ROOT, 'commands/verify.ts'), 'audit', path.join(folder, 'log'), '--key', key];
  expect((await promisify(execFile)(process.execPath, args)).stdout).toMatch(/^Proved: the 600 entries/);
});
