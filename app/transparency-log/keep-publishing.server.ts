// When the log is published: within a second of an append, and checked whole at the start and every ten minutes. It is
// never part of a request.
import type { Services } from '#app/platform/services.server.ts';
import { logKey } from './log-key.server.ts';
import { LogFolder } from './log-folder.server.ts';
import { checkPublished, publishLog, Refused } from './publish.server.ts';

const SOON_MS = 1000;
// For what is not told: while the listening connection was lost, or another process ended between its append and us.
const LOOK_EVERY_MS = 10_000;
const CHECK_EVERY_MS = 10 * 60_000;

/** Begins it. Returns how to stop, which waits for the round at hand. */
export async function keepPublishing({ db, config, live, log }: Services): Promise<() => Promise<void>> {
  const key = await logKey(config);
  const folder = new LogFolder(config.dataDir);
  const stopping = new AbortController();
  const publication = { db, folder, key, signal: stopping.signal };

  // Nothing is signed before the first check, nor after one that failed.
  let sound = false;
  const refuse = async (error: unknown) => {
    if (stopping.signal.aborted) return;
    if (!(error instanceof Refused)) return void log.warn({ err: error }, 'publishing the log');
    sound = false;
    log.error({ sentence: error.message }, 'THE LOG IS NOT SIGNED ANY MORE: it would contradict what was signed');
    const known = await folder.readRefusal();
    const since = known?.sentence === error.message ? known.since : new Date().toISOString();
    await folder.writeRefusal({ sentence: error.message, since });
  };
  const check = single(async () => {
    const { mended } = await checkPublished(publication);
    if (mended.length > 0)
      log.warn({ files: mended.length, first: mended[0] }, 'published files were missing or damaged');
    if (!sound) await folder.writeRefusal(undefined);
    sound = true;
  }, refuse);
  const publish = single(async () => {
    if (!sound) return;
    const { outcome, size } = await publishLog(publication);
    if (outcome === 'published') log.debug({ size }, 'log published');
  }, refuse);

  let waiting: NodeJS.Timeout | undefined;
  const publishSoon = () => {
    if (stopping.signal.aborted) return;
    waiting ??= setTimeout(() => {
      waiting = undefined;
      void publish();
    }, SOON_MS);
  };
  const told = live.onTold('leaves', publishSoon);
  const looking = setInterval(() => void publish(), LOOK_EVERY_MS);
  const checking = setInterval(() => void check(), CHECK_EVERY_MS);
  void check().then(publish);

  return async () => {
    stopping.abort(new Error('stopping'));
    told();
    clearTimeout(waiting);
    clearInterval(looking);
    clearInterval(checking);
    await Promise.all([check.ended(), publish.ended()]);
  };
}

/** One at a time: asked again while it runs, it runs once more after that. */
function single(
  work: () => Promise<void>,
  onError: (error: unknown) => Promise<unknown>,
): (() => Promise<void>) & { ended: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let again = false;
  let ended = false;
  const run = async () => {
    do {
      again = false;
      await work().catch(onError);
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
