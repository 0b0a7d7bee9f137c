// Leader election: of the processes on one database, one at a time holds the lease and does the jobs for all of them.
// The lease is an advisory lock of a session of its own. So the database allows one holder only, and another node gets
// the lease at once when the holder ends or is killed.
// Buys: jobs go on about 1 s after their node was killed, 6 s after it was paused or cut off, and never on two nodes.
// Deletable when a registry is one process.
//
// A node that is paused, or whose machine or network is gone, does not close its session. So the database ends the
// session when it is silent (idle_session_timeout), and the holder sends a query each second. By its own clock the
// holder gives the lease up before the database can end the session: a node that wakes up late finds the lease lost
// before it goes on.
//
// A job asks `lease.isLost()` before each step that another node may be doing by now. A step that must never happen
// twice has a lock of its own besides (publishing, a mail's row). A lease in a row would work behind a transaction
// pooler too, but live updates need a session anyway. No other state is held by one process: sessions, challenges, rate
// limits, idempotency keys, the outbox and temporary uploads are rows.
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionTo, type DatabaseAddress } from '#database/connection.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';

/** Whether this node may still do the jobs. A job checks it before each step that another node may be doing by now. */
export type Lease = { isLost(): boolean };
/** Begins a job. The function returned stops it and waits for the step that is running. */
export type Job = (lease: Lease) => Promise<() => Promise<unknown>>;

const LOCK_KEY = 7_310_411;
/** How often a node tries for the lease, and how often the holder sends its heartbeat. */
const EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** The holder counts from sending its last heartbeat, the database from answering it, which is later. */
const HELD_MS = 5_000;
const SILENT_MS = 6_000;
const FAREWELL_MS = 1_000;

/** Does `jobs` while this node holds the lease. The function returned stops them and releases the lease. */
export function electLeader(
  { address, log }: { address: DatabaseAddress; log: Logger },
  jobs: readonly Job[],
): () => Promise<void> {
  const closing = new AbortController();
  let trouble = '';
  const keepTrying = async () => {
    while (!closing.signal.aborted) {
      await tryForLease({ address, log, closing: closing.signal, reached: () => (trouble = '') }, jobs).catch(
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          if (reason !== trouble) log.warn({ reason }, 'the lease to do the jobs cannot be had or kept');
          trouble = reason;
        },
      );
      await wait(EVERY_MS, closing.signal);
    }
  };
  const trying = keepTrying();
  return async () => {
    closing.abort();
    await trying;
  };
}

type Try = { address: DatabaseAddress; log: Logger; closing: AbortSignal; reached: () => void };

// Waits for the lease and does the jobs until the lease ends, on one connection. Throws the error that ended the
// connection.
async function tryForLease({ address, log, closing, reached }: Try, jobs: readonly Job[]): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(address, `jobs ${process.pid}@${hostname()}`, { idle_session_timeout: String(SILENT_MS) }),
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  const lost = new AbortController();
  const lose = (error: Error) => lost.abort(error);
  client.on('error', lose);
  client.on('end', () => lose(new Error('the connection ended')));
  const eitherEnds = AbortSignal.any([closing, lost.signal]);
  let heldUntil = 0;
  let beating = Promise.resolve();
  const stops: (() => Promise<unknown>)[] = [];
  try {
    await client.connect();
    reached();
    for (;;) {
      const asked = performance.now();
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK_KEY]);
      heldUntil = asked + HELD_MS;
      if (rows[0]?.mine === true) break;
      await wait(EVERY_MS, eitherEnds);
      if (eitherEnds.aborted) return;
    }
    // The heartbeat goes on while the jobs are being stopped, until the connection is closed.
    const beat = async () => {
      while (!lost.signal.aborted) {
        await wait(EVERY_MS, lost.signal);
        const asked = performance.now();
        await client.query('select');
        heldUntil = asked + HELD_MS;
      }
    };
    beating = beat().catch(lose);
    log.info('this node does the jobs of all nodes now');
    const lease = { isLost: () => eitherEnds.aborted || performance.now() >= heldUntil };
    for (const begin of jobs) stops.push(await begin(lease));
    await wait(undefined, eitherEnds);
    if (lost.signal.aborted) throw lost.signal.reason;
  } finally {
    await Promise.all(
      stops.map((stop) => stop().catch((error: unknown) => log.error({ err: error }, 'stopping a job'))),
    );
    lose(new Error('given up'));
    await Promise.race([client.end().catch(() => undefined), pause(FAREWELL_MS)]);
    await beating;
  }
}

/** Resolves after `ms` (never when undefined), or when `signal` aborts. */
async function wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (ms !== undefined) return pause(ms, undefined, { signal }).catch(() => undefined);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
