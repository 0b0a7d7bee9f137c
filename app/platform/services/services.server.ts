// The services and per-request values that every action and loader gets from the router's context. Nothing is global,
// so tests, and several registries in one process, do not interfere.
import { createContext } from 'react-router';
import type { Auth } from '#app/platform/auth/auth.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { LiveUpdates } from '#app/platform/live/live-updates.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { PublicReads } from '#app/platform/live/public-reads.server.ts';
import type { Metrics } from '#app/platform/process/metrics.server.ts';

/** The process's services. `now` is the clock, which tests of days and midnights replace. */
export type Services = {
  db: Db;
  reads: PublicReads;
  files: FileStore;
  live: LiveUpdates;
  auth: Auth;
  config: Config;
  log: Logger;
  /** The names of the migrations that this version needs. Without them in the database the process is not ready. */
  migrations: readonly string[];
  metrics: Metrics;
  /** Why nothing can be told of any truck, as a sentence for the operator: the database has lost its records. */
  lost: string | undefined;
  now: () => Date;
};

/** Where a route module finds them: `context.get(servicesContext)`. */
export const servicesContext = createContext<Services>();

/** The caller's address: the socket's, or what the trusted proxy says. */
export const clientAddress = createContext<string>('');

/** Set when a page fails because something it needs is unavailable for a while: the answer is a 503. */
export const isAway = createContext<boolean>(false);

/**
 * The pattern of the page that answers, as in app/routes.ts. Null before a route is matched, or when none takes the
 * method.
 */
export const routePattern = createContext<string | null>(null);

/** When the guard began to read the request's session, by performance.now(). */
export const sessionReadAt = createContext<number>(0);

/** The request's id, shown on error pages and written in the log. */
export const requestId = createContext<string>('');
