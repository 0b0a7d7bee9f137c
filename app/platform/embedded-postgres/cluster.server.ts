// One cluster on disk: made aside and renamed into place (so two first starts both succeed), started, stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, openSync, closeSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import type { Binaries } from './binaries.server.ts';

/** The paths of a cluster; the socket folder is all that listens. */
export type Cluster = ReturnType<typeof clusterIn>;

export const SUPERUSER = 'registry';
export const PORT = 5432; // of the socket's name only: nothing listens on TCP
const MAJOR = '18';
const SOCKET_PATH_MAX_BYTES = 103; // of sockaddr_un, less the final zero

export function clusterIn(folder: string, binaries: Binaries) {
  const socket = path.join(folder, 'socket');
  const bytes = Buffer.byteLength(path.join(socket, `.s.PGSQL.${PORT}`));
  if (bytes > SOCKET_PATH_MAX_BYTES)
    throw new StartError(
      `The path ${socket} is too long for a socket (${bytes} bytes, at most ${SOCKET_PATH_MAX_BYTES}). Set a shorter DATA_DIR.`,
    );
  return {
    folder,
    data: path.join(folder, 'data'),
    socket,
    passwordFile: path.join(folder, 'password'),
    logFile: path.join(folder, 'postgres.log'),
    binaries,
  };
}

export async function ensureCluster(cluster: Cluster): Promise<void> {
  const version = await unlessMissing(readFile(path.join(cluster.data, 'PG_VERSION'), 'utf8'));
  if (version !== undefined) {
    if (version.trim() !== MAJOR)
      throw new StartError(
        `${cluster.data} was made by PostgreSQL ${version.trim()}; this is ${MAJOR}. See docs/operations.md.`,
      );
    return;
  }
  const aside = `${cluster.folder}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    for (const folder of [aside, path.join(aside, 'data'), path.join(aside, 'socket')]) {
      await mkdir(folder, { mode: 0o700 });
      await give(folder, cluster.binaries);
    }
    const passwordFile = path.join(aside, 'password');
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await give(passwordFile, cluster.binaries);
    await run(cluster.binaries, 'initdb', [
      '-D',
      path.join(aside, 'data'),
      '-U',
      SUPERUSER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
    ]);
    await rename(aside, cluster.folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // else another process was first
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Starts the server. It outlives this process; it gives up by itself when another one runs on the folder. */
export function startCluster(cluster: Cluster, settings: Record<string, string>): ChildProcess {
  const log = openSync(cluster.logFile, 'a', 0o600);
  const { runAs, native } = cluster.binaries;
  if (runAs !== undefined) chownSync(cluster.logFile, runAs.uid, runAs.gid);
  const options = {
    listen_addresses: '',
    unix_socket_directories: cluster.socket,
    unix_socket_permissions: '0700',
    shared_buffers: `${sharedMegabytes()}MB`,
    // After a checkpoint each page that changes is logged whole, so under heavy writing there are fewer checkpoints.
    max_wal_size: '2GB',
    ...settings,
  };
  const args = [
    '-D',
    cluster.data,
    '-p',
    String(PORT),
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const child = spawn(path.join(native, 'bin', 'postgres'), args, {
    cwd: cluster.data,
    detached: true,
    stdio: ['ignore', log, log],
    ...runAs,
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
  });
  closeSync(log);
  child.on('error', () => {}); // shows as a cluster that never answers, with the log beside
  child.unref();
  return child;
}

// A sixteenth of the machine's memory, so that the indexes of a large registry stay cached.
function sharedMegabytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(1024, Math.max(128, Math.round(memory / 16 / 2 ** 20)));
}

/** Asks the server to stop at once but cleanly, and waits until it has. */
export async function stopCluster(cluster: Cluster, withinMs: number): Promise<void> {
  const pidFile = path.join(cluster.data, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return; // gone already
  }
  for (const end = Date.now() + withinMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20)))
    if ((await stat(pidFile).catch(() => undefined)) === undefined) return;
}

/** The same for a server that does not answer yet and may have written no postmaster.pid. */
export async function stopStarted(server: ChildProcess, withinMs: number): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, withinMs))]);
}

/** The last lines of the server's log, for an error's sentence. */
export async function logTail(cluster: Cluster): Promise<string> {
  return lastLines(await readFile(cluster.logFile, 'utf8').catch(() => ''));
}

async function give(file: string, { runAs }: Binaries): Promise<void> {
  if (runAs === undefined) return;
  await chown(file, runAs.uid, runAs.gid);
  await chmod(file, (await stat(file)).isDirectory() ? 0o700 : 0o600);
}

async function run({ native, runAs }: Binaries, program: string, args: string[]): Promise<void> {
  let output = '';
  const child = spawn(path.join(native, 'bin', program), args, {
    ...runAs,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new StartError(`${program} failed: ${lastLines(output)}`);
}

const lastLines = (text: string) => text.trim().split('\n').slice(-3).join(' ');
