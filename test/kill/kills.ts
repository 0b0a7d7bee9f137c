// How a registry is killed, and the moments at which it hurts most.
import { watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { DemoRandom } from '#commands/demo/random.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import type { SocketAddress } from '#test/cluster.ts';

/** 'backend': one connection's process, upon which PostgreSQL ends all others and recovers by itself. */
export const VICTIMS = ['server', 'database', 'both', 'backend'] as const;
export type Victim = (typeof VICTIMS)[number];

/**
 * 'upload': half of a file has come; 'stored': files are, the write that refers to them is not; 'commit': on its way to
 * the disk.
 */
export const MOMENTS = ['any', 'upload', 'stored', 'commit', 'publishing'] as const;
export type Moment = (typeof MOMENTS)[number];

const WITHIN_MS = 2500;

/** Kills it. Returns once nothing of what was killed runs any more, as far as that can be told. */
export async function kill(registry: StartedRegistry, victim: Victim, random: DemoRandom): Promise<void> {
  if (victim === 'backend') return killBackend(registry.address, random);
  const serverFirst = random.whole(0, 1) === 0;
  if (victim === 'server' || (victim === 'both' && serverFirst)) await registry.killServer();
  if (victim !== 'server') await killPostgres(registry.dataDir);
  if (victim === 'both' && !serverFirst) await registry.killServer();
}

/** Every process of the cluster in this data folder at once, as when the machine's power fails. */
export async function killPostgres(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postgres/data/postmaster.pid');
  const postmaster = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  // A file left over from the last kill names a process that is gone, or another's.
  if (!Number.isInteger(postmaster) || postmaster <= 1 || !(await isPostgresOf(postmaster, dataDir))) return;
  // Stopped first, so that it starts none while they are counted.
  signal(postmaster, 'SIGSTOP');
  const children = await childrenOf(postmaster);
  signal(postmaster, 'SIGKILL');
  for (const child of children) signal(child, 'SIGKILL');
  for (const pid of [postmaster, ...children]) await gone(pid);
}

async function killBackend(address: SocketAddress, random: DemoRandom): Promise<void> {
  const client = await observer(address);
  // All connections end with the one, this too: before that PostgreSQL has not seen it yet.
  const ended = new Promise((resolve) => client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = 'registry' and backend_type = 'client backend'",
  );
  if (rows.length === 0) throw new Error('the database has no connection that could be killed');
  signal(random.pick(rows).pid, 'SIGKILL');
  await ended;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
}

// Where there is no /proc, PostgreSQL's own processes end by themselves when they miss their parent.
async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name));
  }
  return found;
}

async function isPostgresOf(pid: number, dataDir: string): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return line === undefined ? process.platform !== 'linux' : line.includes('postgres') && line.includes(dataDir);
}

async function gone(pid: number): Promise<void> {
  for (const deadline = Date.now() + 5000; Date.now() < deadline; await pause(2)) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // A zombie holds nothing; its parent may be slow to bury it.
    if (state === undefined || /\) [ZX] /.test(state)) return;
  }
}

/** Waits for the moment, or some time where it does not come. True: it came. */
export async function momentOf(
  moment: Moment,
  { dataDir, address }: StartedRegistry,
  random: DemoRandom,
  halfSent: Promise<void>,
): Promise<boolean> {
  const moments: Record<Moment, () => Promise<void>> = {
    any: () => pause(random.whole(0, 300)),
    upload: () => halfSent.then(() => pause(random.whole(0, 20))),
    stored: () => change(path.join(dataDir, 'files'), /^(vehicles|certificates|admins|technicians)\//),
    commit: () => commitAtHand(address),
    publishing: () => change(path.join(dataDir, 'log'), /./),
  };
  const came = await Promise.race([moments[moment]().then(() => true), pause(WITHIN_MS).then(() => false)]);
  // Past the first of several files, into the transaction behind them.
  if (moment === 'stored' || moment === 'publishing') await pause(random.whole(0, moment === 'stored' ? 15 : 6));
  return came;
}

async function change(folder: string, pattern: RegExp): Promise<void> {
  await mkdir(folder, { recursive: true });
  return new Promise((resolve) => {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      if (name === null || !pattern.test(name)) return;
      watcher.close();
      resolve();
    });
    setTimeout(() => watcher.close(), WITHIN_MS).unref();
  });
}

async function commitAtHand(address: SocketAddress): Promise<void> {
  const client = await observer(address);
  try {
    for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline;) {
      const { rowCount } = await client.query(`select from pg_stat_activity where datname = 'registry'
        and pid <> pg_backend_pid() and state = 'active' and (query ~* '^commit' or wait_event ~* '^wal')`);
      if (rowCount !== 0) return;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection that is killed with the rest without a word. */
async function observer(address: SocketAddress): Promise<pg.Client> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
