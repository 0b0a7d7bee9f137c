// Opens a connection pool to PostgreSQL, with Kysely on top. Columns are snake_case in SQL and camelCase here; dates
// are calendar-day strings, instants are Dates, bigints are numbers (all of ours stay far below 2^53). A statement that
// comes again is prepared. Buys: checking a vehicle's records takes PostgreSQL 1.0 ms instead of 8.5, a session 0.5
// instead of 0.75. Deletable when Kysely or the driver prepares by itself.
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
import { OUTDATED_PLAN } from '#app/platform/process/unavailable.server.ts';
import type { Tables } from '#database/tables.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { connectionTo, type DatabaseAddress } from '#database/connection.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
/** A row as the database writes it into JSON: its instants as text. */
export type InJson<Row> = {
  [Name in keyof Row]: Extract<Row[Name], Date> extends never ? Row[Name] : Exclude<Row[Name], Date> | string;
};

const DATE = 1082;
const INT8 = 20;
const TIMESTAMPTZ = 1184;
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (text) => text);
types.setTypeParser(INT8, (text) => Number(text));
// The driver's own is no Date for `infinity`, nor for a year that Date does not reach.
types.setTypeParser(TIMESTAMPTZ, (text) => {
  const instant: unknown = pg.types.getTypeParser(TIMESTAMPTZ)(text);
  return instant instanceof Date && !Number.isNaN(instant.getTime()) ? instant : instantOf(text);
});

/**
 * The time limits of a server's connections, in milliseconds. `statementMs`: the database cancels a statement that
 * takes longer. `silenceMs`: a connection is closed when a query on it has no answer for that long.
 */
export type Patience = { statementMs: number; silenceMs: number; connectMs?: number; readOnly?: true };

/**
 * For requests: when the database is unreachable and the network says nothing, the client has an answer within 30 s.
 */
export const FOR_REQUESTS: Patience = { statementMs: 15_000, silenceMs: 20_000 };
/** For background work, which may have to count a large registry. */
export const FOR_BACKGROUND: Patience = { statementMs: 600_000, silenceMs: 620_000 };
/** For reads from a replica. After this time the primary is asked instead. */
export const FOR_REPLICA: Patience = { statementMs: 2000, silenceMs: 2000, connectMs: 2000, readOnly: true };

const CONNECT_WITHIN_MS = 5000;
// A paused node must not hold up the others: the database ends its idle transactions and frees their locks after this
// time. Our transactions never wait for anything but the database and the file store.
const REST_AT_MOST_MS = 6000;

/**
 * A pool over `address`. A connection that breaks is reported to `onError` and replaced on next use. Without `patience`
 * statements and idle transactions have no time limit, as for commands.
 */
export function openDatabase(
  address: DatabaseAddress,
  { max = 10, onError, patience }: { max?: number; onError?: (error: Error) => void; patience?: Patience } = {},
): { db: Db; pool: pg.Pool } {
  const limits: Record<string, string> =
    patience === undefined
      ? {}
      : {
          statement_timeout: String(patience.statementMs),
          idle_in_transaction_session_timeout: String(Math.min(patience.statementMs, REST_AT_MOST_MS)),
          ...(patience.readOnly === undefined ? {} : { default_transaction_read_only: 'on' }),
        };
  const pool = new pg.Pool({
    ...connectionTo(address, '', limits),
    max,
    types,
    connectionTimeoutMillis: patience?.connectMs ?? CONNECT_WITHIN_MS,
    ...(patience === undefined ? {} : { query_timeout: patience.silenceMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection may break between two statements of a transaction, when no query can fail and the pool does not
  // listen. An 'error' event without a listener would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)));
  pool.on('error', () => {});
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withoutSilentConnections(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, pool };
}

// When a query times out, the driver does not close its connection. Back in the pool, it would make its next users wait
// as long; the first is the rollback of the same transaction. So further queries on it fail at once, and it is closed.
function withoutSilentConnections(pool: pg.Pool): PostgresPool {
  const named = preparing();
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
        if (BEGINS.test(sql)) isInTransaction = true;
        else if (ENDS.test(sql)) isInTransaction = false;
        const values = [...parameters];
        return client.query({ ...named(sql), text: sql, values }).catch((error: unknown) => {
          if (error instanceof Error && isOutdated(error) && !isInTransaction)
            return client.query({ text: sql, values });
          if (error instanceof Error && (error.message === SILENCE || isOutdated(error))) silent = error;
          throw error;
        });
      }
      return { query, release: (destroy) => client.release(silent ?? destroy) };
    },
  };
}

// The driver's message for `query_timeout`; the error has no code.
const SILENCE = 'Query read timeout';
// The error of a prepared statement whose table has a new column, as when a newer version starts while this one runs.
// The statement had no effect. Outside a transaction it is sent again, unprepared; inside one, the connection is
// closed.
const isOutdated = (error: Error) => error instanceof pg.DatabaseError && error.routine === OUTDATED_PLAN;
const BEGINS = /^(begin|start transaction)/i;
const ENDS = /^(commit|rollback)\s*$/i;

// A statement that is used often is prepared: planning costs the database several times as much as running it. The
// number is limited, as each connection holds each of them. The statements of every page repeat first, so they get the
// places.
const PREPARED_MAX = 250;
const SEEN_MAX = 2000;
const PREPARED_FROM = 3;

/** Returns what names a statement of one database from its third time on, and so has each connection prepare it. */
function preparing(): (sql: string) => { name: string } | undefined {
  const seen = new Map<string, { times: number; name?: string }>();
  let prepared = 0;
  return (sql) => {
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
  };
}

const primaries = new WeakMap<Db, Db>();

/** What `replica` follows. */
export const setPrimary = (replica: Db, db: Db): void => void primaries.set(replica, db);

/** The database to write to: the one that a replica follows, else itself. */
export const primaryOf = (db: Db): Db => primaries.get(db) ?? db;
