// Removes an admin, or another of the office, from the list and ends their sessions and sign-in at once. It stands when
// a second admin confirms it, or after seven days; until then a second admin may refuse it, and it lapses. Their
// activities stay, under their name.
import { endAccess, endSessions } from '#app/people/end-access.server.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { addedAfter } from '#app/people/newcomer.ts';
import { noticeEnds, NOTICE_DAYS, secondPerson } from '#app/people/two-people.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { staffEvents } from '#app/transparency-log/events.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findStaff, listRemovals, lockStaff, type LockedStaff, type OpenRemoval } from './queries.server.ts';

type Removing = Pick<Services, 'db' | 'now'>;

export type RemoveAdminAnswer =
  | { removed: true }
  | { removed: false; reason: 'self' | 'last-admin' | 'removed-already' | 'unknown' }
  /** `who` was removed in the meantime. */
  | { removed: false; reason: 'no-admin-any-more' };

/**
 * Removes the admin with this address. One admin who can sign in always stays. An imported admin without a password
 * does not count: if their reset mail never arrived, everybody would be locked out. Of two admins who remove each other
 * concurrently, one succeeds.
 */
export function removeAdmin(
  { db, now }: Removing,
  who: SignedIn,
  { email, key }: { email: string; key?: unknown | undefined },
): Promise<RemoveAdminAnswer> {
  return idempotent<RemoveAdminAnswer>(db, { who, kind: 'admin.removed', key, values: { email } }, async (tx) => {
    const staff = await lockStaff(tx);
    if (!isAdmin(staff, who)) return { removed: false, reason: 'no-admin-any-more' };
    // An admin added while this waited for the locks is ignored: the request came before them. To lock them now would
    // break the lock order, and two concurrent removals could deadlock.
    const found = await findStaff(tx, email, staff);
    if (found.state !== 'live')
      return { removed: false, reason: found.state === 'removed' ? 'removed-already' : 'unknown' };
    const { recordId, personId, role } = found;
    if (personId === who.personId) return { removed: false, reason: 'self' };
    if (!staff.some((one) => one.role === 'admin' && one.recordId !== recordId && one.canSignIn))
      return { removed: false, reason: 'last-admin' };
    const actorId = await actorOf(tx, who);
    const at = now();
    await tx
      .updateTable('staff')
      .set((eb) => ({ deletedAt: at, deletedBy: actorId, version: eb('version', '+', 1) }))
      .where('id', '=', recordId)
      .execute();
    await tx.insertInto('adminRemoval').values({ adminId: recordId, proposedBy: actorId, proposedAt: at }).execute();
    await endSessions(tx, personId);
    await mailAdmins(tx, { what: 'admin-removed', about: email, role, by: who.name, path: '/admins/removals' });
    for (const event of staffEvents(role, 'removed', { id: recordId, name: found.name || email }))
      await appendLeaves(tx, [event]);
    await appendActivity(tx, {
      kind: `${role}.removed`,
      actorId,
      subject: role,
      subjectId: recordId,
      details: `${email} removed`,
      persons: [personId, who.personId],
    });
    return { removed: true };
  });
}

export type RemovalDecision = 'confirm' | 'refuse';
/** `gone`: it was decided, or stands by now. */
export type DecideRemovalAnswer =
  | { decided: true }
  | { decided: false; reason: 'gone' | 'own' | 'too-new' | 'no-admin-any-more' };

/**
 * A second admin confirms or refuses a removal; the one who removed may take it back. The removed one counts as an
 * admin who exists, so an account made a minute ago confirms nothing.
 */
