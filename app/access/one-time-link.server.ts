// Tokens of one-time links: 256 random bits. The database stores only the hash, so a leaked table opens no link.
import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token, and the hash to store. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** The hash under which a token is stored; undefined when the text is not a token. */
export function linkTokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hashOf(token) : undefined;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The origin for links in mails and terminal output. */
export function publicOrigin({ publicUrl, port }: { publicUrl: URL | undefined; port: number }): string {
  return publicUrl?.origin ?? `http://localhost:${port}`;
}
