// The flash message's cookie, for the server and the browser. It holds nothing secret, and a page's script deletes it,
// so it is not HttpOnly. The name predates the term "flash message".
const FLASH_COOKIE = 'registry-notice';

/** Its name. Over https no other host can set it, and it goes over TLS alone. */
export const flashCookie = (protocol: string | undefined): string =>
  protocol === 'https:' ? `__Host-${FLASH_COOKIE}` : FLASH_COOKIE;

export const flashAttributes = (protocol: string): string =>
  `Path=/; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;

/** The line that deletes the cookie, for Set-Cookie or document.cookie. */
export const dropFlashLine = (protocol: string): string =>
  `${flashCookie(protocol)}=; Max-Age=0; ${flashAttributes(protocol)}`;
