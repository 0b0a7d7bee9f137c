// Notes a repair of a weighbridge. A note is never changed.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { repairEvent } from '#app/transparency-log/reference-events.server.ts';
import { lockReference } from './queries.server.ts';
import type { RepairInput } from './reference-entry.ts';
import { referenceLine } from './reference.ts';

export type AddRepairAnswer = { added: true } | { added: false; reason: 'unknown' };

export function addRepair(
  db: Db,
  who: SignedIn,
  { referenceId, on: onDay, note, key }: { referenceId: string; key: unknown } & RepairInput,
): Promise<AddRepairAnswer> {
  const values = { referenceId, onDay, note };
  return idempotent<AddRepairAnswer>(db, { who, kind: 'repair.added', key, values }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const reference = await lockReference(tx, referenceId);
    if (reference === undefined) return { added: false, reason: 'unknown' };
    const { id } = await tx
      .insertInto('referenceRepair')
      .values({ ...values, addedBy: actorId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await appendLeaves(tx, [repairEvent(reference, { id, onDay })]);
    await appendActivity(tx, {
      kind: 'repair.added',
      actorId,
      subject: 'reference',
      subjectId: referenceId,
      details: `${referenceLine(reference)}: ${note}, ${onDay}`,
      persons: [who.personId],
    });
    return { added: true };
  });
}
