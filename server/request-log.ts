// A request's id and its line in the log. No query, no address, no agent: a log line is not about a person.
import { randomUUID } from 'node:crypto';
import type { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { Services } from '#app/platform/services.server.ts';
import type { Keepable } from './kept-public.ts';

/** What our middleware hands on. `clientAddress` is the socket's, or the trusted proxy's word. */
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
    const forwarded = config.trustProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
    context.set('clientAddress', forwarded ?? connInfo(context).remote.address ?? '');
    await next();
    context.res.headers.set('x-request-id', id);
    const ms = Math.round(performance.now() - started);
    const level = context.res.status >= 500 ? 'error' : 'info';
    log[level](
      { request: id, method: context.req.method, path: context.req.path, status: context.res.status, ms },
      'request',
    );
  };
}
