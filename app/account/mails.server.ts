// The texts of the registry's mails.
import type { Tx } from '#app/platform/database.server.ts';
import type { ComposeMail, MailText, QueuedMail } from '#app/platform/mail.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { publicOrigin } from './one-time-link.server.ts';
import { findPersonByEmail } from './queries.server.ts';
import { makeResetToken } from './reset-password.server.ts';

type Given = Pick<Services, 'config' | 'now'>;

/** Composes each kind of mail. */
export const composeMail =
  (given: Given): ComposeMail =>
  async (tx, mail) => {
    if (mail.kind === 'password-reset') return passwordReset(given, tx, mail);
    if (mail.kind === 'admin-added') return adminAdded(given, tx, mail);
    throw new Error(`there is no mail of the kind ${mail.kind}`);
  };

async function passwordReset(
  { config, now }: Given,
  tx: Tx,
  { recipient }: Pick<QueuedMail, 'recipient'>,
): Promise<MailText | null> {
  const made = await makeResetToken(tx, recipient, now());
  if (made === undefined) return null;
  return letter(config.registryName, 'Set a new password', [
    `Somebody asked for a new password for ${recipient} at ${config.registryName}.`,
    'Open this link to set it. The link works once, for 30 minutes:',
    { link: `${publicOrigin(config)}/reset/${made.token}` },
    'If it was not you, do nothing: your password stays as it is.',
  ]);
}

// The password is not in it: whoever typed it hands it over, and it is changed at the first sign-in.
async function adminAdded({ config }: Given, tx: Tx, { recipient, facts }: QueuedMail): Promise<MailText | null> {
  const person = await findPersonByEmail(tx, recipient);
  if (person?.standing.role !== 'admin') return null;
  return letter(config.registryName, 'You are an admin', [
    `${facts['by'] ?? 'An admin'} added you as an admin of ${config.registryName}.`,
    `Sign in with your address, ${recipient}, and the password you are given:`,
    { link: `${publicOrigin(config)}/login` },
    'You choose a new password when you sign in for the first time.',
  ]);
}

type Part = string | { link: string };

// The same words as plain text and as HTML.
function letter(registryName: string, subject: string, parts: readonly Part[]): MailText {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.link));
  const html = parts.map((part) =>
    typeof part === 'string'
      ? `<p>${escapeHtml(part)}</p>`
      : `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`,
  );
  return {
    subject: `${subject}: ${registryName}`,
    text: `${[...text, registryName].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en-AU"><body>${html.join('')}<p>${escapeHtml(registryName)}</p></body></html>`,
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
