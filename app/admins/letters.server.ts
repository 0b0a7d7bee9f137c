// The mail to a new admin.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import { oneOf } from '#app/access/permissions.ts';
import { isStaffRole } from '#app/people/staff.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import type { MailText, QueuedMail } from '#app/platform/mail/mail.server.ts';

export const ADMIN_LETTERS: Letters = { 'admin-added': adminAdded };

// The mail does not contain the password: the admin who typed it hands it over. Null when the person has left the
// office meanwhile.
async function adminAdded(
  { config }: LetterContext,
  tx: Tx,
  { recipient, facts }: QueuedMail,
): Promise<MailText | null> {
  const person = await findPersonByEmail(tx, recipient);
  const role = person?.account.role ?? '';
  if (!isStaffRole(role)) return null;
  return letter(config.registryName, `You are ${oneOf(role)}`, {
    parts: [
      `${facts['by'] ?? 'An admin'} added you as ${oneOf(role)} of ${config.registryName}.`,
      `An administrator will give you a temporary password. Sign in as ${recipient}:`,
      { link: `${publicOrigin(config)}/login` },
      'You will choose your own password when you first sign in.',
    ],
  });
}
