import type { Bytes } from './bytes.ts';

/**
 * SHA-256. One implementation of the log's rules serves browsers, where WebCrypto answers later, and Node, where
 * `sha256.server.ts` answers at once: twenty times as fast in bulk.
 */
export type Sha256 = (bytes: Bytes) => Bytes | Promise<Bytes>;

export const HASH_BYTES = 32;

export async function webSha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
}
