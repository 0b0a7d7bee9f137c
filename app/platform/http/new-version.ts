// In the browser: whether the registry gives out a newer program than the one that runs in this page. Only the person
// can say when what is typed may go, so the page never loads itself again for it: an open form says it.
import { PROGRAM_LIST } from './preload-program.ts';

const ASK_EVERY_MS = 120_000;

const NEW_VERSION = 'newversion';

let isNew = false;
let ownVersion: unknown;

export const isNewVersion = (): boolean => isNew;

export function sayNewVersion(): void {
  isNew = true;
  dispatchEvent(new Event(NEW_VERSION));
}

/** Calls `changed` when there is a new version, and asks for one while somebody listens. Returns how to stop. */
export function onNewVersion(changed: () => void): () => void {
  const stop = new AbortController();
  const timer = setInterval(ask, ASK_EVERY_MS);
  addEventListener(NEW_VERSION, changed, stop);
  addEventListener('focus', ask, stop);
  ask();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

// Without a connection, or behind a proxy that answers for us, nothing is known.
const ask = () => void (isNew || askVersion().catch(() => {}));

async function askVersion(): Promise<void> {
  const answer = await fetch(PROGRAM_LIST, { cache: 'no-cache' });
  const { version }: { version?: unknown } = await answer.json();
  ownVersion ??= version;
  if (version !== ownVersion) sayNewVersion();
}
