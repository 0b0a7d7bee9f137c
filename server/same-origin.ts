// Against cross-site request forgery: a request that could change something must come from one of our own pages.
// Browsers send Origin or Sec-Fetch-Site, and no script can forge either. SameSite cookies alone are not enough: a
// sibling subdomain counts as the same site.
import type { MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';

// One-click unsubscribe of a mail program (RFC 8058) comes from no page. The token in the link authorises it, no cookie
// does.
const BY_LINK = /^\/(?:follow\/(?:leave|mine)\/[\w-]+|(?:following|lists)\/[\w-]+\/end)$/;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function sameOrigin({ publicUrl }: Config): MiddlewareHandler {
  return async (context, next) => {
    const { method, url } = context.req;
    if (SAFE.has(method) || context.req.path.startsWith('/api/') || BY_LINK.test(context.req.path)) return next();
    const origin = context.req.header('origin');
    const own = publicUrl?.origin ?? new URL(url).origin;
    const isOwn = origin === undefined ? context.req.header('sec-fetch-site') === 'same-origin' : origin === own;
    if (!isOwn)
      return problem(403, 'foreign-origin', {
        detail: 'This form was sent from another website. Open the registry and send it there.',
      });
    return next();
  };
}
