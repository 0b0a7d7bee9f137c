// Work of the leader that is done again and again.
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { Lease } from './leader-election.server.ts';

/**
 * Does `work` every `ms` on the node that holds the lease, one run at a time; `name` is for the log. `run` does it now, unless it is
 * being done. `stop` waits for what is running.
 */
export function repeatWork(
  { ms, name, lease, log }: { ms: number; name: string; lease: Lease; log: Logger },
  work: () => Promise<unknown>,
): { run: () => void; stop: () => Promise<void> } {
  let working: Promise<unknown> | undefined;
  const run = () => {
    if (lease.isLost()) return;
    working ??= work()
      .catch((error: unknown) => log.warn({ err: error }, name))
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
