// Every middleware and mount, in the order a request meets them.
//
// A page's loader takes the process's services by `context.get(services)`, calls one function of its domain and returns what
// the page shows, already in words. `app/entry.server.tsx` renders it whole and puts the hash of each inline script into the
// policy. The bytes go beside the answer (`renderedPage`) to `server/pages.ts`: as the body of a Response they would become a
// stream at each step.
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { firstThing } from '#app/access/guard.server.ts';
import { may } from '#app/access/permissions.ts';
import { readSession } from '#app/access/session.server.ts';
import { filesApp } from '#app/files/api.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { KeptAnswers } from '#app/platform/live/kept-answers.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logApp } from '#app/transparency-log/http.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import { publicApi } from './api.ts';
import { bodySize } from './body-size.ts';
import { requestLog, type ServerEnv } from './request-log.ts';
import { healthApp } from './health.ts';
import { keepPublic, type Prepared } from './kept-public.ts';
import { limits } from './limits.ts';
import { liveApp } from './live.ts';
import { measureRequests } from './measure-requests.ts';
import { metricsApp } from './metrics.ts';
import { pages } from './pages.ts';
import { publicHost } from './public-host.ts';
import { readPast } from './read-past.ts';
import { sameOrigin } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { securityTxtApp } from './security-txt.ts';
import { signingKeysApp } from './signing-keys.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };
const BODY_MAX_BYTES = 1024 * 1024;
// Forms with files, each behind the guard, which answers before a byte of the body is read.
const WITH_FILES = /^\/(uploads|(profile|vehicles)\/(new|update)(\/[^/]*)?)(\.data)?$/;
const WITH_FILES_MAX_BYTES = 110 * 1024 * 1024;

/** What only the built app has: the browser build's files, and public answers that are kept. */
export type AppParts = { assets?: Hono; kept?: KeptAnswers<Prepared> };

/** The whole HTTP side over `services`. */
export function createApp(services: Services, { assets, kept }: AppParts = {}): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(readPast());
  app.use(requestLog(services, getConnInfo));
  app.use(measureRequests(services));
  app.use(securityHeaders(services.config));
  // A 503 or 429 always carries Retry-After.
  app.use(async (context, next) => {
    await next();
    const seconds = RETRY_AFTER_SECONDS[context.res.status];
    if (seconds !== undefined && !context.res.headers.has('retry-after')) context.header('retry-after', seconds);
  });
  app.route('/', healthApp(services));
  app.route('/', metricsApp(services));
  app.use(limits());
  app.use(publicHost(services.config));
  app.use(sameOrigin(services.config));
  const small = bodySize(BODY_MAX_BYTES, () => tooLarge('1 MB'));
  const withFiles = bodySize(WITH_FILES_MAX_BYTES, () => tooLarge('110 MB'));
  app.use((context, next) => {
    if (!WITH_FILES.test(context.req.path)) return small(context, next);
    // Without its length the limit would have to hold the whole body, before the guard has seen who sends it.
    if (context.req.header('transfer-encoding') === undefined) return withFiles(context, next);
    return Promise.resolve(problem(411, 'length-required', 'The request needs a Content-Length header.'));
  });
  app.use(compress());
  if (assets !== undefined) app.route('/', assets);
  if (kept !== undefined) app.use(keepPublic(kept, services));
  app.route('/files', filesApp(services, mayRestore(services)));
  app.route('/live', liveApp(services));
  app.all('/api/v1/*', publicApi(services));
  app.route(LOG_PREFIX, logApp(services));
  app.route('/.well-known/jwks.json', signingKeysApp(services));
  app.route('/.well-known/security.txt', securityTxtApp(services.config));
  app.all('*', pages(services));
  app.onError((error, context) => {
    services.log.error({ err: error, request: context.get('requestId') }, 'request failed');
    if (isUnavailable(error))
      return problem(503, 'registry-unavailable', 'The registry cannot answer right now. Try again in a moment.', {
        request: context.get('requestId'),
      });
    return problem(500, 'unexpected', 'Something went wrong. Give the request id when you report it.', {
      request: context.get('requestId'),
    });
  });
  return app;
}

const tooLarge = (limit: string) =>
  problem(413, 'body-too-large', `The request is too large. At most ${limit} is allowed.`);

const mayRestore = (services: Services) => async (headers: Headers) => {
  const { signedIn } = await readSession(services, headers, { isUse: false });
  const isReady = signedIn !== null && firstThing(services.config, signedIn) === undefined;
  return isReady && may(signedIn.role, 'remove vehicles');
};
