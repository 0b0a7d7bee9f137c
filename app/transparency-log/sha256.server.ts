import nodeCrypto from 'node:crypto';
import { HASH_BYTES } from './sha256.ts';
import type { Bytes } from './bytes.ts';

/** SHA-256 for bulk work in Node. */
export function nodeSha256(bytes: Bytes): Bytes {
  const hash = new Uint8Array(HASH_BYTES);
  // A Buffer for each hash takes three times as long as a string of its bytes.
  const binary = digest(bytes);
  for (let index = 0; index < HASH_BYTES; index += 1) hash[index] = binary.charCodeAt(index);
  return hash;
}

// The offline verifier runs on any Node 20; crypto.hash came with 20.12.
const digest =
  typeof nodeCrypto.hash === 'function'
    ? (bytes: Bytes) => nodeCrypto.hash('sha256', bytes, 'binary')
    : (bytes: Bytes) => nodeCrypto.createHash('sha256').update(bytes).digest('binary');
