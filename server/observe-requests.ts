// Gives each request its id, its log line and its counts. The log and
// the metrics name the route's pattern, never the path, which may hold a token, a setup link or an email address. So a
// log line holds no personal data (no query, network address or user agent), and unknown addresses make no new series.
import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Services } from '#app/platform/services/services.server.ts';
import type { ServerEnv } from './server-env.ts';

export const ID_HEADER = 'x-request-id';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Answered before any route: refused, redirected, or a file of the browser build. */
const OTHER = '(other)';

/** Sends the request's id in X-Request-Id. The log's `cached`: from the response cache. */
export function observeRequests({ log, metrics }: Pick<Services, 'log' | 'metrics'>): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const started = performance.now();
    const id = randomUUID();
    context.set('requestId', id);
    await next();
    context.res.headers.set(ID_HEADER, id);
    const ms = performance.now() - started;
    const [method, route, { status }] = [methodOf(context), routeOf(context), context.res];
    metrics.requests.inc({ method, route, status });
    metrics.requestSeconds.observe({ method, route }, ms / 1000);
    const level = status >= 500 ? 'error' : 'info';
    if (!log.isLevelEnabled(level)) return;
    const cached = context.get('isCached') === true ? { cached: true } : {};
    log[level]({ request: id, method, route, status, ms: Math.round(ms), ...cached }, 'request');
  };
}

const methodOf = ({ req }: Context): string => (METHODS.has(req.method) ? req.method : OTHER);

// After `next`, Hono's own pattern is that of the handler that answered.
function routeOf(context: Context<ServerEnv>): string {
  const pattern = context.get('routePattern') ?? routePath(context);
  return /^\/?\*$/.test(pattern) ? OTHER : pattern;
}
