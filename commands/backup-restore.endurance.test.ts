// The commands as people run them, on real servers: a registry that runs on its embedded PostgreSQL is backed up,
// restored into a PostgreSQL of another kind, and answers every public address with the same bytes; and back again.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lookAtNight } from '#app/patterns/look-for-patterns.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { logActivityHead } from '#app/transparency-log/log-activity-head.server.ts';
import { MIGRATION_LOCK } from '#database/migrate.ts';
import { sumsOf } from '#test/backups.ts';
import { olderPostgres, startExternalPostgres } from '#test/external-postgres.ts';
import { type PublicAnswers, readPublicUrls } from '#test/public-urls.ts';
import { ready, startRegistry, type StartedRegistry } from '#test/start-registry.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const MINUTES = 60_000;
const KEYS = ['keys/log-key', 'keys/auth-secret'];
const SIGNED_WITHIN_MS = 60_000;
const STOPPED_AT = Date.now();
const ZONE = 'Australia/Sydney';
const clock = {
  STOPPED_AT: String(STOPPED_AT),
  NODE_OPTIONS: `--import=${path.join(ROOT, 'test/stopped-clock.mjs')}`,
};
const undo: (() => Promise<unknown>)[] = [];
let registry: StartedRegistry;
let folder: string;
let answers: PublicAnswers;
const archive = (name: string) => path.join(folder, `${name}.tar`);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backup-restore-'));
  await chmod(folder, 0o755);
  registry = await startRegistry(clock);
  await isSigned(registry.url);
  // Else the first server that is up for a minute looks for patterns, and the others find other records than these.
  const now = () => new Date(STOPPED_AT);
  await lookAtNight({ db: registry.db, now, zone: ZONE }, todayIn(ZONE, now()));
  // Else the first server of a restored registry seals what the jobs of this one did after it had sealed.
  await vi.waitUntil(hasTakenOver, { timeout: SIGNED_WITHIN_MS, interval: 200 });
  await logActivityHead(registry.db);
  await vi.waitUntil(isPublished, { timeout: SIGNED_WITHIN_MS, interval: 200 });
  await command('backup', { DATA_DIR: registry.dataDir }, archive('one'), '--with-log-key', '--with-auth-secret');
  answers = await readPublicUrls(registry.url);
}, 20 * MINUTES);
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
  await registry.stop();
  await rm(folder, { recursive: true });
}, 5 * MINUTES);

const hasTakenOver = async () =>
  (await registry.db.selectFrom('job').select('name').where('name', '=', 'taking over vehicles').executeTakeFirst()) !==
  undefined;
/** Whether the public log has each entry of the database. */
async function isPublished(): Promise<boolean> {
  const { leafSize } = await registry.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
  const [, size] = (await (await fetch(`${registry.url}/log/1/checkpoint`)).text()).split('\n');
  return Number(size) === leafSize;
}

type Said = { code: unknown; said: string };

/** Runs a command of the project to its end. */
function command(name: string, env: Record<string, string>, ...args: string[]): Promise<Said> {
  const settings = { ...process.env, NODE_ENV: 'production', DATABASE_URL: '', ...env };
  return promisify(execFile)(process.execPath, [path.join(ROOT, 'commands', `${name}.ts`), ...args], {
    env: settings,
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: unknown; stdout: string; stderr: string }) => ({
      code: error.code,
      said: `${error.stdout}${error.stderr}`,
    }),
  );
}

