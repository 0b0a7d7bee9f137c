// Two machines with one PostgreSQL and one bucket, and no disk in common: files and the public log are the same on
// both.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseCheckpoint } from '#app/tlog/checkpoint.ts';
import { generateSigningKey } from '#app/tlog/sign-note.server.ts';
import { parseNote } from '#app/tlog/signed-note.ts';
import { growLog } from '#test/published-log.ts';
import { hasS3, startS3, type S3Server } from '#test/s3.ts';
import { LOG_NAME } from '#test/small-log.ts';
import { startRegistry, type StartedNode, type StartedRegistry } from '#test/start-registry.ts';

const TAKEN_OVER_WITHIN_MS = 10_000;

describe.runIf(hasS3())('machines without a disk in common', () => {
  let s3: S3Server;
  let registry: StartedRegistry;
  let other: StartedNode;
  let folder: string;
  beforeAll(async () => {
    s3 = await startS3();
    folder = await mkdtemp(path.join(tmpdir(), 'registry-second-'));
    const LOG_KEY_FILE = path.join(folder, 'log-key');
    await writeFile(LOG_KEY_FILE, await generateSigningKey(LOG_NAME), { mode: 0o600 });
    const shared = { ...s3.env, AUTH_SECRET: 'the same on every machine, given from outside', LOG_KEY_FILE };
    registry = await startRegistry(shared);
    const { host, port, user, password, database } = registry.address;
    const DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    other = await registry.addNode({ DATABASE_URL, DATA_DIR: path.join(folder, 'data') });
  }, 120_000);
  afterAll(async () => {
    await registry.stop();
    await s3.stop();
    await rm(folder, { recursive: true });
  });
  const signedOn = async (url: string) => {
    const answer = await fetch(`${url}/log/1/checkpoint`);
    return answer.ok ? parseCheckpoint(parseNote(new Uint8Array(await answer.arrayBuffer())).text).size : 0;
  };

  test('what the demo brought is served by both, byte for byte', async () => {
    const files = await registry.db
      .selectFrom('vehicleFile')
      .select('fileId')
      .where('fileId', 'is not', null)
      .where('removedAt', 'is', null)
      .limit(5)
      .execute();
    expect(files.length).toBeGreaterThan(0);
    for (const { fileId } of files) {
      const [one, two] = await Promise.all(
        [registry.url, other.url].map(async (url) => {
          const answer = await fetch(`${url}/files/${fileId}`);
          expect(answer.status).toBe(200);
          return Buffer.from(await answer.arrayBuffer());
        }),
      );
      expect(one).toEqual(two);
    }
  });

  test('the log is one on both, and goes on after the machine is killed that published it', async () => {
    await vi.waitFor(async () => expect(await signedOn(other.url)).toBeGreaterThan(0), TAKEN_OVER_WITHIN_MS);
    const before = await signedOn(other.url);
    await growLog(registry.db, 3);
    await vi.waitFor(async () => expect(await signedOn(other.url)).toBe(before + 3), TAKEN_OVER_WITHIN_MS);
    expect(await signedOn(registry.url)).toBe(before + 3);
    await registry.killServer();
    await growLog(registry.db, 4);
    await vi.waitFor(async () => expect(await signedOn(other.url)).toBe(before + 7), TAKEN_OVER_WITHIN_MS);
    expect(await (await fetch(`${other.url}/log`)).text()).not.toContain('not signed');
    for (const name of ['files', 'log', 'keys', 'postgres'])
      expect(existsSync(path.join(folder, 'data', name)), name).toBe(false);
  });
});
