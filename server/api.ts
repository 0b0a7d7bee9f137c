// The public API, version 1: it changes nothing, needs no key, and answers any origin.
import { OpenAPIHono } from '@hono/zod-openapi';
import { Hono, type Handler, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { calibrationRoutes } from '#app/readings/api.server.ts';
import { EVIDENCE } from '#app/visits/evidence-api.server.ts';
import { setRoutes } from '#app/visits/sets-api.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { bytesOf } from '#app/platform/http/json-answer.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyRoutes } from '#app/policy/api.server.ts';
import { referenceRoutes } from '#app/references/api.server.ts';
import { logRoutes } from '#app/transparency-log/api.server.ts';
import { vehicleRoutes } from '#app/vehicles/api.server.ts';
import { vehicleProofRoutes } from '#app/vehicles/proof-api.server.ts';
import { pastRoutes } from '#app/vehicle-page/past-api.server.ts';
import { answerCheck, checkRoute } from '#app/check-list/api.server.ts';
import { combinationRoutes } from '#app/combination/api.server.ts';
import { OF_VEHICLE } from './address-read.ts';
import { matchesEtag, weakEtag } from './cached-response.ts';
import { LIST_CHECK } from './limits.ts';
import type { ServerEnv } from './server-env.ts';

const PREFIX = '/api/v1';
const FOR_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag,Link,X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The API under its prefix. It reads from a replica where `services.reads` allows it. */
export function publicApi(services: Services): Handler<ServerEnv> {
  const over = new Map<Db, Hono>();
  const apiOver = (db: Db) => {
    const made = over.get(db) ?? new Hono().route(PREFIX, apiApp({ ...services, db }));
    // The server's own error handler answers errors.
    made.onError((error) => {
      throw error;
    });
    over.set(db, made);
    return made;
  };
  return async (context) => {
    if (context.req.method === 'POST' && context.req.path === LIST_CHECK) {
      const answer = await answerCheck(services, context.req.raw, context.get('clientAddress'));
      for (const [name, value] of Object.entries(FOR_ALL)) answer.headers.set(name, value);
      return answer;
    }
    const [, rego, part] = OF_VEHICLE.exec(context.req.path) ?? [];
    if (rego !== undefined)
      context.set('cacheable', {
        tags: topicsOfVehiclePage(rego),
        whole: 'today',
        route: `${PREFIX}/vehicles/:rego${part ?? ''}`,
      });
    return services.reads.answer('notified', async (db) => apiOver(db).fetch(context.req.raw, context.env));
  };
}

export function apiApp(services: Services): OpenAPIHono {
  const app = new OpenAPIHono();
  app.options(checkRoute.path, cors({ origin: '*', allowMethods: ['POST'] }));
  app.options('*', cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
  app.use(complete);
  vehicleRoutes(app, services, EVIDENCE);
  vehicleProofRoutes(app, services);
  pastRoutes(app, services);
  calibrationRoutes(app, services);
  setRoutes(app, services);
  combinationRoutes(app, services);
  policyRoutes(app, services);
  referenceRoutes(app, services);
  logRoutes(app, services);
  app.openAPIRegistry.registerPath(checkRoute);
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: `${services.config.registryName}: public API`,
      version: '1',
      description:
        'On-board truck-scale calibrations as recorded in this registry. Free and read only; no key needed. Errors are problem details (RFC 9457) with a `code` that does not change.',
    },
    servers: [{ url: PREFIX }],
  });
  app.all('*', (context) =>
    context.req.method === 'GET' || context.req.method === 'HEAD'
      ? problem(404, 'no-such-address', {
          detail: 'There is nothing at this address. See /api/v1/openapi.json for all addresses.',
        })
      : problem(405, 'read-only', { detail: 'This API is read only.' }),
  );
  return app;
}

// Gives an answer its headers and its ETag, or makes it a 304. In one step after the route: a Response that nobody
// asked for its stream is sent as the bytes that it is, and a hash of 3 kB takes 3 µs here, where WebCrypto takes a
// thread.
const complete: MiddlewareHandler = async (context, next) => {
  await next();
  const { status, headers } = context.res;
  for (const [name, value] of Object.entries(FOR_ALL)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  if (status !== 200) return;
  const body = await bytesOf(context.res);
  const etag = weakEtag(body);
  headers.set('etag', etag);
  context.res = undefined;
  if (matchesEtag(context.req.header('if-none-match'), etag)) {
    headers.delete('content-type');
    context.res = new Response(null, { status: 304, headers });
    return;
  }
  headers.set('content-length', String(body.length));
  context.res = new Response(body, { headers });
};
