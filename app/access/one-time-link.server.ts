// Links that work once: 256 random bits, of which the database keeps only the hash.
import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** The hash under which a token is kept; undefined when the text is none. */
export function linkTokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('base64url') : undefined;
}

/** Where the registry is reached from a mail or a terminal. */
export function publicOrigin({ publicUrl, port }: { publicUrl: URL | undefined; port: number }): string {
  return publicUrl?.origin ?? `http://localhost:${port}`;
}
