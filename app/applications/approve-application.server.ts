// An admin admits an applicant: the account, the technician with the application's data, the application's end and the
// log entry are one transaction.
import { z } from 'zod';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { weaknessOf } from '#app/sign-in/weak-password.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { technicianEvent } from '#app/transparency-log/events.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findApplication, lockApplication, type Application, type Decision } from './queries.server.ts';

/** A password that must be changed at the first sign-in, or a link by mail with which the technician sets one. */
export type FirstPassword = { by: 'admin'; password: string } | { by: 'link' };

const approvedSchema = z.object({ approved: z.literal(true) });
export type ApproveAnswer =
  | z.infer<typeof approvedSchema>
  | { approved: false; reason: 'unknown' }
  | ({ approved: false; reason: 'decided' } & Decision)
  | { approved: false; reason: 'email-already-in-use' }
  | { approved: false; reason: 'password'; message: string };

/** Approves the application of `email`. Of two at once the second is told who was first. */
export async function approveApplication(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  email: string,
  first: FirstPassword,
  formKey: unknown,
): Promise<ApproveAnswer> {
  if (first.by === 'admin') {
    const weakness = await weaknessOf(config, first.password, [email, ...(await applicantsWords(db, email))]);
    if (weakness !== undefined) return { approved: false, reason: 'password', message: weakness };
  }
  const hash = first.by === 'admin' ? await hashPassword(first.password) : undefined;
  const form = {
    key: keyOfForm(formKey, 'technician.approved', { email, ...first }),
    personId: who.personId,
    parse: (kept: unknown): ApproveAnswer => approvedSchema.parse(kept),
    took: ({ approved }: ApproveAnswer) => approved,
  };
  return once<ApproveAnswer>(db, form, async (tx) => {
    // The person before the application, as a request does: two that meet wait, and never for each other.
    const { personId, standing } = await lockPerson(tx, email);
    const found = await lockApplication(tx, email);
    if (found.state === 'unknown') return { approved: false, reason: 'unknown' };
    if (found.state === 'decided') {
      const { decision, decidedAt, by } = found;
      return { approved: false, reason: 'decided', decision, decidedAt, by };
    }
    if (standing !== undefined) return { approved: false, reason: 'email-already-in-use' };
    const { application } = found;
    const actorId = await actorOf(tx, who);
    const { id: technicianId } = await tx
      .insertInto('technician')
      .values({ ...ofApplication(application), personId, addedAt: now(), addedBy: actorId })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (hash !== undefined)
      await setPassword(tx, { personId, name: nameOf(application), email, hash, mustChange: true });
    await tx
      .updateTable('application')
      .set({ decision: 'approved', decidedAt: now(), decidedBy: actorId })
      .where('id', '=', application.id)
      .execute();
    await queueMail(tx, {
      kind: first.by === 'link' ? 'technician-approved-link' : 'technician-approved',
      recipient: email,
      facts: { company: application.companyName },
    });
    await appendLeaves(tx, [technicianEvent('technician.approved', { id: technicianId, name: nameOf(application) })]);
    await appendActivities(tx, [
      {
        kind: 'technician.approved',
        actorId,
        subject: 'technician',
        subjectId: technicianId,
        details: `${email} approved`,
        persons: [who.personId],
      },
    ]);
    return { approved: true };
  });
}

async function applicantsWords(db: Services['db'], email: string): Promise<string[]> {
  const found = await findApplication(db, email);
  return found.state === 'open' ? [found.application.companyName, found.application.repName] : [];
}

function ofApplication({ id, origin: _origin, ...application }: Application) {
  const { email, companyName, abn, tradeLicenceNum, address, repName, repContact, requestedAt } = application;
  return {
    applicationId: id,
    email,
    companyName,
    abn,
    tradeLicenceNum,
    address,
    repName,
    repContact,
    requestedAt,
  };
}

const nameOf = ({ repName, companyName, email }: Application) => (repName || companyName || email).slice(0, 200);