export function decideRemoval(
  { db, now }: Removing,
  who: SignedIn,
  { id, decision, key }: { id: string; decision: RemovalDecision; key: unknown },
): Promise<DecideRemovalAnswer> {
  const on = { kind: 'removal.decided', key, values: { id, decision } } as const;
  return idempotent<DecideRemovalAnswer>(db, { who, ...on }, async (tx) => {
    const staff = await lockStaff(tx);
    if (!isAdmin(staff, who)) return { decided: false, reason: 'no-admin-any-more' };
    const removal = await lockRemoval(tx, id);
    if (removal === undefined) return { decided: false, reason: 'gone' };
    const isBack = decision === 'refuse';
    const parts = isBack ? [removal.byPersonId, removal.personId] : [removal.byPersonId];
    const isTakenBack = isBack && removal.byPersonId === who.personId;
    const second = await secondPerson(tx, who.personId, { parts, now: now() });
    if (!second.may && !isTakenBack) return { decided: false, reason: second.reason };
    const end = { by: who, at: now(), added: second.may ? addedAfter(second.addedDays) : '' };
    await (isBack ? refuse(tx, removal, end) : stand(tx, removal, end));
    return { decided: true };
  });
}

/** Lets stand what nobody refused in its seven days. */
export async function endDueRemovals({ db, now }: Removing): Promise<void> {
  for (const { id, proposedAt } of await listRemovals(db))
    if (noticeEnds(proposedAt) <= now())
      await db.transaction().execute(async (tx) => {
        const removal = await lockRemoval(tx, id);
        if (removal !== undefined) await stand(tx, removal, { by: null, at: now(), added: '' });
      });
}

const isAdmin = (staff: readonly LockedStaff[], who: SignedIn): boolean =>
  staff.some(({ role, personId }) => role === 'admin' && personId === who.personId);

async function lockRemoval(tx: Tx, id: string): Promise<OpenRemoval | undefined> {
  await tx.selectFrom('adminRemoval').select('id').where('outcome', 'is', null).orderBy('id').forUpdate().execute();
  return (await listRemovals(tx)).find((one) => one.id === id);
}

/** `added`: how new an admin `by` is, where that is to be said. */
type End = { by: SignedIn | null; at: Date; added: string };

async function stand(tx: Tx, removal: OpenRemoval, end: End): Promise<void> {
  await endRemoval(tx, removal, { ...end, outcome: end.by === null ? 'stood' : 'confirmed' });
  await endAccess(tx, removal.personId);
}

async function refuse(tx: Tx, removal: OpenRemoval, end: End): Promise<void> {
  await tx
    .updateTable('staff')
    .set((eb) => ({ deletedAt: null, deletedBy: null, version: eb('version', '+', 1) }))
    .where('id', '=', removal.adminId)
    .execute();
  const { adminId: id, role, name, email } = removal;
  for (const event of staffEvents(role, 'added', { id, name: name || email })) await appendLeaves(tx, [event]);
  await endRemoval(tx, removal, { ...end, outcome: 'refused' });
}

const WORDS = {
  confirmed: 'removal confirmed',
  stood: 'removal stands, as nobody refused it',
  refused: 'removal refused',
} as const;

async function endRemoval(
  tx: Tx,
  { id, adminId, role, email, personId }: OpenRemoval,
  { by, at, added, outcome }: End & { outcome: keyof typeof WORDS },
): Promise<void> {
  const actorId = by === null ? null : await actorOf(tx, by);
  await tx.updateTable('adminRemoval').set({ outcome, endedAt: at, endedBy: actorId }).where('id', '=', id).execute();
  const what = outcome === 'refused' ? 'removal-refused' : 'removal-confirmed';
  const name = by === null ? `${NOTICE_DAYS} days without a refusal` : `${by.name}${added}`;
  await mailAdmins(tx, { what, about: email, role, by: name, path: '/admins' });
  await appendActivity(tx, {
    kind: outcome === 'refused' ? 'removal.refused' : 'removal.confirmed',
    actorId,
    subject: role,
    subjectId: adminId,
    details: `${email}: ${WORDS[outcome]}${added === '' ? '' : ` by an administrator${added}`}`,
    persons: by === null ? [personId] : [personId, by.personId],
  });
}
