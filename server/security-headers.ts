// The headers every answer carries. Pages bring their own Content-Security-Policy with the hashes of their scripts
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

/** Sets each header that the answer has not set itself. */
export function securityHeaders(config: Config): MiddlewareHandler {
  const headers = alwaysHeaders(config);
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  };
}

/** What `securityHeaders` sets, by name in lower case. */
export function alwaysHeaders({ publicUrl }: Config): Readonly<Record<string, string>> {
  if (publicUrl?.protocol !== 'https:') return ALWAYS;
  return { ...ALWAYS, 'strict-transport-security': `max-age=${2 * ONE_YEAR_SECONDS}; includeSubDomains` };
}
