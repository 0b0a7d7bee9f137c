// What no request may exceed before anything is parsed.
import type { MiddlewareHandler } from 'hono';
import { problem } from '#app/platform/problem-details.server.ts';

const URL_MAX_LENGTH = 2000;

export function limits(): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.url.length > URL_MAX_LENGTH)
      return problem(414, 'address-too-long', `An address has at most ${URL_MAX_LENGTH} characters.`);
    // A path that does not decode is no page; the router would answer it with a stack trace in its log.
    try {
      decodeURIComponent(new URL(context.req.url).pathname);
    } catch {
      return problem(400, 'bad-address', 'The address is not well formed.');
    }
    return next();
  };
}
