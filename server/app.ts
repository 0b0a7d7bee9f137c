// Every step, middleware and mount, in the order a request meets them.
//
// A page's loader takes the process's services by `context.get(servicesContext)`, calls one function of its domain and
// returns the page's data, already in words. `app/entry.server.tsx` renders the whole page and puts the hash of each
// inline script into the Content-Security-Policy.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { firstThing } from '#app/access/guard.server.ts';
import { may } from '#app/access/permissions.ts';
import { readSession } from '#app/access/session.server.ts';
import { filesApp } from '#app/files/api.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logApp } from '#app/transparency-log/http.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';
import { LOG_PREFIX } from '#app/transparency-log/log-address.ts';
import { publicApi } from './api.ts';
import { bodySizes } from './body-size.ts';
import { clientAddress } from './client-of.ts';
import { fewDearAnswers } from './dear-answers.ts';
import { healthApp } from './health.ts';
import { limits } from './limits.ts';
import { liveApp } from './live.ts';
import { metricsApp } from './metrics.ts';
import { observeRequests } from './observe-requests.ts';
import { pages } from './pages.ts';
import { publicHost } from './public-host.ts';
import { readPast } from './read-past.ts';
import { catchUpAfterWrite, openPublicCache, responseCache, type PublicCache } from './response-cache.ts';
import { sameOrigin } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { securityTxtApp } from './security-txt.ts';
import type { ServerEnv } from './server-env.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

/** The listener of the built server. `assets`: the files of the browser build. */
export const createListener = (services: Services, assets: Hono): RequestListener =>
  getRequestListener(createApp(services, { assets, cache: openPublicCache(services) }).fetch, {
    hostname: services.config.host,
  });

/** In development there are neither `assets` nor a cache. */
export function createApp(
  services: Services,
  { assets, cache }: { assets?: Hono; cache?: PublicCache } = {},
): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(readPast());
  app.use(observeRequests(services));
  app.use(clientAddress(services.config));
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
  app.use(bodySizes(services));
  app.use(compress());
  if (assets !== undefined) app.route('/', assets);
  if (cache !== undefined) {
    app.use(catchUpAfterWrite(cache, services));
    app.use(responseCache(cache, services));
  }
  app.use(fewDearAnswers());
  const { lost } = services;
  // Else each truck would be 'not in this registry'. The pages' guard does the same.
  if (lost !== undefined)
    for (const path of ['/files/*', '/live', '/api/v1/*'])
      app.all(path, () =>
        problem(503, 'cannot-tell', { detail: 'The registry cannot reach its records, and can tell nothing.' }),
      );
  app.route('/files', filesApp(services, mayReadRemoved(services)));
  app.route('/live', liveApp(services));
  app.all('/api/v1/*', publicApi(services));
  app.route(LOG_PREFIX, logApp(services));
  // The public keys (RFC 7517) for verifying the tokens that are sent to AUTH_TOKEN_SYNC_URL.
  app.get('/.well-known/jwks.json', async (context) =>
    context.json(await services.auth.api.getJwks(), 200, { 'cache-control': 'public, max-age=300' }),
  );
  app.route('/.well-known/security.txt', securityTxtApp(services.config));
  app.all('*', pages(services));
  app.onError((error, context) => {
    const request = context.get('requestId');
    const { incoming } = context.env;
    // The client broke its request off: nothing is wrong, and nobody reads the answer.
    if (incoming?.destroyed === true && !incoming.complete)
      return problem(400, 'broke-off', {
        detail: 'The request did not arrive whole. Send it again.',
        more: { request },
      });
    services.log.error({ err: error, request }, 'request failed');
    return isUnavailable(error)
      ? problem(503, 'registry-unavailable', {
          detail: 'The registry cannot answer right now. Try again in a moment.',
          more: {
            request,
          },
        })
      : problem(500, 'unexpected', {
          detail: 'Something went wrong. Give the request id when you report it.',
          more: { request },
        });
  });
  return app;
}

const mayReadRemoved = (services: Services) => async (headers: Headers) => {
  const { signedIn } = await readSession(services, headers, 'look');
  const isReady = signedIn !== null && firstThing(services.config, signedIn) === undefined;
  return isReady && may(signedIn.role, 'read removed vehicles');
};
