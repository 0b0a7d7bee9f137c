// The cookie that carries the name of a message to the next page. Nothing secret: the page itself takes it away too.
export const NOTICE_COOKIE = 'registry-notice';
/** The Set-Cookie line, or the script's, that takes it away. */
export const DROP_NOTICE = `${NOTICE_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`;
