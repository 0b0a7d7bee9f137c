// A request's id and its line in the log. The route's pattern and not the path, which may hold a token, a setup link or an
// email address; no query, no network address, no agent: a log line is not about a person.
import { randomUUID } from 'node:crypto';
import type { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Services } from '#app/platform/services/services.server.ts';
import { clientOf } from './client-of.ts';
import type { Keepable } from './kept-public.ts';

/** What our middleware hands on. `clientAddress`: as `clientOf` has it. */
export type ServerEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    clientAddress: string;
    routePattern: string | null;
    keep: Keepable | undefined;
  };
};

/** Gives the request an id, answers it in X-Request-Id, and logs the outcome. */
export function requestLog({ log, config }: Services, connInfo: typeof getConnInfo): MiddlewareHandler<ServerEnv> {
  return async (context, next) => {
    const started = performance.now();
    const id = randomUUID();
    context.set('requestId', id);
    const forwarded = config.trustProxy ? context.req.header('x-forwarded-for') : undefined;
    context.set('clientAddress', clientOf(connInfo(context).remote.address, forwarded));
    await next();
    context.res.headers.set('x-request-id', id);
    const ms = Math.round(performance.now() - started);
    const level = context.res.status >= 500 ? 'error' : 'info';
    log[level](
      { request: id, method: methodOf(context), route: routeOf(context), status: context.res.status, ms },
      'request',
    );
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Answered before any route: refused, redirected, or a file of the browser build. */
const OTHER = '(other)';

/** The request's method, of those there are. */
export const methodOf = ({ req }: Context): string => (METHODS.has(req.method) ? req.method : OTHER);

/** The pattern of the route that answered, once it has. */
export function routeOf(context: Context<ServerEnv>): string {
  // After `next`, Hono's own pattern is that of the handler that answered.
  const pattern = context.get('routePattern') ?? routePath(context);
  return /^\/?\*$/.test(pattern) ? OTHER : pattern;
}
