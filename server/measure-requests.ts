// Counts each request by its route's pattern, never by its path: whoever asks for a thousand addresses that are not
// there makes no new series.
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Services } from '#app/platform/services.server.ts';
import type { ServerEnv } from './request-log.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Answered before any route: refused, redirected, or a file of the browser build. */
const OTHER = '(other)';

export function measureRequests({ metrics }: Services): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const started = performance.now();
    await next();
    const method = METHODS.has(context.req.method) ? context.req.method : '(other)';
    // After `next`, Hono's own pattern is that of the handler that answered.
    const pattern = context.get('routePattern') ?? routePath(context);
    const route = /^\/?\*$/.test(pattern) ? OTHER : pattern;
    metrics.requests.inc({ method, route, status: context.res.status });
    metrics.requestSeconds.observe({ method, route }, (performance.now() - started) / 1000);
  };
}
