// The schemas of the forms for signing in, passwords and the second factor.
import { z } from 'zod';
import { requiredName } from '#app/forms/text-fields.ts';
import { email } from '#app/people/email.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-length.ts';

/** The length of a new password. The server also checks its strength (`weaknessOf`). */
export const newPassword = z
  .string({ error: 'Enter a password.' })
  .min(1, 'Enter a password.')
  .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters.`);
const repeated = z.string({ error: 'Type the new password again.' }).max(PASSWORD_MAX * 4);

const ownPassword = z.string({ error: 'Enter your password.' }).min(1, 'Enter your password.');

export const signInSchema = z.object({ email, password: ownPassword });
export type SignInInput = z.infer<typeof signInSchema>;

export const newPasswordSchema = z
  .object({ password: newPassword, repeat: repeated })
  .refine(({ password, repeat }) => password === repeat, { path: ['repeat'], message: 'The two passwords differ.' });

export const changePasswordSchema = newPasswordSchema
  .safeExtend({ current_password: ownPassword.max(PASSWORD_MAX * 4) })
  .refine(({ password, current_password }) => password !== current_password, {
    path: ['password'],
    message: 'Choose a password that differs from the current one.',
  });

export const newAdminSchema = z.object({
  email,
  name: requiredName(200, 'Enter your name.'),
  password: newPassword,
});

export const setupSchema = newPasswordSchema.safeExtend(newAdminSchema.shape);

/** Where no code matches: an app counts by the clock of its phone, and 30 seconds off is too much. */
export const CLOCK = 'If none matches, the clock of the phone with the app is off: set its time to automatic.';

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '');

export const codeSchema = z.object({
  code: z
    .string({ error: 'Enter the code.' })
    .transform(withoutBlanks)
    .pipe(z.string().min(1, 'Enter the code.').max(40, 'This is not a code.')),
});

/** The buttons on the second factor's page. All but `begin` require a code. */
const SECOND_FACTOR_INTENTS = ['begin', 'confirm', 'renew', 'remove'] as const;

export const secondFactorSchema = z
  .object({
    intent: z.enum(SECOND_FACTOR_INTENTS).optional().catch(undefined),
    password: z
      .string()
      .default('')
      .transform((text) => text.slice(0, 500)),
    code: z.string().default('').transform(withoutBlanks),
  })
  .superRefine(({ intent, code }, context) => {
    const [issue] = intent === 'begin' ? [] : (codeSchema.safeParse({ code }).error?.issues ?? []);
    if (issue !== undefined) context.addIssue({ code: 'custom', path: ['code'], message: issue.message });
  });
