// In the browser: React Router's requests for a page's data (GET of `.data`) wait for the connection instead of
// failing, which would replace the page by the error screen. A page that reloads its own data also waits while the
// server answers with errors, and stays as it is. Aborting a request ends its wait. The answers of forms are read
// whole. An answer that is not the registry's is a lost connection.
import { isOwnAnswer } from './own-answer.ts';

/** What waits. `refresh`: new data of the page shown; `navigation`: another page; `part`: a script of the program. */
export type Waiting =
  | { kind: 'refresh'; fault: 'server' | 'connection' }
  | { kind: 'navigation'; to: URL }
  | { kind: 'part' };

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const SILENT_AFTER_MS = 4000;
/** Events after which a retry is likely to succeed, or a person looks at the page: each ends the pause. */
const REASONS_TO_ASK = ['online', 'focus', 'pageshow'];

const waits = new Set<Waiting>();
const listeners = new Set<() => void>();
const askNow = new EventTarget();
let shown: Waiting | undefined;

/** What the page waits for. A request by the user comes before one that the page makes by itself. */
export const waitingPage = (): Waiting | undefined => shown;

/** Calls `changed` when the value of `waitingPage` may have changed. Returns how to stop. */
export function onWaitingPage(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Marks the page as possibly old: no live updates arrive. Returns how to stop. */
export const sayPageIsOld = (fault: 'server' | 'connection'): (() => void) => show({ kind: 'refresh', fault });

function show(waiting: Waiting): () => void {
  waits.add(waiting);
  showWaits();
  return () => {
    waits.delete(waiting);
    showWaits();
  };
}

/** Calls `ask` on `tryAgain`, and when the browser is online again. Returns how to stop. */
export function onTryAgain(ask: () => void): () => void {
  askNow.addEventListener('ask', ask);
  window.addEventListener('online', ask);
  return () => {
    askNow.removeEventListener('ask', ask);
    window.removeEventListener('online', ask);
  };
}

/** Ends the present pause. */
export const tryAgain = (): boolean => askNow.dispatchEvent(new Event('ask'));

/** Wraps `fetch`. Call it once, before the router starts. */
export function waitForPageData(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    const { method = 'GET', signal } = { ...(input instanceof Request ? requestParts(input) : {}), ...init };
    if (url.origin !== window.location.origin || !url.pathname.endsWith('.data')) return send(input, init);
    return method === 'GET'
      ? askUntilAnswered(() => send(input, init), pageOf(url), signal ?? undefined)
      : send(input, init).then(readOwn);
  };
}

const requestParts = ({ method, signal }: Request): RequestInit => ({ method, signal });

/** Loads a part of the program that a page needs late. Tries again until it succeeds. */
export function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  if (typeof window === 'undefined') return load();
  const tryToLoad = async (): Promise<Tried<Part>> => ({ result: await load() });
  return tryUntilDone<Part>(() => tryToLoad().catch(() => undefined), { kind: 'part' });
}

function askUntilAnswered(send: () => Promise<Response>, page: string, signal: AbortSignal | undefined) {
  const isRefresh = page === addressOf(window.location.pathname, window.location.search);
  const waiting: Waiting = isRefresh
    ? { kind: 'refresh', fault: 'connection' }
    : { kind: 'navigation', to: new URL(page, window.location.href) };
  return tryUntilDone<Response>(
    async () => {
      const asked = await ask(send, signal);
      if (!asked.isReached) return undefined;
      return isRefresh && hasFailed(asked.answer)
        ? { waiting: { kind: 'refresh', fault: 'server' } }
        : { result: asked.answer };
    },
    waiting,
    signal,
  );
}

type Tried<Result> = { result: Result } | { waiting: Waiting } | undefined;

/**
 * `lost`: what waits when an attempt fails (undefined) or is long without an answer, as a lost network may be for
 * minutes.
 */
async function tryUntilDone<Result>(
  attempt: () => Promise<Tried<Result>>,
  lost: Waiting,
  signal?: AbortSignal,
): Promise<Result> {
  let hide = () => {};
  const say = (waiting: Waiting) => {
    const hideEarlier = hide;
    hide = show({ ...waiting });
    hideEarlier();
  };
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      let silence: ReturnType<typeof setTimeout> | undefined;
      const isSilent = new Promise<void>((resolve) => (silence = setTimeout(resolve, SILENT_AFTER_MS)));
      const isAskedAgain = isSilent.then(() => {
        say(lost);
        return pauseFor(LONGEST_PAUSE_MS, signal);
      });
      const tried = await Promise.race([attempt(), isAskedAgain.then(() => 'again' as const)]);
      clearTimeout(silence);
      if (tried === 'again') continue;
      if (tried !== undefined && 'result' in tried) return tried.result;
      say(tried?.waiting ?? lost);
      await pauseFor(pause, signal);
    }
  } finally {
    hide();
  }
}

type Asked = { isReached: true; answer: Response } | { isReached: false };

// An answer that is cut off counts as not arrived.
async function ask(send: () => Promise<Response>, signal: AbortSignal | undefined): Promise<Asked> {
  try {
    return { isReached: true, answer: await readOwn(await send()) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { isReached: false };
  }
}

// React Router uses an answer before its end has come. Aborted between the two, it would leave an error that nobody
// handles.
async function readOwn(answer: Response): Promise<Response> {
  if (!isOwnAnswer(answer)) throw new TypeError('The answer is not the registry’s.');
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, answer);
}

const hasFailed = ({ status }: Response): boolean => status >= 500 || status === 429;

// With jitter: clients that lost the server at the same moment must not all retry at the same moment.
function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const ended = new AbortController();
  const once = { signal: ended.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
    const go = () => resolve();
    askNow.addEventListener('ask', go, once);
    for (const reason of REASONS_TO_ASK) window.addEventListener(reason, go, once);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && go(), once);
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave, once);
    if (signal?.aborted === true) leave();
  }).finally(() => {
    clearTimeout(timer);
    ended.abort();
  });
}

// The page of a data address: `/_.data` belongs to `/`. `_routes` is the router's own parameter and not part of the
// page.
function pageOf({ pathname, search }: URL): string {
  return addressOf(
    pathname.replace(/(^\/_)?\.data$/, (end) => (end === '.data' ? '' : '/')),
    search,
  );
}

function addressOf(path: string, query: string): string {
  const search = new URLSearchParams(query);
  search.delete('_routes');
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function showWaits(): void {
  const all = [...waits];
  shown = all.find(({ kind }) => kind === 'navigation') ?? all.find(({ kind }) => kind === 'part') ?? all.at(-1);
  for (const changed of listeners) changed();
}
