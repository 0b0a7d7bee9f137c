// Changes the fields of a weighbridge, but only if nobody changed them after the form was opened.
import { sql } from 'kysely';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { referenceEvent } from '#app/transparency-log/reference-events.server.ts';
import { findNamed, lockReference, type Reference } from './queries.server.ts';
import { changesOf, columnsOf } from './reference-columns.server.ts';
import type { ReferenceInput } from './reference-entry.ts';
import { referenceLine } from './reference.ts';

export type UpdateReferenceAnswer =
  | { updated: true }
  | { updated: false; reason: 'unknown' }
  /** Another weighbridge has this name, place and state. */
  | { updated: false; reason: 'exists'; id: string }
  /** Somebody else saved after the form was opened. */
  | { updated: false; reason: 'stale' };

export function updateReference(
  db: Db,
  who: SignedIn,
  { id, input, key }: { id: string; input: ReferenceInput; key: unknown },
): Promise<UpdateReferenceAnswer> {
  const values = { id, ...input };
  return idempotent<UpdateReferenceAnswer>(db, { who, kind: 'reference.updated', key, values }, async (tx) => {
    await lockNames(tx);
    const actorId = await actorOf(tx, who);
    const reference = await lockReference(tx, id);
    if (reference === undefined) return { updated: false, reason: 'unknown' };
    if (reference.version !== input.version) return { updated: false, reason: 'stale' };
    const other = await findNamed(tx, input);
    if (other !== undefined && other.id !== id) return { updated: false, reason: 'exists', id: other.id };
    const changes = changesOf(reference, columnsOf(input));
    if (changes.length === 0) return { updated: true };
    await changeReference(tx, actorId, { ...reference, input });
    await appendLeaves(tx, [referenceEvent('reference.updated', { ...input, id })]);
    await appendActivity(tx, {
      kind: 'reference.updated',
      actorId,
      subject: 'reference',
      subjectId: id,
      details: `${referenceLine(input)} updated`,
      changes,
      persons: [who.personId],
    });
    return { updated: true };
  });
}

/** Until the transaction ends nobody else adds or changes a weighbridge. Readers do not wait. */
export const lockNames = (tx: Tx) => sql`lock table reference in share row exclusive mode`.execute(tx);

export async function changeReference(
  tx: Tx,
  actorId: number,
  { id, version, input }: { input: Omit<ReferenceInput, 'version'> } & Pick<Reference, 'id' | 'version'>,
): Promise<void> {
  await tx
    .updateTable('reference')
    .set({ ...columnsOf(input), version: version + 1, updatedAt: new Date(), updatedBy: actorId })
    .where('id', '=', id)
    .execute();
}
