import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { growLog } from '#test/published-log.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { announceKey, isKeyOfLog, logKey } from './log-key.server.ts';
import { generateSigningKey } from '#app/tlog/sign-note.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'log-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const settings = (publicUrl?: string, logKeyFile?: string) => ({
  dataDir,
  publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
  logKeyFile,
});

test('the key is made once, for the owner only; first starts at once agree; a later PUBLIC_URL does not rename the log', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => logKey(settings('https://registry.example:8443'))));
  const [first] = made.map(({ verifier }) => formatVerifierKey(verifier));
  expect(first).toMatch(/^registry\.example:8443\/log\/1\+[0-9a-f]{8}\+/);
  for (const { verifier } of made) expect(formatVerifierKey(verifier)).toBe(first);
  expect((await stat(path.join(dataDir, 'keys/log-key'))).mode & 0o777).toBe(0o600);
  expect(formatVerifierKey((await logKey(settings('https://elsewhere.example'))).verifier)).toBe(first);
});

test('without PUBLIC_URL the log is named after localhost', async () => {
  expect((await logKey(settings())).verifier.name).toBe('localhost/log/1');
});

test('LOG_KEY_FILE is used as it is, and a bad one is a sentence that does not quote it', async () => {
  const file = path.join(dataDir, 'given');
  await expect(logKey(settings(undefined, file))).rejects.toThrow(`LOG_KEY_FILE names ${file}, which is not there.`);
  const text = await generateSigningKey('given.example/log/1');
  await writeFile(file, `${text}\n`);
  expect((await logKey(settings('https://registry.example', file))).verifier.name).toBe('given.example/log/1');
  for (const bad of ['', 'secret', text.replace('given', 'other'), text.slice(0, -4), `${text}\nsecret`]) {
    await writeFile(file, bad);
    const refusal: unknown = await logKey(settings(undefined, file)).catch((error: unknown) => error);
    expect(String(refusal)).toBe(
      `Error: LOG_KEY_FILE: ${file} is not a signing key of a log (PRIVATE+KEY+name+hash+key).`,
    );
  }
  await expect(logKey(settings(undefined, dataDir))).rejects.toThrow(/^LOG_KEY_FILE cannot be read from /);
  if (process.getuid?.() !== 0) {
    await chmod(file, 0);
    await expect(logKey(settings(undefined, file))).rejects.toThrow(/cannot be read/);
  }
});

test('a damaged key that was made here stops the start, and is not replaced', async () => {
  await logKey(settings());
  const file = path.join(dataDir, 'keys/log-key');
  await writeFile(file, 'damaged');
  await expect(logKey(settings())).rejects.toThrow(`The key of the log: ${file} is not a signing key of a log`);
  expect(await readFile(file, 'utf8')).toBe('damaged');
});

test('the key is the first leaf of an empty log, once', async () => {
  const database = await createTestDatabase();
  const config = settings();
  const key = await logKey(config);
  await Promise.all([announceKey(database.db, config), announceKey(database.db, config)]);
  await announceKey(database.db, config);
  await growLog(database.db, 1);
  const leaves = await database.db.selectFrom('logLeaf').select('entry').orderBy('index').execute();
  expect(await isKeyOfLog(database.db, settings())).toBe(true);
  const file = path.join(dataDir, 'other');
  await writeFile(file, await generateSigningKey('given.example/log/1'));
  expect(await isKeyOfLog(database.db, settings(undefined, file))).toBe(false);
  await database.drop();
  expect(leaves.length).toBe(2);
  expect(parseLeaf(utf8(leaves[0]?.entry ?? ''))).toMatchObject({
    type: 'log.key',
    body: { key: formatVerifierKey(key.verifier) },
  });
});
