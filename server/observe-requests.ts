// Gives each request its id, its log line and its counts, whether the response cache or a route answers. The log and
// the metrics name the route's pattern, never the path, which may hold a token, a setup link or an email address. So a
// log line holds no personal data (no query, network address or user agent), and unknown addresses make no new series.
import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Services } from '#app/platform/services/services.server.ts';
import type { ServerEnv } from './server-env.ts';

/** How a request was answered. `kept`: from the response cache; the log has the field under this name. */
type Outcome = { method: string; route: string; status: number; kept?: true };
export type Observed = { id: string; finish: (outcome: Outcome) => void };
export type Observe = () => Observed;

export const ID_HEADER = 'x-request-id';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Answered before any route: refused, redirected, or a file of the browser build. */
const OTHER = '(other)';

export function observeRequests({ log, metrics }: Pick<Services, 'log' | 'metrics'>): Observe {
  return () => {
    const started = performance.now();
    const id = randomUUID();
    return {
      id,
      finish({ method, route, status, ...more }) {
        const ms = performance.now() - started;
        metrics.requests.inc({ method, route, status });
        metrics.requestSeconds.observe({ method, route }, ms / 1000);
        const level = status >= 500 ? 'error' : 'info';
        if (log.isLevelEnabled(level))
          log[level]({ request: id, method, route, status, ms: Math.round(ms), ...more }, 'request');
      },
    };
  };
}

/** Observes the requests that reach Hono, and sends the id in X-Request-Id. */
export function observed(observe: Observe): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const { id, finish } = observe();
    context.set('requestId', id);
    await next();
    context.res.headers.set(ID_HEADER, id);
    finish({ method: methodOf(context), route: routeOf(context), status: context.res.status });
  };
}

const methodOf = ({ req }: Context): string => (METHODS.has(req.method) ? req.method : OTHER);

// After `next`, Hono's own pattern is that of the handler that answered.
function routeOf(context: Context<ServerEnv>): string {
  const pattern = context.get('routePattern') ?? routePath(context);
  return /^\/?\*$/.test(pattern) ? OTHER : pattern;
}
