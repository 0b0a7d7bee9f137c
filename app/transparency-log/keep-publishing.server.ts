// When the log is published: within a second of an append, and checked whole at the start and every ten minutes or
// more. It is never part of a request.
// Buys: all appends of a second share one signature and one set of files, so that publishing costs 0.1 ms a recorded
// calibration (bench/RESULTS.md). Deletable never: signing at each append would put a disk or bucket into every write.
import { setTimeout as pause } from 'node:timers/promises';
import type { Lease } from '#app/platform/database/leader-election.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logKey } from './log-key.server.ts';
import { openLogFolder } from './log-folder.server.ts';
import { keepSignedDay } from './log-of-day.server.ts';
import { checkPublished, publishLog, Refused } from './publish.server.ts';

const SOON_MS = 1000;
// For appends without a notification: the listening connection was lost, or another process ended right after its
// append.
const LOOK_EVERY_MS = 10_000;
const CHECK_EVERY_MS = 10 * 60_000;
// A check of ten million entries takes minutes of a core. The first has to be done before anything is signed; a later
// one works a tenth of the time, step by step, and leaves the rest to requests. After it comes a pause as long as it
// was.
const STEP_REST = 9;

/** Begins it, on the node that holds the lease. Returns how to stop, which waits for the round at hand. */
export async function keepPublishing(
  { db, config, live, log }: Pick<Services, 'db' | 'config' | 'live' | 'log'>,
  lease: Lease,
): Promise<() => Promise<void>> {
  const key = await logKey(config);
  const folder = openLogFolder(config);
  const stopping = new AbortController();
  const publication = { db, folder, key, signal: stopping.signal };

  const rest = (ms: number) => pause(ms * STEP_REST, undefined, { signal: stopping.signal });

  // Nothing is signed before the first check, or after one that failed.
  let state: 'unchecked' | 'checking' | 'sound' | 'refused' = 'unchecked';
  const fail = async (error: unknown) => {
    if (stopping.signal.aborted) return;
    if (!(error instanceof Refused)) return log.warn({ err: error }, 'publishing the log');
    state = 'refused';
    log.error({ sentence: error.message }, 'THE LOG IS NOT SIGNED ANY MORE: it would contradict what was signed');
    const known = await folder.readRefusal();
    const since = known?.sentence === error.message ? known.since : new Date().toISOString();
    await folder.writeRefusal({ sentence: error.message, since });
  };
  const orFail = (work: () => Promise<void>) => () =>
    work()
      .catch(fail)
      .catch((error: unknown) => log.error({ err: error }, 'the log’s refusal cannot be written'));
  let nextCheck: NodeJS.Timeout | undefined;
  const check = single(
    orFail(async () => {
      clearTimeout(nextCheck);
      if (lease.isLost()) return;
      const began = performance.now();
      if (state === 'unchecked') state = 'checking';
      try {
        const { mended } = await checkPublished(publication, state === 'sound' ? rest : undefined);
        if (mended.length > 0) log.warn({ mended: mended.length, first: mended[0] }, 'published files were damaged');
        if (state !== 'sound') await folder.writeRefusal(undefined);
        state = 'sound';
      } finally {
        // When the database did not answer, the check is tried again soon.
        if (state === 'checking') state = 'unchecked';
        const wait = Math.max(CHECK_EVERY_MS, performance.now() - began);
        if (!stopping.signal.aborted) nextCheck = setTimeout(() => void check().then(publish), wait);
      }
    }),
  );
  // Where a checkpoint was published and not kept, as the node was stopped between, the next round keeps it.
  let kept = 0;
  const publish = single(
    orFail(async () => {
      if (state !== 'sound' || lease.isLost()) return;
      const { outcome, size } = await publishLog(publication);
      if (outcome === 'published') log.debug({ size }, 'log published');
      // The node before this one was stopped during a round, and releases the lock soon.
      if (outcome === 'busy') publishSoon();
      if (outcome === 'busy' || size <= kept) return;
      await keepSignedDay(db, { folder, key: key.verifier, zone: config.timeZone });
      kept = size;
    }),
  );

  let waiting: NodeJS.Timeout | undefined;
  const publishSoon = () => {
    if (stopping.signal.aborted) return;
    waiting ??= setTimeout(() => {
      waiting = undefined;
      void publish();
    }, SOON_MS);
  };
  const unsubscribe = live.onNotification('leaves', publishSoon);
  const look = () => void (state === 'unchecked' ? check().then(publish) : publish());
  const looking = setInterval(look, LOOK_EVERY_MS);
  look();

  return async () => {
    stopping.abort(new Error('stopping'));
    unsubscribe();
    clearTimeout(waiting);
    clearInterval(looking);
    clearTimeout(nextCheck);
    await Promise.all([check.ended(), publish.ended()]);
  };
}

/** One at a time: asked again while it runs, it runs once more after that. */
function single(work: () => Promise<void>): (() => Promise<void>) & { ended: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let again = false;
  let ended = false;
  const run = async () => {
    do {
      again = false;
      await work();
    } while (again && !ended);
    running = undefined;
  };
  const ask = (): Promise<void> => {
    if (ended) return Promise.resolve();
    if (running !== undefined) again = true;
    return (running ??= run());
  };
  return Object.assign(ask, {
    async ended() {
      ended = true;
      await running;
    },
  });
}
