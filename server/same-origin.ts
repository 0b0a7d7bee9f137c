// Nothing is changed on another site's behalf: a request that could change something must come from a page of ours.
// Browsers say so themselves, in Origin or Sec-Fetch-Site, and no script can forge either. Beside SameSite cookies,
// which a sibling subdomain passes.
import type { MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';

// A mail program's one click (RFC 8058) has no page: what it may do is in its link, and no cookie adds to it.
const BY_LINK = /^\/follow\/leave\/[\w-]+$/;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function sameOrigin({ publicUrl }: Config): MiddlewareHandler {
  return async (context, next) => {
    const { method, url } = context.req;
    if (SAFE.has(method) || context.req.path.startsWith('/api/') || BY_LINK.test(context.req.path)) return next();
    const origin = context.req.header('origin');
    const own = publicUrl?.origin ?? new URL(url).origin;
    const isOwn = origin === undefined ? context.req.header('sec-fetch-site') === 'same-origin' : origin === own;
    if (!isOwn)
      return problem(
        403,
        'foreign-origin',
        'This form was sent from another website. Open the registry and send it there.',
      );
    return next();
  };
}
