// What every door gets with a request: the process's database, files and settings. Nothing global, so tests and
// several registries in one process do not meet.
import { createContext } from 'react-router';
import type { Auth } from '#app/platform/auth/auth.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { LiveUpdates } from '#app/platform/live/live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { PublicReads } from '#app/platform/live/public-reads.server.ts';
import type { Metrics } from '#app/platform/process/metrics.server.ts';

/** The process's services. `now` is the clock: replaced in tests of days and midnights. */
export type Services = {
  db: Db;
  reads: PublicReads;
  files: FileStore;
  live: LiveUpdates;
  auth: Auth;
  config: Config;
  log: Logger;
  /** The migrations that this version needs; a database without them is not its own. */
  migrations: readonly string[];
  metrics: Metrics;
  now: () => Date;
};

/** Where a route module finds them: `context.get(services)`. */
export const services = createContext<Services>();

/** The caller's address: the socket's, or what the trusted proxy says. */
export const clientAddress = createContext<string>('');

/** Set when a page fails because something it needs is away for a while: the answer is a 503. */
export const isAway = createContext<boolean>(false);

/** The pattern of the page that answers, as in app/routes.ts; null until a route is matched, and where none answers the method. */
export const routePattern = createContext<string | null>(null);

/**
 * Set by a page that shows anyone the same until its minute ends: the topics whose changes make it another one, as those
 * that the page follows while it is open. Null: it is made anew for everybody.
 */
export const keepUnder = createContext<readonly string[] | null>(null);

/**
 * The page, whole, beside an answer without a body: in a Response it would become a stream, to be read out again by whoever
 * keeps or sends it.
 */
export const renderedPage = createContext<Buffer<ArrayBuffer> | null>(null);

/** The request's id, shown on error pages and written in the log. */
export const requestId = createContext<string>('');
