// Refuses addresses that are too long or malformed, before anything parses or redirects them.
import type { MiddlewareHandler } from 'hono';
import { decodeEscapes } from '#app/platform/http/decode-escapes.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';

export const URL_MAX_LENGTH = 2000;
/** A list of trucks. Not among the API's other routes: its answer is a stream, and its limit counts the client. */
export const LIST_CHECK = '/api/v1/check';

export function limits(): MiddlewareHandler {
  return async (context, next) => {
    const { url } = context.req;
    if (url.length > URL_MAX_LENGTH)
      return problem(414, 'address-too-long', {
        detail: `The address is too long. At most ${URL_MAX_LENGTH} characters are allowed.`,
      });
    if (!isWellFormed(url)) return problem(400, 'bad-address', { detail: 'This is not a valid address.' });
    return next();
  };
}

function isWellFormed(url: string): boolean {
  // PostgreSQL cannot store NUL in text.
  if (url.includes('%00')) return false;
  // A path that cannot be decoded makes the router log a stack trace. A browser would resolve the rest of one that
  // begins with two slashes as a host: an open redirect.
  const path = decodeEscapes(URL.parse(url)?.pathname ?? '%');
  return path !== undefined && !path.startsWith('//') && !path.startsWith('/\\');
}
