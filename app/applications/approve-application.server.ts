// An admin approves an application. One transaction creates the account and the technician with the application's data,
// closes the application, queues the mail and appends the log entries.
import { lockPerson } from '#app/people/lock-person.server.ts';
import { withRoleChange } from '#app/people/role-change.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { weaknessOf } from '#app/sign-in/weak-password.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { technicianEvent } from '#app/transparency-log/events.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findApplication, lockApplication, type Application, type Decision } from './queries.server.ts';

/** A temporary password, to be changed at the first sign-in, or a mailed link with which the technician sets one. */
export type FirstPassword = { by: 'admin'; password: string } | { by: 'link' };

export type ApproveAnswer =
  | { approved: true }
  | { approved: false; reason: 'unknown' | 'email-already-in-use' }
  | ({ approved: false; reason: 'decided' } & Decision)
  | { approved: false; reason: 'password'; message: string };

/** Approves the application of `email`. If somebody else decided first, the answer names them. */
export async function approveApplication(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  { email, first, key }: { email: string; first: FirstPassword; key: unknown },
): Promise<ApproveAnswer> {
  if (first.by === 'admin') {
    const weakness = await weaknessOf(config, first.password, [email, ...(await applicantsWords(db, email))]);
    if (weakness !== undefined) return { approved: false, reason: 'password', message: weakness };
  }
  const hash = first.by === 'admin' ? await hashPassword(first.password) : undefined;
  const on = { kind: 'technician.approved', key, values: { email, ...first } } as const;
  return idempotent<ApproveAnswer>(db, { who, ...on }, async (tx) => {
    // Locks the person first, then the application, in the same order as a request does, so that the two cannot
    // deadlock.
    const { personId, account } = await lockPerson(tx, email);
    const found = await lockApplication(tx, email);
    if (found.state === 'unknown') return { approved: false, reason: 'unknown' };
    if (found.state === 'decided') return { approved: false, reason: 'decided', ...found.decided };
    if (account !== undefined) return { approved: false, reason: 'email-already-in-use' };
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
    const logged = technicianEvent('technician.approved', { id: technicianId, name: nameOf(application) });
    await appendLeaves(tx, await withRoleChange(tx, personId, logged));
    await appendActivity(tx, {
      kind: 'technician.approved',
      actorId,
      subject: 'technician',
      subjectId: technicianId,
      details: `${email} approved`,
      persons: [who.personId],
    });
    return { approved: true };
  });
}

async function applicantsWords(db: Services['db'], email: string): Promise<string[]> {
  const found = await findApplication(db, email);
  return found.state === 'open' ? [found.application.companyName, found.application.repName] : [];
}

function ofApplication({ id, ...application }: Application) {
  const { email, companyName, abn, tradeLicenceNum, address, repName, repContact, requestedAt } = application;
  return { applicationId: id, email, companyName, abn, tradeLicenceNum, address, repName, repContact, requestedAt };
}

const nameOf = ({ repName, companyName, email }: Application) => (repName || companyName || email).slice(0, 200);
