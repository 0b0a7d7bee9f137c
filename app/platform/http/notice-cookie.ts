// The cookie that carries the name of a message to the next page. Nothing secret: the page itself takes it away too.
const NOTICE_COOKIE = 'registry-notice';

/** Its name. Over https no other host can set it, and it goes over TLS alone. */
export const noticeCookie = (isHttps: boolean): string => (isHttps ? `__Host-${NOTICE_COOKIE}` : NOTICE_COOKIE);

/** What a cookie of this name needs beside its value. */
export const noticeAttributes = (isHttps: boolean): string => `Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`;

/** The Set-Cookie line, or the script's, that takes it away. */
export const dropNoticeLine = (isHttps: boolean): string =>
  `${noticeCookie(isHttps)}=; Max-Age=0; ${noticeAttributes(isHttps)}`;
