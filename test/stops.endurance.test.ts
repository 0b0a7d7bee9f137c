// Whatever asks the registry to stop, at whatever moment, however often: after 15 seconds none of its processes is
// left, PostgreSQL least of all, and no lock.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { todayIn } from '#app/platform/time/calendar.ts';
import { demoExport } from '#commands/demo/export.ts';
import { endWithProcess, freePort } from './cluster.ts';
import { ready } from './start-registry.ts';

const ROUNDS = 10;
const ROUNDS_WITHIN_MS = 6 * 60_000;
const GONE_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;
const ROOT = path.resolve(import.meta.dirname, '..');
const RUN = [path.join(ROOT, 'scripts/run.mjs')];
const SERVER = [path.join(ROOT, 'server/index.ts')];
// How these processes are found and what they leave is Linux's own; the way they stop is not.
const onLinux = test.runIf(process.platform === 'linux');

let dataDir: string;
let port: number;
let kept: () => void;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'stops-'));
  await chmod(dataDir, 0o755);
  port = await freePort();
  kept = endWithProcess(dataDir);
});
afterEach(async () => {
  for (const { pid } of await ours()) process.kill(pid, 'SIGKILL');
  kept();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a program on the data folder, as the leader of a process group of its own. */
function begin(args: readonly string[], env: NodeJS.ProcessEnv = {}, program = process.execPath): ChildProcess {
  return spawn(program, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      S3_BUCKET: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
  });
}

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error('the program did not start');
  return pid;
};
const group = (child: ChildProcess, signal: NodeJS.Signals) => process.kill(-pidOf(child), signal);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// Every process that has our data folder in its command, its environment or as its folder. `state` says how it
// stands: its letter, parent, process group, session and terminal.
async function ours(): Promise<{ pid: number; command: string; state: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const command = await read('cmdline');
      const rest = [await read('environ'), await readlink(`/proc/${pid}/cwd`).catch(() => '')];
      const isOurs = [command, ...rest].some((text) => text.includes(dataDir));
      if (!isOurs) return [];
      const state = (await read('stat')).split(') ')[1]?.split(' ').slice(0, 5).join(' ') ?? '';
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' '), state }];
    }),
  );
  return found.flat();
}

async function leavesNothing(what: string): Promise<void> {
  // By the looks that were taken, not by the clock: a machine that stood still gave its processes no time either.
  let left = await ours();
  for (let looks = 0; left.length > 0 && looks < GONE_WITHIN_MS / LOOK_EVERY_MS; looks += 1) {
    await pause(LOOK_EVERY_MS);
    left = await ours();
  }
  expect(left, what).toEqual([]);
  const postgres = path.join(dataDir, 'postgres');
  const locks = ['data/postmaster.pid', 'socket/.s.PGSQL.5432', 'socket/.s.PGSQL.5432.lock'];
  expect(
    [...locks.map((name) => path.join(postgres, name)), path.join(ROOT, '.run-lock')].filter(existsSync),
    what,
  ).toEqual([]);
  // Nothing half-made either: a cluster that was being made, an archive that was being written.
  expect(
    (await readdir(dataDir)).filter((name) => /^postgres\.|\.part/.test(name)),
    what,
  ).toEqual([]);
}

const alone = (signal: NodeJS.Signals) => (child: ChildProcess) => void child.kill(signal);
const WAYS: readonly { name: string; args: readonly string[]; stop: (child: ChildProcess) => unknown }[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).flatMap((signal) => [
    { name: `${signal} to the server`, args: SERVER, stop: alone(signal) },
    { name: `${signal} to npm start`, args: [...RUN, 'start'], stop: alone(signal) },
  ]),
  {
    name: 'SIGTERM to the process group of npm start, twice',
    args: [...RUN, 'start'],
    async stop(child) {
      group(child, 'SIGTERM');
      await pause(30);
      if (child.exitCode === null) group(child, 'SIGTERM');
    },
  },
  {
    name: 'Ctrl-C twice',
    args: [...RUN, 'start'],
    async stop(child) {
      group(child, 'SIGINT');
      await pause(30);
      if (child.exitCode === null) group(child, 'SIGINT');
    },
  },
];

for (const { name, args, stop } of WAYS)
  onLinux(
    `${name}: nothing is left, ${ROUNDS} times`,
    async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const child = begin(args);
        await ready(`http://127.0.0.1:${port}`, child);
        const ended = new Promise((resolve) => child.once('exit', resolve));
        await stop(child);
        await leavesNothing(`round ${round}`);
        expect(await ended, `round ${round}`).toBe(0);
      }
    },
    ROUNDS_WITHIN_MS,
  );

onLinux(
  `a terminal that is closed: nothing is left, ${ROUNDS} times`,
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const command = [process.execPath, ...RUN, 'start'].map((part) => `'${part}'`).join(' ');
      const terminal = begin(['-qfec', `exec ${command}`, '/dev/null'], {}, 'script');
      await ready(`http://127.0.0.1:${port}`, terminal);
      // Its end of the terminal goes with it.
      terminal.kill('SIGKILL');
      await leavesNothing(`round ${round}`);
    }
  },
  ROUNDS_WITHIN_MS,
);

onLinux(
  `a signal at any moment of a first start: nothing is left, ${ROUNDS} times`,
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await rm(path.join(dataDir, 'postgres'), { recursive: true, force: true });
      const child = begin([...RUN, 'start']);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await pause(round * 200);
      group(child, round % 2 === 0 ? 'SIGTERM' : 'SIGHUP');
      await leavesNothing(`after ${round * 200} ms`);
      // 1 is what it ends with when the time to stop is up.
      expect(await ended, `after ${round * 200} ms`).not.toBe(1);
    }
  },
  ROUNDS_WITHIN_MS,
);

const COMMANDS: readonly { name: string; args: (round: number) => string[] }[] = [
  { name: 'import', args: () => ['import', path.join(dataDir, 'export.json'), '--trial'] },
  { name: 'backup', args: (round) => ['backup', path.join(dataDir, `backup-${round}.tar`)] },
  { name: 'create-admin', args: (round) => ['create-admin', '--email', `admin${round}@site.example`, '--name', 'A B'] },
];

for (const { name, args } of COMMANDS)
  onLinux(
    `npm run ${name} that is ended at any moment leaves nothing, ${ROUNDS} times`,
    async () => {
      await writeFile(path.join(dataDir, 'export.json'), JSON.stringify(demoExport(todayIn('Australia/Sydney'))));
      const first = begin([...RUN, 'check-files']);
      await new Promise((resolve) => first.once('exit', resolve));
      for (let round = 1; round <= ROUNDS; round += 1) {
        const child = begin([...RUN, ...args(round)], { ADMIN_PASSWORD: 'gravel weighs more wet' });
        await pause(round * 150);
        if (child.exitCode === null) group(child, round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
        await leavesNothing(`after ${round * 150} ms`);
      }
    },
    ROUNDS_WITHIN_MS,
  );
