// The name of a message for the next page, carried by a cookie that the next page takes away.
const COOKIE = 'registry-notice';
const LIFE_SECONDS = 60;

/** The Set-Cookie line that carries `name` (lower case with hyphens) and tells this time from the last. */
export function carryNotice(name: string): string {
  return `${COOKIE}=${name}.${Date.now().toString(36)}; Path=/; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax`;
}

/** The carried name and its key, if any. */
export function readNotice(headers: Headers): { name: string; key: string } | undefined {
  const [, name, key] = /(?:^|;\s*)registry-notice=([a-z-]+)\.([a-z0-9]+)/.exec(headers.get('cookie') ?? '') ?? [];
  return name === undefined || key === undefined ? undefined : { name, key };
}

/** The Set-Cookie line that takes it away. */
export const DROP_NOTICE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;
