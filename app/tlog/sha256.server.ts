import nodeCrypto from 'node:crypto';
import { type Bytes, concatBytes } from './bytes.ts';
import { HASH_BYTES } from './sha256.ts';

// Longer than any entry of a bundle, with its prefix.
const joined = new Uint8Array(0x1_0001);

/** SHA-256 for bulk work in Node: millions of short inputs. */
export function nodeSha256(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  // A Buffer for each hash takes three times as long as a string of its bytes, and new memory for each input as long
  // as hashing it.
  const binary = digest(length > joined.length ? concatBytes(...parts) : join(parts, length));
  const hash = new Uint8Array(HASH_BYTES);
  for (let index = 0; index < HASH_BYTES; index += 1) hash[index] = binary.charCodeAt(index);
  return hash;
}

function join(parts: readonly Uint8Array[], length: number): Bytes {
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined.subarray(0, length);
}

// The offline verifier runs on any Node 20; crypto.hash came with 20.12.
const digest =
  typeof nodeCrypto.hash === 'function'
    ? (bytes: Bytes) => nodeCrypto.hash('sha256', bytes, 'binary')
    : (bytes: Bytes) => nodeCrypto.createHash('sha256').update(bytes).digest('binary');

const SALT_BYTES = 32;
const SALTS_AT_ONCE = 256;
let random = Buffer.alloc(0);

/** A new salt, as `randomSalt`; the randomness is fetched for many at once. */
export function nodeSalt(): string {
  if (random.length === 0) random = nodeCrypto.randomBytes(SALT_BYTES * SALTS_AT_ONCE);
  const salt = random.toString('base64', 0, SALT_BYTES);
  random = random.subarray(SALT_BYTES);
  return salt;
}
