// Our one way into PostgreSQL: a pool with Kysely over it. Columns are snake_case in SQL and camelCase here; dates are
// calendar-day strings, instants are Dates, bigints are numbers (all of ours stay far below 2^53).
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '#database/tables.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

const DATE = 1082;
const INT8 = 20;
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (text) => text);
types.setTypeParser(INT8, (text) => Number(text));

/** How to reach a PostgreSQL: a URL, or the embedded one's socket folder with its password. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

// What a node leaves behind that is paused, or whose machine is gone without a word, must not hold up the others: its
// transactions, with every lock in them, end when nothing comes from it, and so do its connections. Ours never wait for
// anything but the database and the storage of files.
const ABANDONED = {
  idle_in_transaction_session_timeout: '6s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
};

/** Answers within this time, or is held to be gone. */
const REPLICA_ANSWERS_WITHIN_MS = 2_000;

export type PoolOptions = {
  max?: number;
  onError?: (error: Error) => void;
  /**
   * What it is for: one of several nodes, whose abandoned transactions end by themselves; or its reads from a replica. A
   * command, when undefined, may pause as long as it likes.
   */
  use?: 'node' | 'replica';
};

/** A pool over `address`. A connection that breaks is reported to `onError` and replaced on next use. */
export function openDatabase(address: DatabaseAddress, options: PoolOptions = {}): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    ...address,
    max: options.max ?? 10,
    types,
    connectionTimeoutMillis: 5000,
    ...(options.use === 'replica'
      ? { connectionTimeoutMillis: REPLICA_ANSWERS_WITHIN_MS, query_timeout: REPLICA_ANSWERS_WITHIN_MS }
      : {}),
    application_name: 'truck-scale-registry',
    // What the database puts into words itself (a record that is hashed) must not depend on where it runs.
    options: serverSettings({
      TimeZone: 'UTC',
      ...(options.use === undefined ? {} : ABANDONED),
      ...(options.use === 'replica' ? { default_transaction_read_only: 'on' } : {}),
    }),
  });
  // Also one that breaks between two statements of a transaction, when no query is there to fail and the pool does not
  // listen: an error that nobody listens to ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  pool.on('error', () => {});
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pool };
}

const serverSettings = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
