// The public JSON API, version 1: read only, without a key, from any origin.
import { OpenAPIHono } from '@hono/zod-openapi';
import { cors } from 'hono/cors';
import { Hono, type Handler } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { calibrationRoutes } from '#app/calibrations/api.server.ts';
import { EVIDENCE_SHAPE, readEvidence } from '#app/calibrations/evidence-api.server.ts';
import { setRoutes } from '#app/calibrations/sets-api.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { policyRoutes } from '#app/policy/api.server.ts';
import { referenceRoutes } from '#app/references/api.server.ts';
import { logRoutes } from '#app/transparency-log/api.server.ts';
import { vehicleRoutes } from '#app/vehicles/api.server.ts';
import type { ServerEnv } from './server-env.ts';

const PREFIX = '/api/v1';
const ALSO_OF_304 = [...RETAINED_304_HEADERS, 'access-control-allow-origin', 'access-control-expose-headers', 'vary'];
// One vehicle, or its history: cached. Other spellings of the rego are answered, but not cached; nor is a query, which
// these addresses do not read, so that nobody fills the cache with copies of one answer.
const OF_VEHICLE = /^\/api\/v1\/vehicles\/([A-Z0-9]{1,20})(\/calibrations|\/sets)?$/;

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
    const [, rego, part] = OF_VEHICLE.exec(context.req.path) ?? [];
    if (rego !== undefined && !context.req.url.includes('?'))
      context.set('cacheable', {
        tags: topicsOfVehiclePage(rego),
        whole: 'today',
        route: `${PREFIX}/vehicles/:rego${part ?? ''}`,
      });
    return services.reads.answer(false, async (db) => apiOver(db).fetch(context.req.raw, context.env));
  };
}

export function apiApp(services: Services): OpenAPIHono {
  const app = new OpenAPIHono();
  app.use(cors({ origin: '*', allowMethods: ['GET', 'HEAD'], exposeHeaders: ['ETag', 'X-Request-Id'] }));
  app.use(etag({ weak: true, retainedHeaders: ALSO_OF_304 }));
  app.use(async (context, next) => {
    await next();
    context.res.headers.set('cross-origin-resource-policy', 'cross-origin');
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-cache');
  });
  vehicleRoutes(app, services, { shape: EVIDENCE_SHAPE, read: readEvidence });
  calibrationRoutes(app, services);
  setRoutes(app, services);
  policyRoutes(app, services);
  referenceRoutes(app, services);
  logRoutes(app, services);
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
      ? problem(404, 'no-such-address', 'There is nothing at this address. See /api/v1/openapi.json for all addresses.')
      : problem(405, 'read-only', 'This API is read only.'),
  );
  return app;
}
