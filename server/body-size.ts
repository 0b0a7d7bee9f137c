// How large the body of a request may be.
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Answers `tooLarge` to a body of more than `maxSize` bytes. Node reads no more of one than its Content-Length. Only where
 * that is missing Hono counts: for any other request it would make streams of a body that is short, or not there.
 */
export function bodySize(maxSize: number, tooLarge: () => Response): MiddlewareHandler {
  const counted = bodyLimit({ maxSize, onError: tooLarge });
  return (context, next) => {
    const { method } = context.req;
    const length = context.req.header('content-length');
    const isCounted = context.req.header('transfer-encoding') !== undefined || length === undefined;
    if (isCounted && method !== 'GET' && method !== 'HEAD') return counted(context, next);
    return Number(length ?? 0) > maxSize ? Promise.resolve(tooLarge()) : next();
  };
}
