// Bytes and their texts, the same in browsers and Node: no Buffer. Decoders are strict: one text for one value.

export type Bytes = Uint8Array<ArrayBuffer>;

/** Thrown by every parser of this folder: the text or the bytes are not what they should be. */
export class Malformed extends Error {}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Not in constant time: everything compared here is public. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

export function utf8(text: string): Bytes {
  return ENCODER.encode(text);
}

/** The text of `bytes`; a byte order mark stays in it, as otherwise two byte strings would have one text. */
export function parseUtf8(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new Malformed('it is not UTF-8 text');
  }
}

/** Standard base64 with padding, RFC 4648 section 4. */
export function formatBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Refuses white space, missing padding and stray bits in the last character (RFC 4648 section 3.5). */
export function parseBase64(text: string): Bytes {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new Malformed('it is not base64');
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (formatBase64(bytes) !== text) throw new Malformed('it is not base64');
  return bytes;
}

/** An ASCII decimal without leading zeros, up to 2^53 - 1. */
export function parseDecimal(text: string): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Malformed('it is not a whole number');
  return value;
}
