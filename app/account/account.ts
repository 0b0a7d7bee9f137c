// What a person types to sign in, and the rules for addresses and passwords.
import { z } from 'zod';
import { emailKey } from './email-key.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-length.ts';

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

/** A new password's shape. Whether it is a weak one says `weaknessOf` on the server. */
export const newPassword = z
  .string({ error: 'Enter a password.' })
  .min(1, 'Enter a password.')
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`);
const repeated = z.string({ error: 'Type the new password again.' }).max(PASSWORD_MAX * 4);

export const signInSchema = z.object({
  email,
  password: z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.'),
});
export type SignInInput = z.infer<typeof signInSchema>;

export const resetRequestSchema = z.object({ email });

export const newPasswordSchema = z
  .object({ password: newPassword, repeat: repeated })
  .refine(({ password, repeat }) => password === repeat, {
    path: ['repeat'],
    message: 'The two passwords differ.',
  });

export const changePasswordSchema = z
  .object({
    current_password: z
      .string({ error: 'Enter your password.' })
      .min(1, 'Enter your password.')
      .max(PASSWORD_MAX * 4),
    password: newPassword,
    repeat: repeated,
  })
  .refine(({ password, repeat }) => password === repeat, { path: ['repeat'], message: 'The two passwords differ.' })
  .refine(({ password, current_password }) => password !== current_password, {
    path: ['password'],
    message: 'Choose a password that differs from the current one.',
  });

export const newAdminSchema = z.object({
  email,
  name: z
    .string({ error: 'Enter your name.' })
    .trim()
    .min(1, 'Enter your name.')
    .max(200, 'Use at most 200 characters.'),
  password: newPassword,
});

export const setupSchema = newAdminSchema
  .extend({ repeat: repeated })
  .refine(({ password, repeat }) => password === repeat, { path: ['repeat'], message: 'The two passwords differ.' });

export const codeSchema = z.object({
  code: z
    .string({ error: 'Enter the code.' })
    .transform((text) => text.replaceAll(/\s/g, ''))
    .pipe(z.string().min(1, 'Enter the code.').max(40, 'This is not a code.')),
});
