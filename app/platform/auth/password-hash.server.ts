// Passwords as argon2id (RFC 9106). In a file of its own: the sign-in library and every command use the same cost.
import { hash, verify, type Options } from '@node-rs/argon2';
import { besideThread } from '#app/platform/process/few-at-once.server.ts';

/** argon2id (the library's default) with 19 MiB, 2 passes, 1 lane: OWASP's minimum. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The PHC string of `password`. Takes about 20 ms: never inside a transaction. */
export function hashPassword(password: string): Promise<string> {
  return besideThread(() => hash(password, COST));
}

export function verifyPassword({ password, hash: phc }: { password: string; hash: string }): Promise<boolean> {
  return besideThread(() => verify(phc, password, COST));
}
