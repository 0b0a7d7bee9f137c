// Removes a technician and ends their access at once. Their calibrations stay, and say that they were removed.
import { endAccess } from '#app/people/end-access.server.ts';
import { lockPerson } from '#app/people/lock-person.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { technicianEvent } from '#app/transparency-log/events.server.ts';
import { findTechnician, loggedAs } from './queries.server.ts';

export type RemoveAnswer =
  | { removed: true }
  | { removed: false; reason: 'unknown' }
  | { removed: false; reason: 'removed'; by: string };

/** Removes the live technician with this address. If somebody else was first, the answer names them. */
export function removeTechnician(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { email, key }: { email: string; key?: unknown | undefined },
): Promise<RemoveAnswer> {
  return idempotent<RemoveAnswer>(db, { who, kind: 'technician.removed', key, values: { email } }, async (tx) => {
    const { personId } = await lockPerson(tx, email);
    const technician = await findTechnician(tx, email);
    if (technician === undefined) return { removed: false, reason: 'unknown' };
    if (technician.deletedAt !== null)
      return { removed: false, reason: 'removed', by: technician.deletedBy ?? 'Anonymous' };
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('technician')
      .set({ deletedAt: now(), deletedBy: actorId })
      .where('id', '=', technician.id)
      .execute();
    await endAccess(tx, personId);
    await appendLeaves(tx, [technicianEvent('technician.removed', loggedAs(technician))]);
    await appendActivity(tx, {
      kind: 'technician.removed',
      actorId,
      subject: 'technician',
      subjectId: technician.id,
      details: `${email} removed`,
      persons: [who.personId, personId],
    });
    return { removed: true };
  });
}
