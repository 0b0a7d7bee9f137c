// In the browser: whether the registry gives out a newer program than the one that runs in this page. Only the person
// can say when what is typed may go, so the page never loads itself again for it: an open form says it.
import { PROGRAM_LIST } from './preload-program.ts';

const ASK_EVERY_MS = 120_000;

let sentence: string | undefined;
let ownVersion: string | undefined;
const listeners = new Set<() => void>();

/** What an open form says of a new version; undefined: there is none. */
export const newVersion = (): string | undefined => sentence;

export function sayNewVersion(words: string): void {
  sentence = words;
  for (const changed of listeners) changed();
}

/** Calls `changed` when there is a new version, and asks for one while somebody listens. Returns how to stop. */
export function onNewVersion(changed: () => void): () => void {
  listeners.add(changed);
  const ask = () => void (document.hidden || !navigator.onLine || askVersion().catch(() => {}));
  ask();
  const timer = setInterval(ask, ASK_EVERY_MS);
  const signs = new AbortController();
  for (const sign of ['focus', 'online', 'pageshow']) window.addEventListener(sign, ask, signs);
  document.addEventListener('visibilitychange', ask, signs);
  return () => {
    listeners.delete(changed);
    clearInterval(timer);
    signs.abort();
  };
}

async function askVersion(): Promise<void> {
  if (import.meta.env.DEV || sentence !== undefined) return;
  const answer = await fetch(PROGRAM_LIST, { cache: 'no-cache' });
  const list: unknown = answer.ok ? await answer.json() : undefined;
  const version: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'version') : undefined;
  if (typeof version !== 'string') return;
  ownVersion ??= version;
  if (version !== ownVersion)
    sayNewVersion('A new version of the registry is here. What you typed stays: send it, then reload the page.');
}
