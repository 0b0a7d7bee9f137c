// The name of a message for the next page, carried by a cookie that the next page takes away.
import { DROP_NOTICE, NOTICE_COOKIE } from './notice-cookie.ts';

const LIFE_SECONDS = 60;
const CARRIED = new RegExp(`(?:^|;\\s*)${NOTICE_COOKIE}=([a-z-]+)\\.([a-z0-9]+)`);

/** The Set-Cookie line that carries `name` (lower case with hyphens) and tells this time from the last. */
export function carryNotice(name: string): string {
  return `${NOTICE_COOKIE}=${name}.${Date.now().toString(36)}; Path=/; Max-Age=${LIFE_SECONDS}; SameSite=Lax`;
}

/** The carried name and its key, if any. */
export function readNotice(headers: Headers): { name: string; key: string } | undefined {
  const [, name, key] = CARRIED.exec(headers.get('cookie') ?? '') ?? [];
  return name === undefined || key === undefined ? undefined : { name, key };
}

/**
 * The headers that take away what was carried. Not from a page that asks by script: it drops an answer when a live update
 * asks for a newer one, and takes the cookie away itself when it shows the message.
 */
export const dropNotice = (headers: Headers): Record<string, string> =>
  headers.get('sec-fetch-dest') === 'empty' ? {} : { 'set-cookie': DROP_NOTICE };
