// One public address: a request for another host is redirected to PUBLIC_URL. Without PUBLIC_URL only loopback names
// are answered, so a foreign name that points here (DNS rebinding) reaches nothing.
import type { Context, MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { ServerEnv } from './server-env.ts';

/** Names that always mean this machine. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export function publicHost({ publicUrl, host }: Config): MiddlewareHandler<ServerEnv> {
  // Bound to another address than loopback without a PUBLIC_URL: the operator reaches it by that address.
  const anyName = publicUrl === undefined && !LOOPBACK.test(host);
  return async (context, next) => {
    const asked = hostOf(context);
    if (publicUrl !== undefined && asked !== publicUrl.host) {
      const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
      return context.redirect(atPublicUrl(publicUrl, context.req.url).href, isRead ? 301 : 308);
    }
    if (publicUrl === undefined && !anyName && !LOOPBACK.test(asked))
      return problem(421, 'wrong-host', {
        detail: 'This registry has another address. If you run it, set PUBLIC_URL.',
      });
    return next();
  };
}

// `GET http://name/path HTTP/1.1` asks for that name, whatever Host says (RFC 9112, 3.2.2).
function hostOf({ env, req }: Context<ServerEnv>): string {
  const isAbsolute = !(env.incoming?.url ?? '/').startsWith('/');
  return isAbsolute ? new URL(req.url).host : (req.header('host') ?? '');
}

/**
 * The same path and query at PUBLIC_URL. The parts are set one by one: resolving a path that begins with // changes the
 * host.
 */
export function atPublicUrl(publicUrl: URL, asked: string): URL {
  const { pathname, search } = new URL(asked);
  const target = new URL(publicUrl);
  target.pathname = pathname;
  target.search = search;
  return target;
}
