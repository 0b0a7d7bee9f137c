// In the browser: what React Router asks of the server for a page (GET requests of `.data`) waits for the connection
// instead of failing, which would put the error screen where the page is. A page that reloads itself also waits out
// errors of the server: what it shows stays. A request that is no longer wanted is aborted, and so is its wait.

/** What waits. `refresh`: the page shown, asked for again; `navigation`: another one; `part`: of the program itself. */
export type Waiting =
  | { kind: 'refresh'; isServerAtFault: boolean }
  | { kind: 'navigation'; to: URL }
  | { kind: 'part' };

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** What brings a connection back, or somebody who looks: each is a reason to ask at once. */
const REASONS_TO_ASK = ['online', 'focus', 'pageshow'];

const waits = new Set<Waiting>();
const listeners = new Set<() => void>();
const askNow = new EventTarget();
let shown: Waiting | undefined;

/** What the page waits for: what somebody asked for comes before what the page does by itself. */
export const waitingPage = (): Waiting | undefined => shown;

/** Calls `changed` when `waitingPage` is another one. Returns how to stop. */
export function onWaitingPage(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Says that the page shown hears of no changes, as `isServerAtFault` or for want of a connection. Returns how to stop. */
export function sayPageIsOld(isServerAtFault: boolean): () => void {
  const waiting: Waiting = { kind: 'refresh', isServerAtFault };
  waits.add(waiting);
  showWaits();
  return () => {
    waits.delete(waiting);
    showWaits();
  };
}

/** Calls `ask` when somebody asks for it, or there is a connection again. Returns how to stop. */
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

/** To be called once, before the router is there. */
export function waitForPageData(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.href);
    const { method = 'GET', signal } = { ...(input instanceof Request ? requestParts(input) : {}), ...init };
    return method === 'GET' && url.origin === window.location.origin && url.pathname.endsWith('.data')
      ? askUntilAnswered(() => send(input, init), pageOf(url), signal ?? undefined)
      : send(input, init);
  };
}

const requestParts = ({ method, signal }: Request): RequestInit => ({ method, signal });

/** Loads a part of the program that a page shows late, and tries again until it is there. */
export function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  if (typeof window === 'undefined') return load();
  const tryToLoad = async (): Promise<Tried<Part>> => ({ result: await load() });
  return tryUntilDone<Part>(() => tryToLoad().catch(() => ({ waiting: { kind: 'part' } })));
}

function askUntilAnswered(send: () => Promise<Response>, page: string, signal: AbortSignal | undefined) {
  const isRefresh = page === addressOf(window.location.pathname, window.location.search);
  return tryUntilDone<Response>(async () => {
    const asked = await ask(send, signal);
    if (asked.isReached && !isToWaitFor(asked.answer, isRefresh)) return { result: asked.answer };
    return {
      waiting: isRefresh
        ? { kind: 'refresh', isServerAtFault: asked.isReached }
        : { kind: 'navigation', to: new URL(page, window.location.href) },
    };
  }, signal);
}

type Tried<Result> = { result: Result } | { waiting: Waiting };

async function tryUntilDone<Result>(attempt: () => Promise<Tried<Result>>, signal?: AbortSignal): Promise<Result> {
  let waiting: Waiting | undefined;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const tried = await attempt();
      if ('result' in tried) return tried.result;
      if (waiting !== undefined) waits.delete(waiting);
      waits.add((waiting = tried.waiting));
      showWaits();
      await pauseFor(pause, signal);
    }
  } finally {
    if (waiting !== undefined) {
      waits.delete(waiting);
      showWaits();
    }
  }
}

type Asked = { isReached: true; answer: Response } | { isReached: false };

// The whole answer: one that is cut off has not arrived.
async function ask(send: () => Promise<Response>, signal: AbortSignal | undefined): Promise<Asked> {
  try {
    const answer = await send();
    if (isFromInFront(answer)) return { isReached: false };
    const body = await answer.arrayBuffer();
    return { isReached: true, answer: new Response(body.byteLength === 0 ? null : body, answer) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { isReached: false };
  }
}

// A proxy answers so when it does not reach the registry, whose own answers have the id of the request.
const isFromInFront = ({ status, headers }: Response): boolean =>
  status === 502 || status === 504 || (status === 503 && !headers.has('x-request-id'));

const isToWaitFor = ({ status }: Response, isRefresh: boolean): boolean =>
  isRefresh && (status >= 500 || status === 429);

// Not to the second: what was lost by all at once does not come back to all at once.
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

// `/_.data` is of `/`. Which of its routes are asked for is no part of a page's address.
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
