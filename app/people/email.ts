// The rules for addresses, and where what belongs to one is kept.
import { z } from 'zod';
import { emailKey } from './email-key.ts';

/** An address as it is kept: NFC, trimmed, lower case. Dots and +tags mean what their owner's host says they mean. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** Below which prefix a person's pictures are kept: the address's key, in signs that a storage key may hold. */
export const portraitPrefix = (email: string): string => `admins/${emailKey(email).replaceAll(/[^a-z0-9@,_+-]/g, '_')}`;
// Wider than what may be typed: the former database held addresses that no form takes, and their pages must be reached.
const ADDRESS = /^[^\p{Z}\p{Cc}\p{Cf},@]+@[^\p{Z}\p{Cc}\p{Cf},@]+\.[^\p{Z}\p{Cc}\p{Cf},@]+$/u;
/** The address of a key; undefined when it cannot be one. */
export function parseEmailKey(key: string): string | undefined {
  const address = normaliseEmail(key.replaceAll(',', '.'));
  return address.length <= 254 && ADDRESS.test(address) ? address : undefined;
}

export const email = z
  .string({ error: 'Enter an email address.' })
  .transform(normaliseEmail)
  .superRefine((text, context) => {
    if (text === '') context.addIssue({ code: 'custom', message: 'Enter an email address.' });
    else if (text.includes(',')) context.addIssue({ code: 'custom', message: 'An email address has no comma.' });
    else if (text.length > 254) context.addIssue({ code: 'custom', message: 'The email address is too long.' });
    else if (!z.email().safeParse(text).success)
      context.addIssue({ code: 'custom', message: 'Enter an email address such as name@site.com.au.' });
  });
