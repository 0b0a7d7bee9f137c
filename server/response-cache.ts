// The response cache for public pages and JSON: a middleware that answers what it has, and stores what a route marks as
// `cacheable`. Requests with a cookie neither fill the cache nor are answered from it, so nothing personal is cached.
//
// app/access/pages.ts declares which pages are cached and under which tags; api.ts does so for the API. The
// notification that reloads open pages drops the entry on every node. A page expires with its minute, JSON after five
// minutes and at midnight. A change made directly in the database, which notifies nobody, shows after that time at the
// latest.
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { todayIn } from '#app/platform/time/calendar.ts';
import { openResponseCache, type ResponseCache } from '#app/platform/live/response-cache.server.ts';
import { measureResponseCache } from '#app/platform/process/metrics.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addressRead, type AddressRead } from './address-read.ts';
import { answerOf, cacheResponse, type CachedResponse } from './cached-response.ts';
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

export function responseCache(cache: PublicCache, { config, now }: Services): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    // Undefined in tests without a network.
    const incoming: IncomingMessage | undefined = context.env.incoming;
    if (context.req.method !== 'GET' || incoming === undefined || !isForAnyone(incoming)) return next();
    const read = addressRead(incoming.url ?? '');
    if (read.url !== incoming.url) context.req.raw = new Request(new URL(read.url, context.req.url), context.req.raw);
    if (!read.isCached) return next();
    const key = keyOf(incoming, read);
    const asked = {
      ifNoneMatch: context.req.header('if-none-match'),
      acceptEncoding: context.req.header('accept-encoding'),
    };
    const found = cache.find(key);
    if (found !== undefined) {
      context.set('routePattern', found.route);
      context.set('isCached', true);
      return answerOf(found, asked);
    }
    const making = cache.begin();
    // Taken before the answer is made, as the answer may name the minute or the day.
    const at = now();
    try {
      await next();
      const cacheable = context.get('cacheable');
      if (cacheable === undefined || context.res.status !== 200 || isOwn(context.res.headers)) return;
      const plain = Buffer.from(await context.res.arrayBuffer());
      const response = cacheResponse(cacheable.route, new Headers(context.res.headers), plain);
      making.store(key, {
        tags: cacheable.tags,
        until: endOf(cacheable.whole, at, config.timeZone),
        response,
        // The plain body, and its gzip and brotli forms.
        bytes: Math.ceil(plain.length * 1.6) + OVERHEAD_BYTES,
      });
      // Hono would read the body of the answer that is replaced.
      context.res = undefined;
      context.res = answerOf(response, asked);
    } finally {
      making.end();
    }
  };
}

// Of one browser; or of a vehicle that has another name than the address, whose changes notify under its own.
const isOwn = (headers: Headers): boolean => headers.has('set-cookie') || headers.get('cache-control') === 'no-store';

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
