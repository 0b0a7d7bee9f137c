// An admin loses their access at once and leaves the list. What they did stays, under their name.
import { z } from 'zod';
import { endAccess } from '#app/people/end-access.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import { findAdmin, lockAdmins } from './queries.server.ts';

const removedSchema = z.object({ removed: z.literal(true) });
export type RemoveAdminAnswer =
  | z.infer<typeof removedSchema>
  | { removed: false; reason: 'self' | 'last-admin' | 'removed-already' | 'unknown' }
  /** Whoever asked was removed in the meantime. */
  | { removed: false; reason: 'no-admin-any-more' };

/**
 * Removes the admin with this address. Somebody who can sign in always stays: an imported admin without a password does
 * not count, as a mail that never arrives would lock everybody out. Of two who remove each other at once one succeeds.
 */
export function removeAdmin(db: Db, who: SignedIn, email: string, formKey?: unknown): Promise<RemoveAdminAnswer> {
  const form = {
    key: keyOfForm(formKey, 'admin.removed', { email }),
    personId: who.personId,
    parse: (kept: unknown): RemoveAdminAnswer => removedSchema.parse(kept),
    took: ({ removed }: RemoveAdminAnswer) => removed,
  };
  return once<RemoveAdminAnswer>(db, form, async (tx) => {
    const admins = await lockAdmins(tx);
    if (!admins.some(({ personId }) => personId === who.personId))
      return { removed: false, reason: 'no-admin-any-more' };
    // Whoever was admitted while this waited was asked about before there was such an admin. Locked now they would be out of
    // order, and two who remove each other's would deadlock.
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
    await appendActivities(tx, [
      {
        kind: 'admin.removed',
        actorId,
        subject: 'admin',
        subjectId: recordId,
        details: `${email} removed`,
        persons: [personId, who.personId],
      },
    ]);
    return { removed: true };
  });
}
