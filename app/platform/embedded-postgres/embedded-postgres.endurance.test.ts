import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { joinEmbeddedPostgres } from './embedded-postgres.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';

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
    process.on('SIGTERM', () => process.exit(1));
    console.log('joined'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the other process ended')));
  });
  return child;
}

test('several first starts at once all succeed on one cluster, and the last to leave stops it', async () => {
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => joinEmbeddedPostgres({ dataDir, log, settings })));
  const pid = await serverPid();
  await one?.leave();
  for (const other of others) {
    expect(await ask({ ...other.address })).toBe(42);
    expect(await serverPid()).toBe(pid);
    await other.leave();
  }
  await expect(stat(pidFile())).rejects.toThrow('ENOENT');
  expect(await readdir(dataDir)).toEqual(['postgres']);
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

test('a process that ends without having left takes along the server that it started', async () => {
  const child = await joinElsewhere();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  await vi.waitFor(() => expect(stat(pidFile())).rejects.toThrow('ENOENT'), { timeout: 10_000 });
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

test('a start that meets the last leave is tried again on a server of its own', async () => {
  const child = await joinElsewhere();
  const pid = await serverPid();
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const password = await readFile(path.join(dataDir, 'postgres/password'), 'utf8');
  const address = { host: path.join(dataDir, 'postgres/socket'), user: 'registry', password, database: 'postgres' };
  const last = new pg.Client(address);
  last.on('error', () => {});
  await last.connect();
  await vi.waitFor(
    async () => expect((await last.query("select 1 from pg_locks where locktype = 'advisory'")).rowCount).toBe(0),
    { timeout: 5_000 },
  );
  await last.query('select pg_advisory_lock(5823177)');
  const joining = joinEmbeddedPostgres({ dataDir, log, settings });
  await vi.waitFor(
    async () =>
      expect((await last.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rowCount).toBe(1),
    { timeout: 5_000 },
  );
  process.kill(pid, 'SIGINT');
  const joined = await joining;
  expect(await ask({ ...joined.address })).toBe(42);
  expect(await serverPid()).not.toBe(pid);
  await joined.leave();
});

test('leaving while the server is being started again leaves none behind', async () => {
  const warned = Promise.withResolvers<void>();
  const joined = await joinEmbeddedPostgres({ dataDir, log: { ...log, warn: () => warned.resolve() }, settings });
  process.kill(await serverPid(), 'SIGKILL');
  await warned.promise;
  await new Promise((resolve) => setTimeout(resolve, 100));
  await joined.leave();
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // longer than a start takes
  const client = new pg.Client({ ...joined.address });
  await expect(client.connect()).rejects.toThrow(/ENOENT|ECONNREFUSED/);
});

const asRoot = test.runIf(process.getuid?.() === 0);
const SYSTEM_FOLDER = '/var/lib/truck-scale-registry';
const NOBODY = 65_534;

asRoot('as root, a strict umask does not shut PostgreSQL out', async () => {
  const before = new Set(await readdir(SYSTEM_FOLDER).catch(() => []));
  const umask = process.umask(0o077);
  try {
    const joined = await joinEmbeddedPostgres({ dataDir: path.join(dataDir, 'made/now'), log, settings });
    expect(await ask({ ...joined.address })).toBe(42);
    await joined.leave();
  } finally {
    process.umask(umask);
    for (const name of await readdir(SYSTEM_FOLDER).catch(() => []))
      if (!before.has(name)) await rm(path.join(SYSTEM_FOLDER, name), { recursive: true });
  }
});

asRoot('as root, a folder that is closed later is refused, never replaced by an empty database', async () => {
  const inner = path.join(dataDir, 'inner');
  await mkdir(inner);
  await (await joinEmbeddedPostgres({ dataDir: inner, log, settings })).leave();
  await chmod(dataDir, 0o700);
  await expect(joinEmbeddedPostgres({ dataDir: inner, log, settings })).rejects.toThrow(/cannot reach it.*chmod o\+x/);
  await chmod(dataDir, 0o755);
  const joined = await joinEmbeddedPostgres({ dataDir: inner, log, settings });
  expect(await ask({ ...joined.address })).toBe(42);
  await joined.leave();
});

asRoot("as root, another user's cluster runs as that user, and one of root's is refused", async () => {
  await (await joinEmbeddedPostgres({ dataDir, log, settings })).leave();
  const give = async (uid: number) => {
    const folder = path.join(dataDir, 'postgres');
    await chown(folder, uid, uid);
    for (const name of await readdir(folder, { recursive: true })) await chown(path.join(folder, name), uid, uid);
  };
  await give(NOBODY);
  const joined = await joinEmbeddedPostgres({ dataDir, log, settings });
  expect((await stat(pidFile())).uid).toBe(NOBODY);
  await joined.leave();
  await give(0);
  await expect(joinEmbeddedPostgres({ dataDir, log, settings })).rejects.toThrow(/belongs to root/);
});
