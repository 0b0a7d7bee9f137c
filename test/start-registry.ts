// A whole registry for browser tests and benchmarks: the production server as a process of its own, on its own embedded
// PostgreSQL and port, filled with the demo's records through the importer.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { importExport } from '#app/import/import-export.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import { joinEmbeddedPostgres } from '#app/platform/embedded-postgres/embedded-postgres.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import { openFiles } from '#app/platform/storage/open-files.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import { migrate } from '#database/migrate.ts';
import { SERVER_ENV, SERVER_FLAGS } from '../scripts/server-flags.mjs';
import { endWithProcess, freePort, insistOnLeaves, type SocketAddress } from './cluster.ts';
import { linesWithSecrets } from './log-secrets.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const ZONE = 'Australia/Sydney';
const SILENT = { info: () => {}, warn: () => {} };
const NOT_DURABLE = { fsync: 'off' };
/** The environment variable with the path of the prepared data folder. */
const PREPARED = 'PREPARED_REGISTRY';
// A machine that does much else starts it slowly.
const READY_WITHIN_MS = 90_000;

/** One more server process on the registry's database and folder. */
export type StartedNode = {
  url: string;
  port: number;
  pid: number;
  signal: (signal: NodeJS.Signals) => void;
  kill: () => Promise<void>;
};

export type StartedRegistry = {
  url: string;
  db: Db;
  address: SocketAddress;
  dataDir: string;
  /** Imports an export into the running registry, as the command does. */
  importMore: (data: unknown) => Promise<void>;
  killServer: () => Promise<void>;
  startServer: () => Promise<void>;
  addNode: (env?: NodeJS.ProcessEnv) => Promise<StartedNode>;
  /** Takes the database away from the running server, and gives it back. */
  cutDatabase: () => Promise<void>;
  restoreDatabase: () => Promise<void>;
  /** Throws when a line of its log holds an email address, a token or a setup link. */
  stop: () => Promise<void>;
};

/** What is there before the server starts, for settings that lead to it. */
export type Prepared = { dataDir: string; address: SocketAddress; port: number };

/**
 * `fill`: the registry is one in earnest. Its database is durable, insists on leaves and is the server's alone; `fill`
 * puts in what is there before the first start, and the server is not started yet.
 */
export type RegistryOptions = { fill?: (address: SocketAddress) => Promise<void> };

