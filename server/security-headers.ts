// The security headers of every answer. Pages bring their own Content-Security-Policy with the hashes of their scripts
// (app/entry.server.tsx); everything else gets one that allows nothing.
import type { MiddlewareHandler } from 'hono';
import type { Config } from '#app/platform/process/config.server.ts';

const ALWAYS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const ONE_YEAR_SECONDS = 31_536_000;

/** Sets each security header that the answer does not have yet. */
export function securityHeaders({ publicUrl }: Config): MiddlewareHandler {
  const isHttps = publicUrl?.protocol === 'https:';
  const all = Object.entries(
    isHttps ? { ...ALWAYS, 'strict-transport-security': `max-age=${2 * ONE_YEAR_SECONDS}; includeSubDomains` } : ALWAYS,
  );
  return async (context, next) => {
    await next();
    for (const [name, value] of all) if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  };
}
