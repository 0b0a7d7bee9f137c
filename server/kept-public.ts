// Public answers kept in the process (app/platform/live/kept-answers.server.ts): kept on their way out through Hono, and
// answered before Hono and the router come to see the request. With the same headers, line in the log and count.
//
// A loader that calls `setCacheTags` names the topics whose changes make its page another one. The same notification that
// reloads open pages drops it, on every node; a page ends with its minute, a JSON answer within five minutes and at midnight.
// Nothing with a cookie is kept or answered so. What is altered behind the registry's back shows as soon as what was kept has
// ended.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { todayIn } from '#app/platform/time/calendar.ts';
import { keepAnswers, type KeptAnswers } from '#app/platform/live/kept-answers.server.ts';
import { measureKept } from '#app/platform/process/metrics.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { alwaysHeaders } from './security-headers.ts';
import type { ServerEnv } from './request-log.ts';

/** What is kept of an answer: its headers as `writeHead` takes them, and its body under each encoding asked for so far. */
export type Prepared = {
  route: string;
  etag: string;
  /** Of a 304 too; without the ETag, so that most answers of a route share theirs. */
  headers: readonly string[];
  /** As it is sent. A short one is a string of its bytes: Node writes that with the head at once, a buffer beside it. */
  sent: { identity: Buffer | string } & Partial<Record<Encoding, Buffer | string>>;
};
type Encoding = 'br' | 'gzip';

/**
 * Said of an answer that anyone may be given again: under what it is kept, and whether it names the minute. `plain` is its
 * body, where that is known without reading it.
 */
export type Keepable = {
  topics: readonly string[];
  while: 'this minute' | 'today';
  route: string;
  plain?: Buffer<ArrayBuffer> | null;
};

const MAX_BYTES = 64 * 1024 * 1024;
// What an entry takes beside its body, with its topics: 1,300 where measured.
const OVERHEAD_BYTES = 1500;
const HEADERS_SHARED_MAX = 500;
const SHORT_BYTES = 16_384;
const CATCH_UP_MS = 1000;
const MINUTE_MS = 60_000;
const LONG_MS = 5 * MINUTE_MS;
const NOT_KEPT = new Set(['etag', 'content-length', 'content-encoding', 'transfer-encoding', 'x-request-id', 'date']);

export function openKeptPublic(services: Pick<Services, 'live' | 'now' | 'metrics'>): KeptAnswers<Prepared> {
  const kept = keepAnswers<Prepared>(services, MAX_BYTES);
  measureKept(services.metrics, kept.size);
  return kept;
}

/** Keeps what a page or the API says may be kept (`keep` of the request), unless somebody signed in may have asked. */
export function keepPublic(kept: KeptAnswers<Prepared>, { config, live, now }: Services): MiddlewareHandler<ServerEnv> {
  const always = alwaysHeaders(config);
  const share = shareHeaders();
  return async (context, next) => {
    if (context.req.method !== 'GET') {
      await next();
      // Whoever is answered finds what they did, also without their cookie. Other nodes hear of it in their time.
      // Who waits for a database that says nothing has waited long enough by then.
      if (context.req.method !== 'HEAD' && kept.size().answers > 0)
        await Promise.race([live.catchUp().catch(() => {}), pause(CATCH_UP_MS, undefined, { ref: false })]);
      return;
    }
    // Without one in tests that need no network.
    const incoming: IncomingMessage | undefined = context.env.incoming;
    if (incoming === undefined || !isForAnyone(incoming)) return next();
    const making = kept.begin();
    // The day and minute of which it speaks began before it was made.
    const at = now();
    try {
      await next();
      const keep = context.get('keep');
      if (keep === undefined || context.res.status !== 200 || context.res.headers.has('set-cookie')) return;
      const plain = keep.plain ?? Buffer.from(await context.res.arrayBuffer());
      const headers = new Headers(context.res.headers);
      for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
      const etag = headers.get('etag') ?? weakEtag(plain);
      headers.set('etag', etag);
      headers.append('vary', 'Accept-Encoding');
      const own = [...headers].filter(([name]) => !NOT_KEPT.has(name));
      const isSame = matches(context.req.header('if-none-match'), etag);
      const encoding = acceptable(context.req.header('accept-encoding'));
      const body = isSame ? null : encoding === 'identity' ? plain : compress(plain, encoding);
      if (body !== null && encoding !== 'identity') headers.set('content-encoding', encoding);
      const sent = {
        ...(body === null ? {} : { [encoding]: shortAsString(body) }),
        identity: shortAsString(plain),
      };
      making.keep(keyOf(incoming), {
        topics: keep.topics,
        until: endOf(keep.while, at, config.timeZone),
        prepared: { route: keep.route, etag, headers: share(own.flat()), sent },
        // Itself, and what gzip and brotli will make of it.
        bytes: Math.ceil(plain.length * 1.6) + OVERHEAD_BYTES,
      });
      // Hono would read the body of an answer that takes the place of another.
      context.res = undefined;
      context.res = new Response(body, { status: isSame ? 304 : 200, headers });
    } finally {
      making.end();
    }
  };
}

