// Counts each request by its route's pattern, never by its path: whoever asks for a thousand addresses that are not
// there makes no new series.
import type { MiddlewareHandler } from 'hono';
import type { Services } from '#app/platform/services/services.server.ts';
import { methodOf, routeOf, type ServerEnv } from './request-log.ts';

export function measureRequests({ metrics }: Services): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const started = performance.now();
    await next();
    const [method, route] = [methodOf(context), routeOf(context)];
    metrics.requests.inc({ method, route, status: context.res.status });
    metrics.requestSeconds.observe({ method, route }, (performance.now() - started) / 1000);
  };
}
