// What one node does for all of them: of the processes on one database, one at a time has the turn. The turn is an
// advisory lock of a session of its own, so the database itself knows of one holder only, and it goes to another node at
// once when the holder ends or is killed.
//
// A node that is paused, or whose machine or network is gone, closes nothing. So the session is one that the database
// ends when it is silent (idle_session_timeout), and the holder asks it something each second. By its own clock it gives
// the turn up before the database may: whoever wakes up late finds that it is over before going on.
//
// A job asks `turn.isOver()` before each step that another may be doing by now; what must not happen twice in any case has a
// lock of its own besides (publishing, a mail's row). A lease in a row would serve behind a transaction pooler too, but live
// updates need a session there anyway. A process keeps nothing that another would miss: sessions, challenges, limits, form keys,
// the outbox and staged uploads are rows.
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress } from './database.server.ts';
import type { Logger } from '#app/platform/process/logger.server.ts';

/** Whether this node may still do the jobs. Asked before each step that another node might be doing by now. */
export type Turn = { isOver(): boolean };
/** Begins a job; what it returns stops it and waits for the step at hand. */
export type Job = (turn: Turn) => Promise<() => Promise<unknown>>;

const LOCK_KEY = 7_310_411;
/** How often the turn is tried for, and how often its holder says that it lives. */
const EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Counted by the holder from when it last asked, by the database from when it last answered, which is later. */
const HELD_MS = 5_000;
const SILENT_MS = 6_000;
const FAREWELL_MS = 1_000;

/** Does `jobs` whenever it is this node's turn. Returns how to stop, which gives the turn to another node. */
export function oneAtATime(
  { address, log }: { address: DatabaseAddress; log: Logger },
  jobs: readonly Job[],
): () => Promise<void> {
  const closing = new AbortController();
  let trouble = '';
  const keepTrying = async () => {
    while (!closing.signal.aborted) {
      await tryForTurn({ address, log, closing: closing.signal, reached: () => (trouble = '') }, jobs).catch(
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          if (reason !== trouble) log.warn({ reason }, 'the turn to do the jobs cannot be had or kept');
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

// Waits for the turn and does the jobs until it is over, on one connection. Throws what took the connection away.
async function tryForTurn({ address, log, closing, reached }: Try, jobs: readonly Job[]): Promise<void> {
  const client = new pg.Client({
    ...address,
    application_name: `truck-scale-registry jobs ${process.pid}@${hostname()}`,
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
    await client.query(`set idle_session_timeout = ${SILENT_MS}`);
    reached();
    for (;;) {
      const asked = performance.now();
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK_KEY]);
      heldUntil = asked + HELD_MS;
      if (rows[0]?.mine === true) break;
      await wait(EVERY_MS, eitherEnds);
      if (eitherEnds.aborted) return;
    }
    // Until the connection is given up, so also while the jobs are being stopped.
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
    const turn = { isOver: () => eitherEnds.aborted || performance.now() >= heldUntil };
    for (const begin of jobs) stops.push(await begin(turn));
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

/** Until `ms` have passed, for ever when undefined, or `signal` aborts. */
async function wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (ms !== undefined) return pause(ms, undefined, { signal }).catch(() => undefined);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
