// The process: starts the database, files, live updates and HTTP in this order, and stops them in reverse.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { offerSetup } from '#app/sign-in/set-up-registry.server.ts';
import { readConfig, type Config } from '#app/platform/process/config.server.ts';
import { nearlyKnown } from '#app/platform/process/nearly-known.server.ts';
import { createLogger, type Logger } from '#app/platform/process/logger.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isTrialLog, logKey } from '#app/transparency-log/log-key.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { stopSignal } from '#app/platform/process/stop-signals.server.ts';
import type { createListener } from './app.ts';
import { CONNECTION_LIMITS, limitConnections, serverOptions } from './connections.ts';
import { openServices } from './open-services.ts';

export type RunningServer = { url: string; services: Services; stop: () => Promise<void> };

const STOP_WITHIN_MS = 9_000;
// After this time the remaining steps no longer wait for each other, so that PostgreSQL, the last, still stops cleanly.
const WAIT_MS = 4_000;
const TRIAL =
  'This is a trial log, without a name of its own. For a registry that others rely on: PUBLIC_URL=https://… npm run name-log';
const ONE_YEAR_SECONDS = 31_536_000;
const FIELD_WORKER = '/field-worker.js';

/**
 * Starts everything for `config`. When `stopping` is aborted, whatever has started stops at once, and an unfinished
 * start fails.
 */
export async function startServer(
  config: Config,
  log: Logger,
  stopping: AbortSignal = new AbortController().signal,
): Promise<RunningServer> {
  const undo: (() => Promise<unknown>)[] = [];
  let stopped: Promise<void> = Promise.resolve();
  const stop = () => (stopped = stopped.then(() => takeDown(undo.splice(0).toReversed(), log)));
  stopping.addEventListener('abort', () => void stop());
  try {
    await insistOnPort(config);
    const services = await openServices(config, log, { undo, stopping });
    const server = await listen((await builtApp()).createListener(services, builtAssets()), services);
    undo.push(() => closeServer(server));
    stopping.throwIfAborted();
    return { url: addressOf(server, config), services, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// One after the other. When that takes too long, all remaining steps run at once.
async function takeDown(steps: readonly (() => Promise<unknown>)[], log: Logger): Promise<void> {
  const tooLong = new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref());
  const ended: Promise<unknown>[] = [];
  for (const step of steps) {
    ended.push(step().catch((error: unknown) => log.error({ err: error }, 'stopping')));
    await Promise.race([ended.at(-1), tooLong]);
  }
  await Promise.all(ended);
}

function builtApp(): Promise<{ createListener: typeof createListener }> {
  return import(pathToFileURL(path.resolve(import.meta.dirname, '../build/server/index.js')).href);
}

// The browser build: names under /assets hold a hash of the content, so browsers may cache them for ever.
function builtAssets(): Hono {
  const assets = new Hono();
  const root = path.relative(process.cwd(), path.resolve(import.meta.dirname, '../build/client')) || '.';
  assets.use(
    '/assets/*',
    serveStatic({
      root,
      precompressed: true,
      onFound: (_path, context) => context.header('cache-control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`),
    }),
  );
  // No page has a dot in its path, so only paths with one need a look at the disk. This is no route pattern: with one,
  // Hono could not match all routes by a single regular expression.
  const named = serveStatic({
    root,
    precompressed: true,
    onFound: (_path, context) => {
      const isWorker = context.req.path === FIELD_WORKER;
      context.header('cache-control', isWorker ? 'no-cache' : 'public, max-age=3600');
      // A service worker is bound by the policy of its own script.
      if (isWorker) context.header('content-security-policy', "default-src 'none'; connect-src 'self'");
    },
  });
  assets.use((context, next) => (context.req.path.includes('.') ? named(context, next) : next()));
  return assets;
}

async function listen(listener: RequestListener, { config, log }: Services): Promise<Server> {
  const server = createServer(serverOptions(CONNECTION_LIMITS), listener);
  limitConnections(server, CONNECTION_LIMITS, log);
  server.listen(config.port, config.host);
  // Rejects with the error of a port that is taken.
  await once(server, 'listening');
  return server;
}

// Before anything is opened: else a taken port is found out after PostgreSQL has started and the tables are migrated.
async function insistOnPort({ port, host }: Config): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  await new Promise((resolve) => probe.close(resolve));
}

// Lets requests in flight finish for a second, then cuts what is left: event streams never end by themselves.
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(deadline);
}

function addressOf(server: Server, config: Config): string {
  const bound = server.address();
  const { port }: Pick<AddressInfo, 'port'> =
    bound !== null && typeof bound === 'object' ? bound : { port: config.port };
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}

/**
 * Starts for `config`, says where, and stops at the first signal within 10 s. Exits with one sentence when it cannot
 * start.
 */
export async function runServer(read: () => Config, afterStart?: (server: RunningServer) => void): Promise<void> {
  const stopping = stopSignal();
  stopping.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref());
  let server: RunningServer | undefined;
  try {
    const config = read();
    const log = createLogger(config);
    for (const sentence of nearlyKnown(process.env)) log.warn(sentence);
    const running = await startServer(config, log, stopping);
    server = running;
    stopping.addEventListener('abort', () => {
      log.info({ signal: String(stopping.reason) }, 'stopping');
      void running.stop().then(() => log.flush(() => process.exit(0)));
    });
    process.stdout.write(`${config.registryName} is at ${running.url}\n`);
    process.stdout.write(`Its public log is verified with ${formatVerifierKey((await logKey(config)).verifier)}\n`);
    if (!config.isDemo && (await isTrialLog(config))) process.stdout.write(`${TRIAL}\n`);
    await printSetupLink(running, config);
    afterStart?.(running);
  } catch (error) {
    // A signal right after the start takes away what the last sentences are read from.
    await server?.stop();
    if (stopping.aborted) process.exit(0);
    process.stderr.write(`${explainStartError(error)}\n`);
    process.exit(1);
  }
}

// Before there is an administrator, access to the terminal is what authorises setting up the first one.
async function printSetupLink({ services, url }: RunningServer, { publicUrl }: Config): Promise<void> {
  const link = await offerSetup(services.db);
  if (link === undefined) return;
  const origin = publicUrl?.origin ?? url;
  process.stdout.write(
    `There is no administrator yet. Open this link to set up the first one; it works once: ${origin}/setup?link=${link}\n`,
  );
}

if (import.meta.main) await runServer(() => readConfig(process.env));
