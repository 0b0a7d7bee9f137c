// Computes the codes of an authenticator app.
import { createOTP } from '@better-auth/utils/otp';

const PERIOD_MS = 30_000;

/**
 * The code of now for a key in base32 (RFC 4648), as an otpauth: address carries it; or of the half minute that is so
 * many `ahead`. Each code counts once, and that of the next half minute is taken already.
 */
export function codeFor(key: string, ahead: 0 | 1 = 0): Promise<string> {
  return createOTP(fromBase32(key)).hotp(Math.floor(Date.now() / PERIOD_MS) + ahead);
}

/** The bytes of a key, as the text that the generator wants. */
export function fromBase32(text: string): string {
  const bits = Array.from(text.replace(/=+$/, ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('');
}
