// An admin records until when a technician's trade licence is valid. Visits after that day wait.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { technicianEvent } from '#app/transparency-log/events.server.ts';
import { loggedAs } from './queries.server.ts';
import { aboutThem, lockForDecision, type NotDecided } from './suspend-technician.server.ts';

export type RecordLicenceAnswer = { decided: true } | NotDecided;

/** `endsOn`: the last day on which it is valid; null: not known. What is recorded already adds no entry. */
export function recordLicenceEnd(
  { db }: Pick<Services, 'db'>,
  who: SignedIn,
  { email, endsOn, key }: { email: string; endsOn: string | null; key: unknown },
): Promise<RecordLicenceAnswer> {
  const on = { kind: 'technician.updated', key, values: { email, endsOn } } as const;
  return idempotent<RecordLicenceAnswer>(db, { who, ...on }, async (tx) => {
    const found = await lockForDecision(tx, who, email);
    if ('reason' in found) return found;
    const { technician } = found;
    if (technician.licenceEndsOn === endsOn) return { decided: true };
    const actorId = await actorOf(tx, who);
    await tx.updateTable('technician').set({ licenceEndsOn: endsOn }).where('id', '=', technician.id).execute();
    await appendLeaves(tx, [technicianEvent('technician.updated', loggedAs(technician))]);
    await appendActivity(tx, {
      ...aboutThem(who, technician),
      kind: 'technician.updated',
      actorId,
      details: `${email} updated`,
      changes: [{ field: 'licence_ends_on', from: technician.licenceEndsOn, to: endsOn }],
    });
    return { decided: true };
  });
}
