// The flash message's cookie, for the server and the browser. It holds nothing secret, and a page's script deletes it,
// so it is not HttpOnly. The name predates the term "flash message".
const FLASH_COOKIE = 'registry-notice';

/** Its name. Over https no other host can set it, and it goes over TLS alone. */
export const flashCookie = (isHttps: boolean): string => (isHttps ? `__Host-${FLASH_COOKIE}` : FLASH_COOKIE);

export const flashAttributes = (isHttps: boolean): string => `Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`;

/** The line that deletes the cookie, for Set-Cookie or document.cookie. */
export const dropFlashLine = (isHttps: boolean): string =>
  `${flashCookie(isHttps)}=; Max-Age=0; ${flashAttributes(isHttps)}`;