/** Answers from what is kept; false when there is nothing, and the request was not touched. */
export function answerKept(
  kept: KeptAnswers<Prepared>,
  { log, metrics }: Pick<Services, 'log' | 'metrics'>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const soon = atEndOfTurn();
  return (request, response) => {
    if (request.method !== 'GET' || !isForAnyone(request)) return false;
    const started = performance.now();
    const found = kept.find(keyOf(request));
    if (found === undefined) return false;
    soon(() => {
      const id = randomUUID();
      const status = send(found, id, request, response);
      const { route } = found;
      const ms = performance.now() - started;
      metrics.requests.inc({ method: 'GET', route, status });
      metrics.requestSeconds.observe({ method: 'GET', route }, ms / 1000);
      if (log.isLevelEnabled('info'))
        log.info({ request: id, method: 'GET', route, status, ms: Math.round(ms), kept: true }, 'request');
    });
    return true;
  };
}

function send(found: Prepared, id: string, request: IncomingMessage, response: ServerResponse): 200 | 304 {
  const headers = [...found.headers, 'etag', found.etag, 'x-request-id', id];
  if (matches(request.headers['if-none-match'], found.etag)) {
    response.writeHead(304, headers).end();
    return 304;
  }
  const encoding = acceptable(request.headers['accept-encoding']);
  const { sent } = found;
  const body = encoding === 'identity' ? sent.identity : (sent[encoding] ??= encode(sent.identity, encoding));
  headers.push('content-length', String(body.length));
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  response.writeHead(200, headers).end(body, 'latin1');
  return 200;
}

// Answers to all who asked in one turn of the event loop are sent one after the other. To write to a socket wakes who reads
// there, which is dearer than all else of such an answer; a proxy that is awake with the first is not woken for the others.
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

// Nobody who may be signed in, and nothing that would have to be read first.
function isForAnyone({ headers }: IncomingMessage): boolean {
  return (
    headers.cookie === undefined &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

// An answer that names the minute is another one in the next, and each is at midnight. Records that were changed behind
// the registry's back are noticed when they are read again.
function endOf(whole: Keepable['while'], at: Date, timeZone: string): number {
  const nextMinute = (Math.floor(at.getTime() / MINUTE_MS) + 1) * MINUTE_MS;
  const later = at.getTime() + LONG_MS;
  const isMinute = whole === 'this minute' || todayIn(timeZone, new Date(later)) !== todayIn(timeZone, at);
  return isMinute ? nextMinute : later;
}

// With the host: addresses on the page are the registry's own as asked for. Only hosts that are answered get this far.
const keyOf = ({ headers, url = '' }: IncomingMessage) => `${headers.host}${url}`;

const weakEtag = (body: Buffer) => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

// RFC 9110, 13.1.2: weak comparison.
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag));
}

const TAKES: Record<Encoding, RegExp> = {
  br: /(^|[,\s])br\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i,
  gzip: /(^|[,\s])gzip\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i,
};

// RFC 9110, 12.5.3. Who refuses brotli by name does not get it; nobody refuses the plain bytes.
function acceptable(accepted: string | undefined): Encoding | 'identity' {
  if (accepted === undefined) return 'identity';
  return TAKES.br.test(accepted) ? 'br' : TAKES.gzip.test(accepted) ? 'gzip' : 'identity';
}

const shortAsString = (bytes: Buffer) => (bytes.length <= SHORT_BYTES ? bytes.toString('latin1') : bytes);

// The same headers are kept once, in ten thousand answers of a route.
function shareHeaders(): (headers: readonly string[]) => readonly string[] {
  const shared = new Map<string, readonly string[]>();
  return (headers) => {
    const text = headers.join('\n');
    const known = shared.get(text);
    if (known !== undefined) return known;
    if (shared.size >= HEADERS_SHARED_MAX) shared.clear();
    shared.set(text, headers);
    return headers;
  };
}

// Once an answer, so a little dearer than what is made for one request.
function compress(plain: Buffer, encoding: Encoding): Buffer<ArrayBuffer> {
  return encoding === 'gzip'
    ? gzipSync(plain, { level: 6 })
    : brotliCompressSync(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
      });
}

const encode = (body: Buffer | string, encoding: Encoding) =>
  shortAsString(compress(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, encoding));
