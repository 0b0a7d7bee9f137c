// The response cache for public pages and JSON. A response is stored on its way out through Hono, and served before
// Hono and the router see a request (app.ts has the order). Requests with a cookie neither fill the cache nor are
// answered from it, so nothing personal is cached.
//
// app/access/pages.ts declares which pages are cached and under which tags; api.ts does so for the API. The
// notification that reloads open pages drops the entry on every node. A page expires with its minute, JSON after five
// minutes and at midnight. A change made directly in the database, which notifies nobody, shows after that time at the
// latest.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { todayIn } from '#app/platform/time/calendar.ts';
import { openResponseCache, type ResponseCache } from '#app/platform/live/response-cache.server.ts';
import { measureResponseCache } from '#app/platform/process/metrics.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addressRead, type AddressRead } from './address-read.ts';
import { cacheResponse, sendCached, type CachedResponse } from './cached-response.ts';
import type { Observe } from './observe-requests.ts';
import { completeHeaders } from './security-headers.ts';
import type { Cacheable, ServerEnv } from './server-env.ts';

export type PublicCache = ResponseCache<CachedResponse>;

const MAX_BYTES = 64 * 1024 * 1024;
// The memory of an entry without its body: tags, headers, bookkeeping. Measured: 2,100 bytes.
const OVERHEAD_BYTES = 2300;
const CATCH_UP_MS = 1000;
const MINUTE_MS = 60_000;
const LONG_MS = 5 * MINUTE_MS;

export function openPublicCache(services: Pick<Services, 'live' | 'now' | 'metrics'>): PublicCache {
  const cache = openResponseCache<CachedResponse>(services, MAX_BYTES);
  measureResponseCache(services.metrics, cache.size);
  return cache;
}

/** Answers from the cache. False when it has no answer; the request is untouched then. */
export function answerCached(
  cache: PublicCache,
  observe: Observe,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const soon = atEndOfTurn();
  return (request, response) => {
    if (request.method !== 'GET' || !isForAnyone(request)) return false;
    const asked = addressRead(request.url ?? '');
    const found = asked.isCached ? cache.find(keyOf(request, asked)) : undefined;
    if (found === undefined) return false;
    const { id, finish } = observe();
    soon(() => {
      const status = sendCached(found, id, request, response);
      finish({ method: 'GET', route: found.route, status, kept: true });
    });
    return true;
  };
}

/** Stores the answers that a route marks as `cacheable`. */
export function storeCacheable(cache: PublicCache, { config, now }: Services): MiddlewareHandler<ServerEnv> {
  const complete = completeHeaders(config);
  return async (context, next) => {
    // Undefined in tests without a network.
    const incoming: IncomingMessage | undefined = context.env.incoming;
    if (context.req.method !== 'GET' || incoming === undefined || !isForAnyone(incoming)) return next();
    const read = addressRead(incoming.url ?? '');
    if (read.url !== incoming.url) context.req.raw = new Request(new URL(read.url, context.req.url), context.req.raw);
    if (!read.isCached) return next();
    const making = cache.begin();
    // Taken before the answer is made, as the answer may name the minute or the day.
    const at = now();
    try {
      await next();
      const cacheable = context.get('cacheable');
      if (cacheable === undefined || context.res.status !== 200 || context.res.headers.has('set-cookie')) return;
      const plain = cacheable.plain ?? Buffer.from(await context.res.arrayBuffer());
      const headers = new Headers(context.res.headers);
      complete(headers);
      const asked = {
        ifNoneMatch: context.req.header('if-none-match'),
        acceptEncoding: context.req.header('accept-encoding'),
      };
      const { cached, first } = cacheResponse(cacheable.route, headers, plain, asked);
      making.store(keyOf(incoming, read), {
        tags: cacheable.tags,
        until: endOf(cacheable.whole, at, config.timeZone),
        response: cached,
        // The plain body, and its gzip and brotli forms.
        bytes: Math.ceil(plain.length * 1.6) + OVERHEAD_BYTES,
      });
      // Hono would read the body of the answer that is replaced.
      context.res = undefined;
      context.res = first;
    } finally {
      making.end();
    }
  };
}

/**
 * Delays the answer to a write until this node's cache has dropped what the write made old, so that the writer sees the
 * change even without a cookie. Other nodes follow by their own notifications. Waits at most a second for the database.
 */
export function catchUpAfterWrite(cache: PublicCache, { live }: Pick<Services, 'live'>): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    await next();
    const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
    if (!isRead && cache.size().responses > 0)
      await Promise.race([live.catchUp().catch(() => {}), pause(CATCH_UP_MS, undefined, { ref: false })]);
  };
}

// Sends the answers to all requests of one turn of the event loop together: a proxy that wakes for the first need not
// wake again for the others. With 64 connections it saves 11 to 13 % of the processor time; with one it saves nothing.
// Deletable when that is under a tenth.
function atEndOfTurn(): (send: () => void) => void {
  let waiting: (() => void)[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (const each of all) each();
  };
  return (each) => {
    if (waiting.push(each) === 1) setImmediate(sendAll);
  };
}

// A request without a cookie, whose sender cannot be signed in, and without a body, which would have to be read first.
function isForAnyone({ headers }: IncomingMessage): boolean {
  return (
    headers.cookie === undefined &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

// An answer for `this minute` expires with it. Every answer expires at midnight, when due dates pass. The limit of five
// minutes bounds how long a change made directly in the database stays unseen.
function endOf(whole: Cacheable['whole'], at: Date, timeZone: string): number {
  const nextMinute = (Math.floor(at.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
  const later = at.getTime() + LONG_MS;
  const isMinute = whole === 'this minute' || todayIn(timeZone, new Date(later)) !== todayIn(timeZone, at);
  return isMinute ? nextMinute : later;
}

// With the host: without PUBLIC_URL the addresses on a page use the host of the request. An unknown host stores
// nothing, as `publicHost` has refused it before.
const keyOf = ({ headers }: IncomingMessage, { url }: AddressRead) => `${headers.host}${url}`;
