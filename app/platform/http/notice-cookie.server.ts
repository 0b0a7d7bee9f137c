// The name of a message for the next page, carried by a cookie that the next page takes away.
import type { Config } from '#app/platform/process/config.server.ts';
import { dropNoticeLine, noticeAttributes, noticeCookie } from './notice-cookie.ts';

const LIFE_SECONDS = 60;
const VALUE = /^([a-z-]+)\.([a-z0-9]+)$/;

type Address = Pick<Config, 'publicUrl'>;
const isHttps = ({ publicUrl }: Address) => publicUrl?.protocol === 'https:';

/** The Set-Cookie line that carries `name` (lower case with hyphens) and tells this time from the last. */
export function carryNotice(name: string): string {
  return `${noticeCookie(false)}=${name}.${Date.now().toString(36)}; Max-Age=${LIFE_SECONDS}; ${noticeAttributes(false)}`;
}

/** Gives the cookie of an answer the name and attributes that it has at the registry's address. */
export function bindNotice(headers: Headers, config: Address): void {
  const plain = `${noticeCookie(false)}=`;
  const lines = headers.getSetCookie();
  if (!isHttps(config) || !lines.some((line) => line.startsWith(plain))) return;
  headers.delete('set-cookie');
  for (const line of lines)
    headers.append(
      'set-cookie',
      line.startsWith(plain) ? `${noticeCookie(true)}=${line.slice(plain.length)}; Secure` : line,
    );
}

/** The carried name and its key, if any. */
export function readNotice(headers: Headers, config: Address): { name: string; key: string } | undefined {
  const cookie = `${noticeCookie(isHttps(config))}=`;
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(cookie))?.slice(cookie.length);
  const [, name, key] = VALUE.exec(value ?? '') ?? [];
  return name === undefined || key === undefined ? undefined : { name, key };
}

/**
 * The headers that take away what was carried. Not from a page that asks by script: it drops an answer when a live update
 * asks for a newer one, and takes the cookie away itself when it shows the message.
 */
export const dropNotice = (headers: Headers): Record<string, string> =>
  headers.get('sec-fetch-dest') === 'empty' ? {} : { 'set-cookie': dropNoticeLine(false) };