/** A server at the registry's own address, so that nothing differs that names it. Returns what it answers. */
async function answersOf(env: Record<string, string>, readingsEach?: number): Promise<PublicAnswers> {
  await registry.killServer();
  const server = spawn(process.execPath, [path.join(ROOT, 'server/index.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      PORT: new URL(registry.url).port,
      ...clock,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await ready(registry.url, server);
    await isSigned(registry.url);
    return await readPublicUrls(registry.url, readingsEach);
  } finally {
    await end(server, 'SIGTERM');
  }
}

async function end(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill(signal);
  await ended;
}

// The first bundle is the last thing that a restored log lays out before its checkpoint.
async function isSigned(url: string): Promise<void> {
  for (const deadline = Date.now() + SIGNED_WITHIN_MS; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    if ((await fetch(`${url}/log/1/checkpoint`)).ok) return;
    if (Date.now() > deadline) throw new Error('the log is not signed in time');
  }
}

function differing(other: PublicAnswers): string[] {
  return [...other].filter(([url, answer]) => answers.get(url) !== answer).map(([url]) => url);
}

test(
  'from the embedded PostgreSQL to one over TCP with another locale, and back: every public address answers the same bytes',
  async () => {
    const external = await startExternalPostgres();
    undo.push(external.stop);
    const there = { DATABASE_URL: external.url, DATA_DIR: path.join(folder, 'there') };
    const restored = await command('restore', there, archive('one'));
    expect(restored.said).toMatch(/ 0 missing or altered\.\n.* verified, 0 findings\.\n$/);
    expect(restored.code).toBe(0);
    for (const key of KEYS) {
      const [theirs, ours] = [path.join(there.DATA_DIR, key), path.join(registry.dataDir, key)];
      expect(await readFile(theirs, 'utf8')).toBe(await readFile(ours, 'utf8'));
      expect((await stat(theirs)).mode & 0o777).toBe(0o600);
    }
    const theirs = await answersOf(there);
    expect(theirs.size).toBe(answers.size);
    expect(theirs.size).toBeGreaterThan(2500);
    expect(differing(theirs)).toEqual([]);

    expect(await command('backup', there, archive('two'))).toMatchObject({ code: 0 });
    for (const prefix of ['tables/', 'files/'])
      expect(await sumsOf(archive('two'), prefix)).toEqual(await sumsOf(archive('one'), prefix));

    // Without keys in the archive it says what is missing.
    const back = { DATABASE_URL: '', DATA_DIR: path.join(folder, 'back') };
    const without = await command('restore', back, archive('two'));
    expect(without).toMatchObject({ code: 0, said: expect.stringContaining('does not have the log’s signing key') });
    await cp(path.join(there.DATA_DIR, 'keys'), path.join(back.DATA_DIR, 'keys'), { recursive: true });
    const again = await answersOf(back, 1);
    expect(again.size).toBeGreaterThan(500);
    expect(differing(again)).toEqual([]);
  },
  20 * MINUTES,
);

test(
  'into an older PostgreSQL, and from there',
  async () => {
    const native = await olderPostgres();
    if (native === undefined) {
      process.stdout.write('NOT RUN: restoring into an older PostgreSQL, as there is none on this machine.\n');
      return;
    }
    const older = await startExternalPostgres({ native });
    undo.push(older.stop);
    expect(Number.parseInt(older.version, 10)).toBeLessThan(18);
    const there = { DATABASE_URL: older.url, DATA_DIR: path.join(folder, 'older') };
    expect(await command('restore', there, archive('one'))).toMatchObject({ code: 0 });
    expect(differing(await answersOf(there, 1))).toEqual([]);
    expect(await command('backup', there, archive('older'))).toMatchObject({ code: 0 });
    for (const prefix of ['tables/', 'files/'])
      expect(await sumsOf(archive('older'), prefix)).toEqual(await sumsOf(archive('one'), prefix));
  },
  10 * MINUTES,
);

test(
  'killed at any moment it leaves an empty database or a whole one',
  async () => {
    const external = await startExternalPostgres();
    undo.push(external.stop);
    const env = { DATABASE_URL: external.url, DATA_DIR: path.join(folder, 'killed') };
    let cutOff = 0;
    for (const afterMs of [0, 100, 300, 600, 1000, 1500, 2000]) {
      await killedRestore(env, afterMs);
      if (await hasRegistry(external.url)) break;
      cutOff += 1;
    }
    expect(cutOff).toBeGreaterThan(0);
    const { said } = await command('restore', env, archive('one'));
    if (!said.includes('The database is not empty')) expect(said).toContain(' verified, 0 findings.');
    expect(await command('verify-db', env)).toMatchObject({ code: 0 });
    expect(await command('check-files', env)).toMatchObject({ code: 0 });
  },
  10 * MINUTES,
);

test(
  'what cannot be restored, or not there, touches nothing',
  async () => {
    await registry.killServer();
    await registry.startServer();
    expect(await command('restore', { DATA_DIR: registry.dataDir }, archive('one'))).toEqual({
      code: 1,
      said: expect.stringMatching(
        /Not restored\. Others are connected to this database .* Stop every server on it first\.\n$/,
      ),
    });
    const nowhere = { DATA_DIR: path.join(folder, 'nowhere') };
    const bytes = await readFile(archive('one'));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(archive('damaged'), bytes);
    for (const [args, sentence] of [
      [[archive('damaged')], 'Not restored. The archive is damaged and nothing of it is restored'],
      [[archive('absent')], 'Not restored. There is no file'],
      [[path.join(ROOT, 'package.json')], 'Not restored. The archive is damaged'],
      [[], 'Usage:'],
      [[archive('one'), 'more'], 'Usage:'],
      [[archive('one'), '--force'], 'Usage:'],
    ] as const)
      expect(await command('restore', nowhere, ...args)).toEqual({ code: 1, said: expect.stringContaining(sentence) });
    expect(await command('restore', nowhere, archive('one'), '--check')).toEqual({
      code: 0,
      said: expect.stringMatching(/^Backup of .* 60 vehicles, .*\nIt is whole\. Nothing was restored\.\n$/),
    });
    await expect(stat(nowhere.DATA_DIR)).rejects.toThrow('ENOENT');
    expect(await command('backup', { DATA_DIR: registry.dataDir }, archive('one'))).toEqual({
      code: 1,
      said: expect.stringContaining('already exists and is not overwritten'),
    });
    expect(await command('backup', { DATA_DIR: registry.dataDir })).toMatchObject({ code: 1 });
  },
  5 * MINUTES,
);

async function killedRestore(env: Record<string, string>, afterMs: number): Promise<void> {
  const restore = spawn(process.execPath, [path.join(ROOT, 'commands/restore.ts'), archive('one')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Its first line says that the archive is whole; from then on it writes.
  await new Promise((resolve) => restore.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await end(restore, 'SIGKILL');
}

// Whether a restore was committed: nobody sees one that was not.
async function hasRegistry(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // What was killed may still be in its last statement.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { rows } = await client.query<{ vehicle: string | null; tables: number }>(
      "select to_regclass('vehicle') as vehicle, (select count(*)::int from pg_tables where schemaname = 'public') as tables",
    );
    if (rows[0]?.vehicle === null) expect(rows[0].tables).toBe(0);
    return rows[0]?.vehicle !== null;
  } finally {
    await client.end();
  }
}
