// The rules for email addresses, and the storage prefix derived from one.
import { z } from 'zod';
import { emailKey } from './email-key.ts';

/** An address as stored: NFC, trimmed, lower case. Dots and +tags stay: each mail host gives them its own meaning. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** The storage prefix of a person's pictures: the address's key, with `_` for characters a storage key may not have. */
export const portraitPrefix = (email: string): string => `admins/${emailKey(email).replaceAll(/[^a-z0-9@,_+-]/g, '_')}`;
// Wider than the form's rule: the former database held addresses that the form refuses, and their pages must open.
const ADDRESS = /^[^\p{Z}\p{Cc}\p{Cf},@]+@[^\p{Z}\p{Cc}\p{Cf},@]+\.[^\p{Z}\p{Cc}\p{Cf},@]+$/u;
/** The address of a key; undefined when the key is not that of an address. */
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
