// The service worker of /field. It answers from its cache for one page, /field, which is the same for everyone, and for
// the files that it needs; every other request goes to the network as if there were no worker. The build
// (vite.config.ts) puts it at /field-worker.js as one file, with the list of those files.
import { openPhoneStore } from './phone-store.ts';
import { listVisits } from './outbox.ts';
import { sendNow, SYNC_TAG } from './send-soon.ts';
import { UPDATE } from './worker-messages.ts';

// The part of a service worker's scope that is used here: TypeScript's own is of another library than the DOM's.
type Extendable = Event & { waitUntil: (promise: Promise<unknown>) => void };
type Scope = {
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'sync', listener: (event: Extendable & { tag: string }) => void): void;
  addEventListener(
    type: 'fetch',
    listener: (event: Event & { request: Request; respondWith: (answer: Promise<Response>) => void }) => void,
  ): void;
  addEventListener(type: 'message', listener: (event: Extendable & { data: unknown }) => void): void;
  skipWaiting: () => Promise<void>;
};
declare const self: Scope;
/** The files of the page, as /assets/…, by the build. */
declare const FIELD_FILES: readonly string[];

const PAGE = '/field';
const PREFIX = 'field ';
// The router’s list of all pages, which the page loads before its program: without it nothing starts. The build names
// it last, so that FIELD_FILES cannot have it.
const isListOfPages = (path: string): boolean => /^\/assets\/manifest-[\w.-]+\.js$/.test(path);
const isKept = (path: string): boolean => FIELD_FILES.includes(path) || isListOfPages(path);
const CACHE = `${PREFIX}${FIELD_FILES.join(' ')}`;

self.addEventListener('install', (event) => event.waitUntil(install()));

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Without the cookie: the page that is kept is nobody's.
  const page = await fetch(PAGE, { credentials: 'omit', cache: 'no-store' });
  const text = await page.clone().text();
  // While nodes of two versions answer, the page may be of the other one. The browser tries again later.
  const named = [...new Set(text.match(/\/assets\/[\w.-]+\.(?:js|css)/g))];
  const lists = named.filter(isListOfPages);
  const isOwn = named.length > lists.length && named.every(isKept);
  if (!page.ok || !isOwn) throw new Error('the page is of another version');
  await cache.addAll([...FIELD_FILES, ...lists]);
  await cache.put(PAGE, page);
  // A visit that is not sent yet was typed into the form of the program that is here: it is sent first.
  if (!(await hasUnsent())) await self.skipWaiting();
}

async function hasUnsent(): Promise<boolean> {
  const store = await openPhoneStore();
  const visits = await listVisits(store);
  store.close();
  return visits.some(({ state }) => state === 'unsent' || state === 'draft');
}

self.addEventListener('message', (event) => {
  if (event.data === UPDATE) event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.map((name) => (name.startsWith(PREFIX) && name !== CACHE ? caches.delete(name) : false))),
      ),
  ),
);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isPage = request.mode === 'navigate' && url.pathname === PAGE;
  if (request.method !== 'GET' || (!isPage && !isKept(url.pathname))) return;
  event.respondWith(fromCache(isPage ? PAGE : url.pathname, request));
});

async function fromCache(path: string, request: Request): Promise<Response> {
  const cached = await (await caches.open(CACHE)).match(path);
  return cached ?? fetch(request);
}

self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendFromOutbox());
});

async function sendFromOutbox(): Promise<void> {
  const store = await openPhoneStore();
  const stopped = await sendNow(store);
  store.close();
  // The browser tries again later.
  if (stopped === 'no answer') throw new Error('the registry did not answer');
}