/** Starts one, with the demo's sixty vehicles in it. `settings` are the server's; its DATA_DIR is made in `parent`. */
export async function startRegistry(
  settings: NodeJS.ProcessEnv | ((prepared: Prepared) => Promise<NodeJS.ProcessEnv>) = {},
  parent: string = tmpdir(),
  { fill }: RegistryOptions = {},
): Promise<StartedRegistry> {
  const dataDir = await mkdtemp(path.join(parent, 'registry-e2e-'));
  await chmod(dataDir, 0o755);
  let server: ChildProcess | undefined;
  const nodes = new Set<ChildProcess>();
  const kept = endWithProcess(dataDir, () => {
    for (const each of [server, ...nodes]) each?.kill('SIGKILL');
  });
  const fast = fill === undefined ? NOT_DURABLE : {};
  const isInBucket = typeof settings !== 'function' && settings['S3_BUCKET'] !== undefined;
  const prepared = fill === undefined && !isInBucket ? process.env[PREPARED] : undefined;
  // With its owners: as root, PostgreSQL runs as another user.
  if (prepared !== undefined) await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: SILENT, settings: fast });
  if ('connectionString' in address) throw new Error('an embedded PostgreSQL has a socket');
  if (fill !== undefined) {
    await fill(address);
    await leave();
  }
  const { db } = openDatabase(address, { max: 4, onError: () => {} });
  const files = await openFiles(readConfig({ DATA_DIR: dataDir, ...(typeof settings === 'function' ? {} : settings) }));
  const filled = { db, files, dataDir };
  if (fill === undefined && prepared === undefined) await fillWithDemo(address, filled);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = typeof settings === 'function' ? await settings({ dataDir, address, port }) : settings;
  const isSilent = env['LOG_LEVEL'] === 'silent';
  const logFile = path.join(dataDir, 'server.log');
  const logTo = isSilent ? undefined : await open(logFile, 'a');
  const spawnServer = (port: number, more: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [...SERVER_FLAGS, path.join(ROOT, 'server/index.ts')], {
      env: {
        ...process.env,
        ...SERVER_ENV,
        NODE_ENV: 'production',
        DATABASE_URL: '',
        S3_BUCKET: '',
        S3_REGION: '',
        S3_ENDPOINT: '',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'info',
        DATA_DIR: dataDir,
        PORT: String(port),
        ...env,
        ...more,
      },
      stdio: ['ignore', logTo?.fd ?? 'ignore', isSilent ? 'ignore' : 'inherit'],
    });
  const startServer = async () => {
    server = spawnServer(port);
    await ready(url, server);
  };
  const addNode = async (more?: NodeJS.ProcessEnv): Promise<StartedNode> => {
    const ownPort = await freePort();
    const ownUrl = `http://127.0.0.1:${ownPort}`;
    const node = spawnServer(ownPort, more);
    nodes.add(node);
    await ready(ownUrl, node);
    return {
      url: ownUrl,
      port: ownPort,
      pid: node.pid ?? 0,
      signal: (signal) => void node.kill(signal),
      kill: () => endProcess(node, 'SIGKILL'),
    };
  };
  const end = (signal: NodeJS.Signals) => endProcess(server, signal);
  if (fill === undefined) await startServer();
  return {
    url,
    db,
    dataDir,
    importMore: (data) => importInto(filled, data),
    address,
    startServer,
    addNode,
    killServer: () => end('SIGKILL'),
    async cutDatabase() {
      await onPostgres(address, `alter database "${address.database}" with allow_connections false`);
      await onPostgres(
        address,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${address.database}'`,
      );
    },
    restoreDatabase: () => onPostgres(address, `alter database "${address.database}" with allow_connections true`),
    async stop() {
      for (const node of nodes) await endProcess(node, 'SIGKILL');
      await end('SIGTERM');
      await db.destroy();
      if (fill === undefined) await leave();
      kept();
      await logTo?.close();
      const leaked = isSilent ? [] : linesWithSecrets(await readFile(logFile, 'utf8'));
      await rm(dataDir, { recursive: true, force: true });
      if (leaked.length > 0) throw new Error(`the log holds what is secret:\n${leaked.slice(0, 10).join('\n')}`);
    },
  };
}

/**
 * Makes the data folder that the registries of this run begin with: a copy of it takes a fraction of the time. Its path
 * stands in the environment, which the runner's processes inherit. Returns how to remove it.
 */
export async function prepareRegistries(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'registry-prepared-'));
  await chmod(dataDir, 0o755);
  const kept = endWithProcess(dataDir);
  const { address, leave } = await joinEmbeddedPostgres({ dataDir, log: SILENT, settings: NOT_DURABLE });
  const { db } = openDatabase(address, { max: 4, onError: () => {} });
  await fillWithDemo(address, { db, dataDir, files: await openFiles(readConfig({ DATA_DIR: dataDir })) });
  await db.destroy();
  await leave();
  process.env[PREPARED] = dataDir;
  return async () => {
    kept();
    await rm(dataDir, { recursive: true, force: true });
  };
}

type Filled = { db: Db; files: FileStore; dataDir: string };

async function fillWithDemo(address: DatabaseAddress, filled: Filled): Promise<void> {
  await migrate(address);
  await insistOnLeaves(address, false);
  await importInto(filled, demoExport(todayIn(ZONE)));
}

async function importInto({ db, files, dataDir }: Filled, data: unknown): Promise<void> {
  const file = path.join(dataDir, 'export.json');
  await writeFile(file, JSON.stringify(data));
  const bucket = { folder: path.join(ROOT, 'commands/demo/bucket') };
  await importExport({
    db,
    files,
    file,
    bucket,
    timeZone: ZONE,
    dryRun: false,
    now: () => new Date(),
    print: () => {},
    progress: () => {},
  });
}

async function endProcess(ending: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (ending === undefined || hasEnded(ending)) return;
  const ended = new Promise((resolve) => ending.once('exit', resolve));
  ending.kill(signal);
  await ended;
}

// As the cluster's owner, outside the registry's own database.
async function onPostgres(address: SocketAddress, statement: string): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

export async function ready(url: string, server: ChildProcess): Promise<void> {
  for (
    const deadline = Date.now() + READY_WITHIN_MS;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (hasEnded(server)) throw new Error(`the server ended with ${server.exitCode ?? server.signalCode}`);
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true) return;
  }
  throw new Error('the server is not ready in time');
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
