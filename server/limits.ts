// What no request may exceed, and what no address may hold, before anything is parsed or led elsewhere.
import type { MiddlewareHandler } from 'hono';
import { problem } from '#app/platform/http/problem-details.server.ts';

const URL_MAX_LENGTH = 2000;

export function limits(): MiddlewareHandler {
  return async (context, next) => {
    const { url } = context.req;
    if (url.length > URL_MAX_LENGTH)
      return problem(
        414,
        'address-too-long',
        `The address is too long. At most ${URL_MAX_LENGTH} characters are allowed.`,
      );
    if (!isWellFormed(url)) return problem(400, 'bad-address', 'This is not a valid address.');
    return next();
  };
}

function isWellFormed(url: string): boolean {
  // PostgreSQL has no text with NUL in it.
  if (url.includes('%00')) return false;
  // A path that does not decode is no page; the router would answer it with a stack trace in its log.
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    // A browser, or whoever resolves it, would take what follows for a host.
    return !path.startsWith('//') && !path.startsWith('/\\');
  } catch {
    return false;
  }
}
