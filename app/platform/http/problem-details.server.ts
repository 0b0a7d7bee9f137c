// Errors as problem details (RFC 9457): `type` is a stable code, `detail` a sentence for people.
import { STATUS_CODES } from 'node:http';

/** An application/problem+json response. `code` is lower case with hyphens. */
export function problem(
  status: number,
  code: string,
  { detail, more = {} }: { detail: string; more?: Record<string, unknown> },
): Response {
  const body = {
    type: `urn:truck-scale-registry:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail,
    ...more,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' },
  });
}
