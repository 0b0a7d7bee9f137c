// An admin turns an application down. The applicant is told by mail, with the reason if there is one, and may ask again.
import { z } from 'zod';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { lockApplication, type Decision } from './queries.server.ts';

const deletedSchema = z.object({ deleted: z.literal(true) });
export type DeleteAnswer =
  | z.infer<typeof deletedSchema>
  | { deleted: false; reason: 'unknown' }
  | ({ deleted: false; reason: 'decided' } & Decision);

/** Deletes the application of `email`. Whoever approved or deleted it first is named. */
export function deleteApplication(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  email: string,
  reason: string,
  formKey?: unknown,
): Promise<DeleteAnswer> {
  const form = {
    key: keyOfForm(formKey, 'application.deleted', { email, reason }),
    personId: who.personId,
    parse: (kept: unknown): DeleteAnswer => deletedSchema.parse(kept),
    took: ({ deleted }: DeleteAnswer) => deleted,
  };
  return once<DeleteAnswer>(db, form, async (tx) => {
    await lockPerson(tx, email);
    const found = await lockApplication(tx, email);
    if (found.state === 'unknown') return { deleted: false, reason: 'unknown' };
    if (found.state === 'decided') {
      const { decision, decidedAt, by } = found;
      return { deleted: false, reason: 'decided', decision, decidedAt, by };
    }
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
    await appendActivities(tx, [
      {
        kind: 'application.deleted',
        actorId,
        subject: 'application',
        subjectId: application.id,
        details: `${email} deleted${reason === '' ? '' : `: ${reason}`}`,
        persons: [who.personId],
      },
    ]);
    return { deleted: true };
  });
}
