// The mails that wait in the outbox, for tests of who is written to and what.
import { composeMail } from '#server/compose-mail.ts';
import type { MailText } from '#app/platform/mail/mail.server.ts';
import type { TestServices } from './services.ts';

/** Takes all mails out of the outbox, in order, composed as they would be sent. */
export async function takeMails(services: TestServices): Promise<(MailText & { to: string })[]> {
  const { db } = services;
  const waiting = await db.selectFrom('mail').selectAll().orderBy('id').execute();
  const sent = [];
  for (const mail of waiting) {
    const text = await db.transaction().execute((tx) => composeMail(services)(tx, mail));
    await db.deleteFrom('mail').where('id', '=', mail.id).execute();
    if (text !== null) sent.push({ ...text, to: mail.recipient });
  }
  return sent;
}
