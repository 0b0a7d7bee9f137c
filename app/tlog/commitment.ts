// Commitments: a leaf names what is personal, or would let a vehicle be looked up, by a salted hash. Without the salt
// nothing can be guessed from it; with the salt and the value anyone can check it. The salt is kept outside the log:
// deleting salt and value erases the fact, and the tree does not change.
import { formatBase64, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { HASH_BYTES, type Sha256 } from './sha256.ts';

/** What opens a commitment: the salt, 32 random bytes in base64, and the value, any canonical JSON. */
export type Opening = { salt: string; value: unknown };

// Keeps a hash made for another purpose, or by a later version, from passing for a commitment.
const DOMAIN = 'truck-scale-registry commitment v1';
const SALT_BYTES = 32;

/** A new salt. Without one, a rego is found by trying all of them, in seconds. */
export function randomSalt(): string {
  return formatBase64(globalThis.crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
}

/**
 * The commitment to the value of `field` (as `openableFields` of a leaf names it): SHA-256 over the canonical JSON of
 * [domain, field, salt, value]. JSON delimits its members, so no two inputs run together to the same bytes.
 */
export async function commit(sha256: Sha256, field: string, { salt, value }: Opening): Promise<string> {
  // As many as a hash has, and written alike.
  if (!isHashText(salt)) throw new Error('a salt has 32 bytes');
  return formatBase64(await sha256(utf8(committedText(field, salt, canonicalJson(value)))));
}

/** What is hashed, from a salt that is one, and a value that is canonical JSON. */
export function committedText(field: string, salt: string, value: string): string {
  return `["${DOMAIN}",${JSON.stringify(field)},"${salt}",${value}]`;
}

/** Base64 of 32 bytes, as commitments and leaf hashes are written. The last character has two bits to spare: zero. */
const HASH_PATTERN = new RegExp(`^[A-Za-z0-9+/]{${Math.floor((HASH_BYTES * 8) / 6)}}[AEIMQUYcgkosw048]=$`);

export function isHashText(value: unknown): value is string {
  return typeof value === 'string' && HASH_PATTERN.test(value);
}
