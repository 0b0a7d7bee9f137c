// Our one way into PostgreSQL: a pool with Kysely over it. Columns are snake_case in SQL and camelCase here; dates are
// calendar-day strings, instants are Dates, bigints are numbers (all of ours stay far below 2^53).
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresQueryResult,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { Tables } from '#database/tables.ts';
import { isCopy, sendCopy } from './copy-rows.server.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
/** A row as the database writes it into JSON: its instants as text. */
export type InJson<Row> = {
  [Name in keyof Row]: Extract<Row[Name], Date> extends never ? Row[Name] : Exclude<Row[Name], Date> | string;
};

const DATE = 1082;
const INT8 = 20;
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (text) => text);
types.setTypeParser(INT8, (text) => Number(text));

/** How to reach a PostgreSQL: a URL, or the embedded one's socket folder with its password. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

/**
 * How long is waited, in milliseconds, on the connections of a server. `statementMs`: the database ends a statement that
 * takes longer. `silenceMs`: a connection on which no answer came for that long is given up.
 */
export type Patience = { statementMs: number; silenceMs: number; connectMs?: number; readOnly?: true };

/** For those who wait for a page: of a database that has vanished without a word they hear within half a minute. */
export const FOR_REQUESTS: Patience = { statementMs: 15_000, silenceMs: 20_000 };
/** For what the process does by itself: it may have a large registry to count, but does not wait for ever either. */
export const FOR_BACKGROUND: Patience = { statementMs: 600_000, silenceMs: 620_000 };
/** For reads from a replica: what it does not answer soon, the primary is asked. */
export const FOR_REPLICA: Patience = { statementMs: 2000, silenceMs: 2000, connectMs: 2000, readOnly: true };

const CONNECT_WITHIN_MS = 5000;
// What the database puts into words itself (a record that is hashed, a day, an instant) must not depend on where it runs.
const WORDING = { TimeZone: 'UTC', DateStyle: 'ISO,YMD', IntervalStyle: 'postgres', bytea_output: 'hex' };
// Of a peer that vanished without a word, in seconds: both sides find out, or its locks stay for hours.
const PEER_GONE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
};
// What a node leaves behind that is paused must not hold up the others: its transactions, with every lock in them, end
// when nothing comes from it. Ours never wait for anything but the database and the storage of files.
const REST_AT_MOST_MS = 6000;

/**
 * A pool over `address`. A connection that breaks is reported to `onError` and replaced on next use. Without `patience`
 * a statement may take, and a transaction rest, as long as it likes, as those of commands do.
 */
export function openDatabase(
  address: DatabaseAddress,
  { max = 10, onError, patience }: { max?: number; onError?: (error: Error) => void; patience?: Patience } = {},
): { db: Db; pool: pg.Pool } {
  const limits =
    patience === undefined
      ? {}
      : {
          statement_timeout: String(patience.statementMs),
          idle_in_transaction_session_timeout: String(Math.min(patience.statementMs, REST_AT_MOST_MS)),
          ...(patience.readOnly === undefined ? {} : { default_transaction_read_only: 'on' }),
        };
  const pool = new pg.Pool({
    ...address,
    max,
    types,
    connectionTimeoutMillis: patience?.connectMs ?? CONNECT_WITHIN_MS,
    ...(patience === undefined ? {} : { query_timeout: patience.silenceMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'truck-scale-registry',
    options: serverSettings({ ...WORDING, ...PEER_GONE, ...limits }),
  });
  // Also one that breaks between two statements of a transaction, when no query is there to fail and the pool does not
  // listen: an error that nobody listens to ends the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)));
  pool.on('error', () => {});
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withoutSilentConnections(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pool };
}

const serverSettings = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

// The driver gives up a query without an answer, but not its connection: back in the pool, it would let everyone wait as
// long who is handed it next, first of all the rollback of the same transaction.
function withoutSilentConnections(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let silent: Error | undefined;
      let isInTransaction = false;
      function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query(sql: unknown, parameters: readonly unknown[] = []): unknown {
        if (typeof sql !== 'string') throw new Error('rows are not read by cursors here');
        if (silent !== undefined) return Promise.reject(silent);
        if (isCopy(sql)) return sendCopy(client, sql, parameters[0]);
        if (BEGINS.test(sql)) isInTransaction = true;
        else if (ENDS.test(sql)) isInTransaction = false;
        const values = [...parameters];
        return client.query({ ...named(sql), text: sql, values }).catch((error: unknown) => {
          if (error instanceof Error && error.message === OUTDATED && !isInTransaction)
            return client.query({ text: sql, values });
          if (error instanceof Error && (error.message === SILENCE || error.message === OUTDATED)) silent = error;
          throw error;
        });
      }
      return { query, release: (destroy) => client.release(silent ?? destroy) };
    },
  };
}

// The driver's words for `query_timeout`; it has no code.
const SILENCE = 'Query read timeout';
// Of a prepared statement whose table has got a column since, as when a newer version starts beside this one. Nothing was
// done; within a transaction it can only be begun again, on a connection that has prepared nothing.
const OUTDATED = 'cached plan must not change result type';
const BEGINS = /^(begin|start transaction)/i;
const ENDS = /^(commit|rollback)\s*$/i;

// A statement that comes again is prepared on its connection: planning it costs the database several times what running it
// does. Their number is bounded, as each is kept by each connection; the first to come again are those of every page.
const PREPARED_MAX = 250;
const SEEN_MAX = 2000;
const PREPARED_FROM = 3;
const seen = new Map<string, { times: number; name?: string }>();
let prepared = 0;

function named(sql: string): { name: string } | undefined {
  const known = seen.get(sql);
  if (known === undefined) {
    if (seen.size < SEEN_MAX) seen.set(sql, { times: 1 });
    return undefined;
  }
  known.times += 1;
  if (known.name === undefined && known.times >= PREPARED_FROM && prepared < PREPARED_MAX) {
    prepared += 1;
    known.name = `registry_${prepared}`;
  }
  return known.name === undefined ? undefined : { name: known.name };
}
