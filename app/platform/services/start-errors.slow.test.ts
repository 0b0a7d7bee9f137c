// Each error is provoked by its real cause, as at a real start.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrate } from '#database/migrate.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { explainStartError } from './start-errors.server.ts';

const NOBODY = 65_534;
const log = { info: () => {}, warn: () => {} };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'start-errors-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sentenceOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'started',
    (error: unknown) => explainStartError(error),
  );

function start(env: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.resolve(import.meta.dirname, '../../../server/index.ts')],
      { env: { PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'data'), PORT: '0', ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

test('a malformed setting: one sentence, exit code 1', async () => {
  expect(await start({ PORT: 'x' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Not started. PORT must be a port number from 0 to 65535.\n',
  });
});

test('a database that does not answer, or is not there: one sentence, exit code 1', async () => {
  const { code, stderr } = await start({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/registry' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Not started\. The database cannot be reached: connect ECONNREFUSED .* Check DATABASE_URL\.\n$/,
  );
  expect(stderr).not.toContain('secret');
  expect(await sentenceOf(migrate({ ...inject('cluster'), database: 'not_there' }))).toBe(
    'Not started. The database cannot be reached: database "not_there" does not exist. Check DATABASE_URL.',
  );
});

test('a user who may create nothing', async () => {
  const admin = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await admin.connect();
  const role = `reader_${process.pid}`;
  await admin.query(`create role ${role} login password 'x'`);
  await admin.query(`create database ${role}`);
  try {
    expect(await sentenceOf(migrate({ ...inject('cluster'), database: role, user: role, password: 'x' }))).toBe(
      'Not started. The database user may not create tables: permission denied for schema public.',
    );
  } finally {
    await admin.query(`drop database ${role} with (force)`);
    await admin.query(`drop role ${role}`);
    await admin.end();
  }
});

test('a port that is taken', async () => {
  const taken = await listen('127.0.0.1', 0);
  const bound: AddressInfo | string | null = taken.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  expect(await sentenceOf(listen('127.0.0.1', port))).toBe(
    `Not started. Port ${port} is taken by another program. Stop it, or choose another with PORT.`,
  );
  // Found out before anything is opened: no data folder is made.
  expect(await start({ PORT: String(port) })).toEqual({
    code: 1,
    stdout: '',
    stderr: `Not started. Port ${port} is taken by another program. Stop it, or choose another with PORT.\n`,
  });
  expect(await readdir(folder)).toEqual([]);
  taken.close();
});

test('a variable that is nearly a setting is warned of', async () => {
  const { stdout } = await start({ PUBLIC_UR: 'https://registry.example', DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
  expect(stdout).toContain('PUBLIC_UR is no setting and changes nothing. Is PUBLIC_URL meant?');
});

test('an address that is none of this machine', async () => {
  expect(await sentenceOf(listen('192.0.2.1', 0))).toBe(
    'Not started. HOST 192.0.2.1 is not an address of this machine.',
  );
  expect(await sentenceOf(listen('no-such-host.invalid', 0))).toBe(
    'Not started. HOST no-such-host.invalid is not an address of this machine.',
  );
});

test('a data folder that is a file', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const dataDir of [file, path.join(file, 'below')]) {
    expect(await sentenceOf(joinEmbeddedPostgres({ dataDir, log }))).toMatch(
      /^Not started\. .*file.* is not a folder\. Set DATA_DIR to a folder\.$/,
    );
    expect(await sentenceOf(openFileStore({ directory: path.join(dataDir, 'files') }))).toMatch(/ is not a folder\. /);
  }
});

test('a data folder that cannot be written', async () => {
  const closed = path.join(folder, 'closed');
  await mkdir(closed);
  await chmod(folder, 0o755);
  await chmod(closed, 0o555);
  const root = process.getuid?.() === 0; // whom no rights stop
  if (root) process.seteuid?.(NOBODY);
  try {
    for (const dataDir of [closed, path.join(closed, 'below')])
      expect(await sentenceOf(joinEmbeddedPostgres({ dataDir, log }))).toMatch(
        /^Not started\. .*closed.* cannot be written\. Check the owner of DATA_DIR, or set another\.$/,
      );
  } finally {
    if (root) process.seteuid?.(0);
  }
});
