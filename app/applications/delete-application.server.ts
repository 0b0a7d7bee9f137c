// An admin declines an application. A mail tells the applicant, with the reason if there is one; they can apply again.
import { lockPerson } from '#app/people/lock-person.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { lockApplication, type Decision } from './queries.server.ts';

export type DeleteAnswer =
  | { deleted: true }
  | { deleted: false; reason: 'unknown' }
  | ({ deleted: false; reason: 'decided' } & Decision);

/** Declines the application of `email`. If somebody else decided first, the answer names them. */
export function deleteApplication(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { email, reason, key }: { email: string; reason: string; key?: unknown | undefined },
): Promise<DeleteAnswer> {
  const on = { kind: 'application.deleted', key, values: { email, reason } } as const;
  return idempotent<DeleteAnswer>(db, { who, ...on }, async (tx) => {
    await lockPerson(tx, email);
    const found = await lockApplication(tx, email);
    if (found.state === 'unknown') return { deleted: false, reason: 'unknown' };
    if (found.state === 'decided') return { deleted: false, reason: 'decided', ...found.decided };
    const { application } = found;
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('application')
      .set({ decision: 'deleted', decidedAt: now(), decidedBy: actorId, decisionReason: reason })
      .where('id', '=', application.id)
      .execute();
    await queueMail(tx, {
      kind: 'application-declined',
      recipient: email,
      facts: { company: application.companyName, reason },
    });
    await appendActivity(tx, {
      kind: 'application.deleted',
      actorId,
      subject: 'application',
      subjectId: application.id,
      details: `${email} deleted${reason === '' ? '' : `: ${reason}`}`,
      persons: [who.personId],
    });
    return { deleted: true };
  });
}
