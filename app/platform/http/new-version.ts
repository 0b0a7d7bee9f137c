// In the browser: whether the registry gives out a newer program than the one that runs in this page. Only the person
// can say when what is typed may go, so the page never loads itself again for it: an open form says it.
import { PROGRAM_LIST } from './preload-program.ts';

const ASK_EVERY_MS = 120_000;

let isNew = false;
let ownVersion: unknown;
const listeners = new Set<() => void>();

export const isNewVersion = (): boolean => isNew;

export function sayNewVersion(): void {
  isNew = true;
  for (const changed of listeners) changed();
}

/** Calls `changed` when there is a new version, and asks for one while somebody listens. Returns how to stop. */
export function onNewVersion(changed: () => void): () => void {
  listeners.add(changed);
  const ask = () => void (document.hidden || !navigator.onLine || askVersion().catch(() => {}));
  ask();
  const timer = setInterval(ask, ASK_EVERY_MS);
  const signs = new AbortController();
  for (const sign of ['focus', 'online']) window.addEventListener(sign, ask, signs);
  document.addEventListener('visibilitychange', ask, signs);
  return () => {
    listeners.delete(changed);
    clearInterval(timer);
    signs.abort();
  };
}

async function askVersion(): Promise<void> {
  if (import.meta.env.DEV || isNew) return;
  const answer = await fetch(PROGRAM_LIST, { cache: 'no-cache' });
  const list: unknown = answer.ok ? await answer.json() : undefined;
  const version: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'version') : undefined;
  ownVersion ??= version;
  if (typeof version === 'string' && version !== ownVersion) sayNewVersion();
}
