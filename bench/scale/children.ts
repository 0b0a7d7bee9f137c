// The servers that are measured, each a process of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { SERVER_ENV, SERVER_FLAGS } from '../../scripts/server-flags.mjs';
import { freePort, type SocketAddress } from '#test/cluster.ts';

export type Served = { url: string; pid: number; startedMs: number; stop: () => Promise<void> };

const WITHIN_MS = 120_000;
const EVERY_MS = 10;
// A bench that is stopped ends the servers that it started.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Starts `entry` on a free port; it is up when `path` answers. */
export async function serve(
  entry: string,
  env: NodeJS.ProcessEnv,
  asked = '/',
  flags: readonly string[] = [],
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, path.resolve(import.meta.dirname, '../..', entry)], {
    env: { ...process.env, NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for (;;) {
    const answer = await fetch(`${url}${asked}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) break;
    if (child.exitCode !== null) throw new Error(`${entry} ended with ${child.exitCode}`);
    if (performance.now() - began > WITHIN_MS) throw new Error(`${entry} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  return { url, pid: child.pid ?? 0, startedMs: Math.round(performance.now() - began), stop: () => end(child) };
}

/** The registry's own server on `dataDir`, started as `npm start` does, of this checkout or another; its first answer is a search. */
export function serveRegistry(dataDir: string, checkout = '.'): Promise<Served> {
  const own = {
    ...SERVER_ENV,
    DATABASE_URL: '',
    S3_BUCKET: '',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
  };
  return serve(path.join(checkout, 'server/index.ts'), own, '/api/v1/vehicles?q=A', SERVER_FLAGS);
}

/** (b), over the same database. `page`: the address of a page to render the like of. */
export function serveBareSql(address: SocketAddress, pool: number, page: string): Promise<Served> {
  const { user, password, host, port, database } = address;
  const socket = encodeURIComponent(host);
  const BARE_DATABASE = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${socket}&port=${port}`;
  return serve('bench/scale/bare-sql.ts', { BARE_DATABASE, POOL: String(pool), PAGE: page }, '/search?q=ABC&page=1');
}

export const serveBareBytes = (): Promise<Served> => serve('bench/scale/bare-bytes.ts', {});

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
