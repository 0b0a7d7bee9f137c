import { createHash } from 'node:crypto';
import type { Bytes } from './bytes.ts';

/** SHA-256 in Node: at once, where WebCrypto takes a thread. */
export function nodeSha256(...parts: readonly Uint8Array[]): Bytes {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return Uint8Array.from(hash.digest());
}
