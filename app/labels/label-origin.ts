import type { Config } from '#app/platform/process/config.server.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address on a label, which a phone at the roadside must reach. Undefined if there is none. The demo's labels are
 * samples: they lead to the demo on its own machine.
 */
export function labelOrigin({
  publicUrl,
  port,
  isDemo,
}: Pick<Config, 'publicUrl' | 'port' | 'isDemo'>): string | undefined {
  if (isDemo) return publicUrl?.origin ?? `http://127.0.0.1:${port}`;
  return publicUrl === undefined || LOOPBACK.test(publicUrl.hostname) ? undefined : publicUrl.origin;
}
