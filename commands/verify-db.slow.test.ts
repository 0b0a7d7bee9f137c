// npm run verify -- db as people run it: what it says, and how it ends. It changes nothing.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { utf8 } from '#app/tlog/bytes.ts';
import { formatCheckpoint } from '#app/tlog/checkpoint.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { signNote } from '#app/tlog/sign-note.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { enterLeaves } from '#test/leaves.ts';
import { LOG_NAME, newKey } from '#test/small-log.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'verify-db-'));
  await sql`insert into vehicle (rego) values ('VERIFY1')`.execute(database.db);
  await enterLeaves(database.db);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function verify(...args: string[]): Promise<{ code: unknown; said: string }> {
  const { address } = database;
  if (!('host' in address)) throw new Error('no socket');
  const { host, port, user, password, database: name } = address;
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  const command = path.resolve(import.meta.dirname, 'verify-db.ts');
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: folder, NODE_ENV: 'test' };
  return promisify(execFile)(process.execPath, [command, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: unknown; stdout: string; stderr: string }) => ({
      code: error.code,
      said: `${error.stdout}${error.stderr}`,
    }),
  );
}

test('0 when proved, 1 with a sentence for each finding, 2 when it cannot be told; nothing is written', async () => {
  const { db } = database;
  const proved = await verify();
  expect(proved).toMatchObject({
    code: 0,
    said: expect.stringContaining('1 entries and 1 records verified, 0 findings.'),
  });

  const leaf = await db.selectFrom('logLeaf').select('hash').executeTakeFirstOrThrow();
  const signer = await newKey();
  const key = formatVerifierKey(signer.verifier);
  const checkpoint = async (name: string, root: Uint8Array<ArrayBuffer>) => {
    const file = path.join(folder, name);
    await writeFile(file, signNote(signer, formatCheckpoint({ origin: LOG_NAME, size: 1, root, extensions: [] })));
    return file;
  };
  const signed = await checkpoint('signed', Uint8Array.from(leaf.hash));
  const other = await checkpoint('other', nodeSha256(utf8('other')));
  expect(await verify('--key', key, '--checkpoint', signed)).toMatchObject({ code: 0 });
  expect(await verify('--key', key, '--checkpoint', other)).toMatchObject({
    code: 1,
    said: expect.stringContaining('are not those that were signed'),
  });
  expect(await verify('--checkpoint', signed)).toMatchObject({ code: 2 });
  expect(await verify('--key', key, '--checkpoint', path.join(folder, 'absent'))).toMatchObject({ code: 2 });
  expect(await verify('--trust')).toMatchObject({ code: 2 });

  // A record without an entry, and the mark taken back: to judge the database must not bring it into order.
  await sql`insert into vehicle (rego) values ('VERIFY2')`.execute(db);
  await sql`update activity_state set before_log = false`.execute(db);
  const tampered = await verify();
  expect(tampered).toMatchObject({ code: 1, said: expect.stringContaining('the log has no entry about it') });
  expect(await db.selectFrom('logLeaf').select('index').execute()).toHaveLength(1);
}, 60_000);
