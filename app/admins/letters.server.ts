// What a new admin is written.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';

export const ADMIN_LETTERS: Letters = { 'admin-added': adminAdded };

// The password is not in it: whoever typed it hands it over, and it is changed at the first sign-in.
async function adminAdded(
  { config }: LetterContext,
  tx: Tx,
  { recipient, facts }: QueuedMail,
): Promise<MailText | null> {
  const person = await findPersonByEmail(tx, recipient);
  if (person?.standing.role !== 'admin') return null;
  return letter(config.registryName, 'You are an admin', [
    `${facts['by'] ?? 'An admin'} added you as an admin of ${config.registryName}.`,
    `An administrator will give you a temporary password. Sign in as ${recipient}:`,
    { link: `${publicOrigin(config)}/login` },
    'You will choose your own password when you first sign in.',
  ]);
}
