// The mail that resets a password. Its link is made when the mail is sent, so no table ever holds it.
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { makeResetToken, RESET_LINK_LIFE_MS } from './reset-password.server.ts';

export const SIGN_IN_LETTERS: Letters = { 'password-reset': passwordReset };

async function passwordReset(
  { config, now }: LetterContext,
  tx: Tx,
  { recipient }: QueuedMail,
): Promise<MailText | null> {
  const made = await makeResetToken(tx, recipient, { now: now(), lifeMs: RESET_LINK_LIFE_MS });
  if (made === undefined) return null;
  return letter(config.registryName, 'Set a new password', {
    parts: [
      `We received a request to reset the password of ${recipient} at ${config.registryName}.`,
      'Use this link to choose a new password. It works once, within 30 minutes:',
      { link: `${publicOrigin(config)}/reset/${made.token}` },
      'If you did not ask for this, you can ignore this email. Your password has not changed.',
    ],
  });
}
