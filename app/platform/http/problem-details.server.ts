// Errors as problem details (RFC 9457): `type` is a stable code, `detail` a sentence for people.
import { STATUS_CODES } from 'node:http';

/** An application/problem+json response. `code` is lower case with hyphens. `retryAfter`: in so many seconds. */
export function problem(
  status: number,
  code: string,
  { detail, more = {}, retryAfter }: { detail: string; more?: Record<string, unknown>; retryAfter?: number },
): Response {
  const body = {
    type: `urn:truck-scale-registry:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail,
    ...more,
  };
  const headers = new Headers({
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  });
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
  return new Response(JSON.stringify(body), { status, headers });
}
