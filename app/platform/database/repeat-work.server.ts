// Work of the leader that is done again and again. Table job has when each was last done, for /settings/jobs and the
// metrics.
import { hostname } from 'node:os';
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { Db } from './database.server.ts';
import type { Lease } from './leader-election.server.ts';

// A run that ended as the one before is noted once in this time: some jobs run every two seconds.
const NOTED_EVERY_MS = 60_000;

/**
 * Does `work` every `ms` on the node that holds the lease, one run at a time; `name` is for the log and for people.
 * `run` does it now, unless it is being done. `stop` waits for what is running.
 */
export function repeatWork(
  { ms, name, lease, log, db }: { ms: number; name: string; lease: Lease; log: Logger; db: Db },
  work: () => Promise<unknown>,
): { run: () => void; stop: () => Promise<void> } {
  let working: Promise<unknown> | undefined;
  let noted: { error: string | null; at: number } | undefined;
  const note = async (error: string | null) => {
    const ranAt = new Date();
    if (noted?.error === error && ranAt.getTime() - noted.at < NOTED_EVERY_MS) return;
    const row = { everyMs: ms, node: hostname(), ranAt, error };
    await db
      .insertInto('job')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    noted = { error, at: ranAt.getTime() };
  };
  const run = () => {
    if (lease.isLost()) return;
    working ??= work()
      .then(() => null)
      .catch((error: unknown) => {
        log.warn({ err: error }, name);
        return error instanceof Error ? error.message : String(error);
      })
      .then(note)
      .catch((error: unknown) => log.warn({ err: error }, `noting when it ended: ${name}`))
      .finally(() => (working = undefined));
  };
  const timer = setInterval(run, ms);
  return {
    run,
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
