import type { Config } from '#app/platform/config.server.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address that a label may carry: a phone at the roadside must reach it. Undefined: there is none. */
export function labelOrigin({ publicUrl }: Pick<Config, 'publicUrl'>): string | undefined {
  return publicUrl === undefined || LOOPBACK.test(publicUrl.hostname) ? undefined : publicUrl.origin;
}
