// What a person types to sign in and to choose a password.
import { z } from 'zod';
import { email } from '#app/people/email.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-length.ts';

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
