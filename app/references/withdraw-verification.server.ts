// Withdraws a verification period that was recorded wrongly. It stays in the record, and covers no day any more.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { verificationEvent } from '#app/transparency-log/reference-events.server.ts';
import { findVerification, lockReference } from './queries.server.ts';
import { referenceLine } from './reference.ts';

export type WithdrawVerificationAnswer =
  | { withdrawn: true }
  | { withdrawn: false; reason: 'unknown' | 'withdrawn-already' };

export function withdrawVerification(
  db: Db,
  who: SignedIn,
  { which, reason, key }: { which: { referenceId: string; verificationId: string }; reason: string; key: unknown },
): Promise<WithdrawVerificationAnswer> {
  const values = { ...which, reason };
  const on = { kind: 'verification.withdrawn', key, values } as const;
  return idempotent<WithdrawVerificationAnswer>(db, { who, ...on }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const reference = await lockReference(tx, which.referenceId);
    const period = await findVerification(tx, which);
    if (reference === undefined || period === undefined) return { withdrawn: false, reason: 'unknown' };
    if (period.removedAt !== null) return { withdrawn: false, reason: 'withdrawn-already' };
    await tx
      .updateTable('referenceVerification')
      .set({ removedAt: new Date(), removedBy: actorId, removedReason: reason })
      .where('id', '=', period.id)
      .execute();
    await appendLeaves(tx, [verificationEvent(reference, { ...period, withdrawn: true })]);
    await appendActivity(tx, {
      kind: 'verification.withdrawn',
      actorId,
      subject: 'reference',
      subjectId: reference.id,
      details: `${referenceLine(reference)}: ${period.certificateNumber}, ${period.fromOn} to ${period.toOn}: ${reason}`,
      persons: [who.personId],
    });
    return { withdrawn: true };
  });
}
