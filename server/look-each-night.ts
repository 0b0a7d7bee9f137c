// Once a night the leader looks for patterns in the whole registry.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { nightToLook } from '#app/patterns/look-for-patterns.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import type { Lease } from '#app/platform/database/leader-election.server.ts';
import { repeatWork } from '#app/platform/database/repeat-work.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { NightlyWork } from './pattern-worker.ts';

const LOOK_EVERY_MS = 60_000;
/** Of the thread's heap. The visits of four million readings fill 270 MB of it. */
const HEAP_MAX_MB = 448;

type Looking = Pick<Services, 'db' | 'config' | 'log' | 'now'> & { address: DatabaseAddress };

/** Starts it on the node that holds the lease. The function returned stops it, in the middle of a look too. */
export async function lookEachNight(looking: Looking, lease: Lease): Promise<() => Promise<void>> {
  const { db, config, log, now, address } = looking;
  const zone = config.timeZone;
  const stopping = new AbortController();
  const look = async () => {
    const night = await nightToLook({ db, now, zone });
    if (night === undefined || lease.isLost()) return;
    const workerData: NightlyWork = { address, zone, night };
    const found = await runWorker(workerData, stopping.signal);
    if (found !== undefined) log.info({ night, found }, 'looked for patterns');
  };
  // Not at once: a start has better things to do.
  const { stop } = repeatWork({ ms: LOOK_EVERY_MS, name: 'looking for patterns', lease, log, db }, look);
  return async () => {
    stopping.abort();
    await stop();
  };
}

/** How many findings are new; undefined: it was stopped. What it had written by then is undone by the database. */
async function runWorker(workerData: NightlyWork, stopping: AbortSignal): Promise<number | undefined> {
  const worker = new Worker(new URL('pattern-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  });
  const stop = () => void worker.terminate();
  stopping.addEventListener('abort', stop);
  try {
    const [found]: unknown[] = await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(([code]) => {
        if (stopping.aborted) return [];
        throw new Error(`the thread that looks for patterns ended with ${code}`);
      }),
    ]);
    return typeof found === 'number' ? found : undefined;
  } finally {
    stopping.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
