// One public address: a request for another host is sent to PUBLIC_URL. Without PUBLIC_URL only loopback names are
// answered, so a foreign name that points here (DNS rebinding) reaches nothing.
import type { MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/config.server.ts';
import { problem } from '#app/platform/problem-details.server.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export function publicHost({ publicUrl, host }: Config): MiddlewareHandler {
  // Bound to another address than loopback without a PUBLIC_URL: the operator reaches it by that address.
  const anyName = publicUrl === undefined && !LOOPBACK.test(host);
  return async (context, next) => {
    const asked = context.req.header('host') ?? '';
    if (publicUrl !== undefined && asked !== publicUrl.host) {
      const target = new URL(context.req.url);
      return context.redirect(
        new URL(`${target.pathname}${target.search}`, publicUrl.origin).href,
        context.req.method === 'GET' || context.req.method === 'HEAD' ? 301 : 308,
      );
    }
    if (publicUrl === undefined && !anyName && !LOOPBACK.test(asked))
      return problem(421, 'wrong-host', 'This registry is not known under that name. Set PUBLIC_URL.');
    return next();
  };
}
