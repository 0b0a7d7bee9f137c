// Removes an admin from the list and ends their access at once. Their activities stay, under their name.
import { z } from 'zod';
import { endAccess } from '#app/people/end-access.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { adminEvent } from '#app/transparency-log/events.server.ts';
import { findAdmin, lockAdmins } from './queries.server.ts';

const REMOVED = { kind: 'admin.removed', done: z.object({ removed: z.literal(true) }) } as const;
export type RemoveAdminAnswer =
  | z.infer<typeof REMOVED.done>
  | { removed: false; reason: 'self' | 'last-admin' | 'removed-already' | 'unknown' }
  /** `who` was removed in the meantime. */
  | { removed: false; reason: 'no-admin-any-more' };

/**
 * Removes the admin with this address. One admin who can sign in always stays. An imported admin without a password
 * does not count: if their reset mail never arrived, everybody would be locked out. Of two admins who remove each other
 * concurrently, one succeeds.
 */
export function removeAdmin(db: Db, who: SignedIn, email: string, key?: unknown): Promise<RemoveAdminAnswer> {
  return idempotent<RemoveAdminAnswer>(db, who, { ...REMOVED, key, values: { email } }, async (tx) => {
    const admins = await lockAdmins(tx);
    if (!admins.some(({ personId }) => personId === who.personId))
      return { removed: false, reason: 'no-admin-any-more' };
    // An admin added while this waited for the locks is ignored: the request came before them. To lock them now would
    // break the lock order, and two concurrent removals could deadlock.
    const found = await findAdmin(tx, email, admins);
    if (found.state !== 'live')
      return { removed: false, reason: found.state === 'removed' ? 'removed-already' : 'unknown' };
    const { recordId, personId } = found;
    if (personId === who.personId) return { removed: false, reason: 'self' };
    if (!admins.some((admin) => admin.recordId !== recordId && admin.canSignIn))
      return { removed: false, reason: 'last-admin' };
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('admin')
      .set((eb) => ({ deletedAt: new Date(), deletedBy: actorId, version: eb('version', '+', 1) }))
      .where('id', '=', recordId)
      .execute();
    await endAccess(tx, personId);
    await appendLeaves(tx, [adminEvent('admin.removed', { id: recordId, name: found.name || email })]);
    await appendActivity(tx, {
      kind: 'admin.removed',
      actorId,
      subject: 'admin',
      subjectId: recordId,
      details: `${email} removed`,
      persons: [personId, who.personId],
    });
    return { removed: true };
  });
}
