// Sets, reads and deletes the flash message: a cookie carries the name of a message to the next page, which shows it
// once.
import type { Config } from '#app/platform/process/config.server.ts';
import { dropFlashLine, flashAttributes, flashCookie } from './flash-cookie.ts';

const LIFE_SECONDS = 60;
const VALUE = /^([a-z-]+)\.([a-z0-9]+)(?:\.([0-9a-f-]{36}))?$/;

type Address = Pick<Config, 'publicUrl'>;
type Carried = { name: string; key: string; about: string | undefined };

/** The Set-Cookie line that carries `name`, a key that differs each time, and the id of what can be undone. */
export function carryFlash(name: string, about?: string): string {
  const value = [name, Date.now().toString(36), ...(about === undefined ? [] : [about])].join('.');
  return `${flashCookie('http:')}=${value}; Max-Age=${LIFE_SECONDS}; ${flashAttributes('http:')}`;
}

/** Over https, gives the flash cookie of an answer the `__Host-` name and the Secure attribute. */
export function bindFlash(headers: Headers, { publicUrl }: Address): void {
  const plain = `${flashCookie('http:')}=`;
  const lines = headers.getSetCookie();
  if (publicUrl?.protocol !== 'https:' || !lines.some((line) => line.startsWith(plain))) return;
  headers.delete('set-cookie');
  for (const line of lines)
    headers.append(
      'set-cookie',
      line.startsWith(plain) ? `${flashCookie('https:')}=${line.slice(plain.length)}; Secure` : line,
    );
}

export function readFlash(headers: Headers, { publicUrl }: Address): Carried | undefined {
  const cookie = `${flashCookie(publicUrl?.protocol)}=`;
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(cookie))?.slice(cookie.length);
  const [, name, key, about] = VALUE.exec(value ?? '') ?? [];
  return name === undefined || key === undefined ? undefined : { name, key, about };
}

/**
 * The headers that delete the cookie. Empty for a request by script: the page may discard that answer when a live
 * update asks for a newer one, so it deletes the cookie itself when it shows the message.
 */
export const dropFlash = (headers: Headers): Record<string, string> =>
  headers.get('sec-fetch-dest') === 'empty' ? {} : { 'set-cookie': dropFlashLine('http:') };
