import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { joinEmbeddedPostgres } from './embedded-postgres.server.ts';
import { StartError } from './start-error.ts';

let dataDir: string;
const log = { info: () => {}, warn: () => {} };
const settings = { fsync: 'off' };
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'embedded-'));
  await chmod(dataDir, 0o755);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const pidFile = () => path.join(dataDir, 'postgres/data/postmaster.pid');
const serverPid = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);
const ask = async (address: pg.ClientConfig) => {
  const client = new pg.Client(address);
  client.on('error', () => {});
  await client.connect();
  return (await client.query<{ n: number }>('select 41 + 1 as n').finally(() => client.end())).rows[0]?.n;
};

// A second process that joins the same folder and says so.
async function joinElsewhere(): Promise<ChildProcess> {
  const code = `import { joinEmbeddedPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded-postgres.server.ts'))};
    const log = { info() {}, warn() {} };
    await joinEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } });
    console.log('joined'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the other process ended')));
  });
  return child;
}

test('two first starts at once both succeed on one cluster, and the last to leave stops it', async () => {
  const [one, two] = await Promise.all([
    joinEmbeddedPostgres({ dataDir, log, settings }),
    joinEmbeddedPostgres({ dataDir, log, settings }),
  ]);
  const pid = await serverPid();
  await one.leave();
  expect(await ask({ ...two.address })).toBe(42);
  expect(await serverPid()).toBe(pid);
  await two.leave();
  await expect(stat(pidFile())).rejects.toThrow('ENOENT');
});

test('a process that is killed leaves a server that the next one joins', async () => {
  const child = await joinElsewhere();
  const pid = await serverPid();
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const next = await joinEmbeddedPostgres({ dataDir, log, settings });
  expect(await serverPid()).toBe(pid);
  expect(await ask({ ...next.address })).toBe(42);
  await next.leave();
});

test('when both are killed, the stale postmaster.pid does not stop the next start', async () => {
  const child = await joinElsewhere();
  process.kill(await serverPid(), 'SIGKILL');
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const next = await joinEmbeddedPostgres({ dataDir, log, settings });
  expect(await ask({ ...next.address })).toBe(42);
  await next.leave();
});

test('a server that dies under a living process comes back by itself', async () => {
  const joined = await joinEmbeddedPostgres({ dataDir, log, settings });
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(
    async () => {
      expect(await ask({ ...joined.address })).toBe(42);
      expect(await serverPid()).not.toBe(pid);
    },
    { timeout: 15_000, interval: 100 },
  );
  await joined.leave();
});

test('only the socket listens, and its folder, the data and the password are closed to others', async () => {
  const joined = await joinEmbeddedPostgres({ dataDir, log, settings });
  const client = new pg.Client({ ...joined.address });
  await client.connect();
  expect(
    (await client.query("select current_setting('listen_addresses') as a, current_setting('data_checksums') as c"))
      .rows[0],
  ).toEqual({ a: '', c: 'on' });
  await client.end();
  for (const [name, mode] of [
    ['', 0o700],
    ['socket', 0o700],
    ['data', 0o700],
    ['password', 0o600],
  ] as const)
    expect([name, (await stat(path.join(dataDir, 'postgres', name))).mode & 0o777]).toEqual([name, mode]);
  await joined.leave();
});

test('a path that is too long for a socket is refused with a sentence', async () => {
  await expect(joinEmbeddedPostgres({ dataDir: path.join(dataDir, 'x'.repeat(120)), log })).rejects.toThrow(StartError);
});
