import type { Config } from '#app/platform/process/config.server.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address that a label may carry: a phone at the roadside must reach it. Undefined: there is none. The labels of the
 * demo show what labels look like, and lead to the demo on its own machine.
 */
export function labelOrigin({
  publicUrl,
  port,
  isDemo,
}: Pick<Config, 'publicUrl' | 'port' | 'isDemo'>): string | undefined {
  if (isDemo) return publicUrl?.origin ?? `http://127.0.0.1:${port}`;
  return publicUrl === undefined || LOOPBACK.test(publicUrl.hostname) ? undefined : publicUrl.origin;
}
