// Keeps what this phone knows of the public log as new as the network lets it, from the moment on that its page is
// opened: anybody who opens 'Read a proof' without reception has then what it takes.
import { atEachSignOfNetwork } from './send-soon.ts';
import { fetchLogPolicy, knownLog, type KnownLog } from './log-policy.ts';

/** While the log is not known, it is asked for again after so long: not every browser says that the network is back. */
const RETRY_MS = 5_000;

/** Calls `notify` with what is known, at once and after each change. Returns how to stop. */
export function followLog(notify: (log: KnownLog | undefined) => void): () => void {
  let isStopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    clearTimeout(retry);
    await fetchLogPolicy();
    const log = await knownLog();
    if (isStopped) return;
    notify(log);
    clearTimeout(retry);
    if (log === undefined) retry = setTimeout(() => void look(), RETRY_MS);
  };
  const begin = async () => {
    const log = await knownLog();
    if (log !== undefined && !isStopped) notify(log);
    await look();
  };
  void begin();
  const stopWaking = atEachSignOfNetwork(() => void look());
  return () => {
    isStopped = true;
    clearTimeout(retry);
    stopWaking();
  };
}
