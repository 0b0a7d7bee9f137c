// The embedded PostgreSQL: a real server that the processes of one data folder share. Each holds a shared advisory
// lock on a connection of its own; the last to leave stops the server. Joining is connecting: when nobody answers, the
// server is started and the connection tried again. A stale postmaster.pid is PostgreSQL's own business and is never
// deleted.
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo, type DatabaseAddress } from '#database/connection.ts';
import { findBinaries, findHome } from './binaries.server.ts';
import {
  clusterIn,
  ensureCluster,
  logTail,
  PORT,
  startCluster,
  stopCluster,
  stopStarted,
  SUPERUSER,
  type Cluster,
} from './cluster.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';

type Log = { info: (message: string) => void; warn: (message: string) => void };
/** `settings` are passed to the server when this process starts it. After `stopping` none is started. */
export type JoinOptions = { dataDir: string; log: Log; settings?: Record<string, string>; stopping?: AbortSignal };
export type EmbeddedPostgres = { address: DatabaseAddress; leave: () => Promise<void> };

const DATABASE = 'registry';
const LOCK_KEY = 5_823_177;
const CREATE_KEY = 5_823_178;
const JOIN_WITHIN_MS = 30_000;
const RETRY_MS = 50;
const START_AGAIN_MS = 3_000;
const STOP_WITHIN_MS = 6_000;
const STOPPED = 'It was asked to stop.';
// No socket yet, nobody behind it, starting up, shutting down; a connection cut while connecting.
const NOT_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '57P01', '57P02']);

/** Joins the server of `dataDir`, which is made and started when there is none. */
export async function joinEmbeddedPostgres(options: JoinOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {}, stopping } = options;
  const { folder, runAs } = await findHome(dataDir, log);
  const cluster = clusterIn(folder, await findBinaries(runAs, log));
  await ensureCluster(cluster);
  const password = (await readFile(cluster.passwordFile, 'utf8')).trim();
  const addressOf = (database: string) => ({ host: cluster.socket, port: PORT, user: SUPERUSER, password, database });

  let leaving = false;
  let gone = false;
  let guard: pg.Client | undefined;
  let rejoining = Promise.resolve();
  let started: ChildProcess | undefined;
  const start = () => (started = startCluster(cluster, settings));
  // A process that ends without having left (out of time, or by an error) stops the server that it started. Another
  // process on the same server starts it again.
  const endAlong = () => void (started?.exitCode === null && started.signalCode === null && started.kill('SIGINT'));
  process.once('exit', endAlong);
  const hold = async () => {
    const client = await connect(
      cluster,
      { address: addressOf('postgres'), start },
      () => leaving || stopping?.aborted === true,
    );
    if (gone) return client.end();
    client.on('end', () => {
      if (leaving || guard !== client) return;
      guard = undefined;
      log.warn('The embedded PostgreSQL has stopped. Starting it again.');
      rejoining = rejoin();
    });
    guard = client;
  };
  // The server of a living process may die (out of memory, an operator): it comes back without a restart of ours.
  const rejoin = async () => {
    while (guard === undefined) {
      await hold().catch((error: unknown) => {
        if (leaving) return;
        log.warn(
          `The embedded PostgreSQL cannot be started again: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      if (leaving) return;
      if (guard === undefined) await pause(1000);
    }
  };

  const leave = async () => {
    leaving = true;
    // Waits for a restart under way: else the server would run on with nobody to stop it.
    await Promise.race([rejoining, pause(STOP_WITHIN_MS)]);
    gone = true;
    const client = guard;
    if (client === undefined) return;
    const last = await client
      .query<{ last: boolean }>('select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as last', [LOCK_KEY])
      .catch(() => undefined);
    if (last?.rows[0]?.last === true) await stopCluster(cluster, STOP_WITHIN_MS);
    if (last !== undefined) process.off('exit', endAlong);
    await client.end().catch(() => undefined);
  };

  await hold();
  try {
    if (stopping?.aborted === true) throw new StartError(STOPPED);
    await createDatabase(guard);
  } catch (error) {
    await leave();
    throw error;
  }
  return { address: addressOf(DATABASE), leave };
}

/** The database that `config` names, or else the embedded one of its data folder. */
export async function joinDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: Omit<JoinOptions, 'dataDir'>,
): Promise<EmbeddedPostgres> {
  if (databaseUrl !== undefined) return { address: { connectionString: databaseUrl }, leave: async () => {} };
  return joinEmbeddedPostgres({ ...options, dataDir });
}

// One at a time: two at once fail with a unique violation in the catalogue, even where each has looked before.
async function createDatabase(client: pg.Client | undefined): Promise<void> {
  await client?.query('select pg_advisory_lock($1)', [CREATE_KEY]);
  const found = await client?.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (found?.rowCount === 0) await client?.query(`create database ${DATABASE}`);
  await client?.query('select pg_advisory_unlock($1)', [CREATE_KEY]);
}

// Connects and takes the shared lock, starting the server where nobody answers. Once `isOver` none is started, and one
// that was started here and does not answer yet is stopped. A server that stops while we wait for the lock (the last of
// the others has just left) is tried again like one that is not there.
async function connect(
  cluster: Cluster,
  { address, start }: { address: DatabaseAddress; start: () => ChildProcess },
  isOver: () => boolean,
): Promise<pg.Client> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let started: ChildProcess | undefined;
  for (const deadline = performance.now() + JOIN_WITHIN_MS; ; await pause(RETRY_MS)) {
    const client = new pg.Client(connectionTo(address, 'guard'));
    client.on('error', () => {}); // 'end' follows
    try {
      await client.connect();
      await client.query('select pg_advisory_lock_shared($1)', [LOCK_KEY]);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const cut = error instanceof Error && error.message.includes('terminated unexpectedly');
      if (!NOT_YET.has(code) && !cut) throw error;
      if (isOver()) {
        if (started !== undefined) await stopStarted(started, STOP_WITHIN_MS);
        throw new StartError(STOPPED, { cause: error });
      }
      if (performance.now() > deadline)
        throw new StartError(`The embedded PostgreSQL does not answer. Its log says: ${await logTail(cluster)}`);
      if ((code === 'ENOENT' || code === 'ECONNREFUSED') && performance.now() - startedAt > START_AGAIN_MS) {
        started = start();
        startedAt = performance.now();
      }
    }
  }
}
