// The texts of the registry's mails.
import type { Tx } from '#app/platform/database.server.ts';
import type { ComposeMail, MailText, QueuedMail } from '#app/platform/mail.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import { followAsked, followerTold } from '#app/followers/mails.server.ts';
import { emailSegment } from './email-key.ts';
import { letter } from './letter.ts';
import { publicOrigin } from './one-time-link.server.ts';
import { findPersonByEmail } from './queries.server.ts';
import { FIRST_LINK_LIFE_MS, makeResetToken, RESET_LINK_LIFE_MS } from './reset-password.server.ts';

type Given = Pick<Services, 'config' | 'now'>;

type Letter = (given: Given, tx: Tx, mail: QueuedMail) => MailText | null | Promise<MailText | null>;

const LETTERS: Readonly<Record<string, Letter>> = {
  'password-reset': passwordReset,
  'follow-asked': followAsked,
  'follower-told': followerTold,
  'admin-added': adminAdded,
  'application-received': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'Your request', [
      `${config.registryName} has received the request of ${facts['company'] ?? ''} to be listed as a calibration technician.`,
      'An administrator checks each request. We will email you the decision.',
      'If you did not ask for this, you can ignore this email.',
    ]),
  'application-waiting': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'An application is waiting', [
      `${facts['company'] ?? ''} (${facts['email'] ?? ''}) asks to be listed as a calibration technician.`,
      'Review the request:',
      { link: `${publicOrigin(config)}/applications/view/${emailSegment(facts['email'] ?? '')}` },
    ]),
  'application-declined': ({ config }, _tx, { facts }) =>
    letter(config.registryName, 'Your request', [
      `The request of ${facts['company'] ?? ''} to be listed as a calibration technician was not accepted.`,
      ...(facts['reason'] === undefined || facts['reason'] === '' ? [] : [`The reason: ${facts['reason']}`]),
      'You can apply again:',
      { link: `${publicOrigin(config)}/tech-register` },
    ]),
  'technician-approved': ({ config }, _tx, { recipient }) =>
    letter(config.registryName, 'You are a technician now', [
      `Your request was approved. Sign in as ${recipient}:`,
      { link: `${publicOrigin(config)}/tech-login` },
      'An administrator will give you a temporary password. You will choose your own when you first sign in.',
    ]),
  'technician-approved-link': async ({ config, now }, tx, { recipient }) => {
    const made = await makeResetToken(tx, recipient, now(), FIRST_LINK_LIFE_MS);
    if (made === undefined) return null;
    return letter(config.registryName, 'You are a technician now', [
      'Your request was approved. Use this link to choose your password. It works once, within three days:',
      { link: `${publicOrigin(config)}/reset/${made.token}` },
      `Then sign in as ${recipient}:`,
      { link: `${publicOrigin(config)}/tech-login` },
    ]);
  },
};

/** Composes each kind of mail. */
export const composeMail =
  (given: Given): ComposeMail =>
  async (tx, mail) => {
    const compose = LETTERS[mail.kind];
    if (compose === undefined) throw new Error(`there is no mail of the kind ${mail.kind}`);
    return compose(given, tx, mail);
  };

async function passwordReset({ config, now }: Given, tx: Tx, { recipient }: QueuedMail): Promise<MailText | null> {
  const made = await makeResetToken(tx, recipient, now(), RESET_LINK_LIFE_MS);
  if (made === undefined) return null;
  return letter(config.registryName, 'Set a new password', [
    `We received a request to reset the password of ${recipient} at ${config.registryName}.`,
    'Use this link to choose a new password. It works once, within 30 minutes:',
    { link: `${publicOrigin(config)}/reset/${made.token}` },
    'If you did not ask for this, you can ignore this email. Your password has not changed.',
  ]);
}

// The password is not in it: whoever typed it hands it over, and it is changed at the first sign-in.
async function adminAdded({ config }: Given, tx: Tx, { recipient, facts }: QueuedMail): Promise<MailText | null> {
  const person = await findPersonByEmail(tx, recipient);
  if (person?.standing.role !== 'admin') return null;
  return letter(config.registryName, 'You are an admin', [
    `${facts['by'] ?? 'An admin'} added you as an admin of ${config.registryName}.`,
    `An administrator will give you a temporary password. Sign in as ${recipient}:`,
    { link: `${publicOrigin(config)}/login` },
    'You will choose your own password when you first sign in.',
  ]);
}
