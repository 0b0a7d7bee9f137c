// An admin hides the photo of a visit, because it shows people. Its file answers no more and no page links it; the
// record of the set, with the photo's hash, stays, so a copy is still found.
import { sql } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { UNDO_MS } from '#app/forms/flash-messages.ts';
import { photoHiddenAt } from '#app/files/queries.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { lockVisit } from './visit-queries.server.ts';

export type HidePhotoAnswer = { hidden: true } | { hidden: false; reason: 'unknown' | 'no-photo' };

const HIDDEN_AT = sql<Date | null>`${sql.raw(photoHiddenAt('calibration_set.photo_id'))}`.as('photoHiddenAt');

export type PhotoOfVisit = { rego: string; visitedOn: string; photoId: string; photoHiddenAt: Date | null };

/** The photo of this visit. Undefined: there is no such visit, or it has none. */
export async function findPhotoOfVisit(db: Db, visitId: string): Promise<PhotoOfVisit | undefined> {
  if (!isUuid(visitId)) return undefined;
  return db
    .selectFrom('calibrationSet')
    .innerJoin('visit', 'visit.id', 'calibrationSet.id')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select(['rego', 'visitedOn', 'photoId', HIDDEN_AT])
    .where('visit.id', '=', visitId)
    .where('photoId', 'is not', null)
    .$narrowType<{ photoId: string }>()
    .executeTakeFirst();
}

type Asked = { visitId: string; now: Date; key: unknown };

/** Hides it for good, but for an undo at once. One that is hidden already stays as it is. */
export function hidePhoto(db: Db, who: SignedIn, { visitId, now, key }: Asked): Promise<HidePhotoAnswer> {
  return idempotent<HidePhotoAnswer>(db, { who, kind: 'photo.hidden', key, values: { visitId } }, async (tx) => {
    const found = await lockVisit(tx, visitId);
    if (found === undefined) return { hidden: false, reason: 'unknown' };
    const { visit, vehicle } = found;
    const set = await tx.selectFrom('calibrationSet').select('photoId').where('id', '=', visitId).executeTakeFirst();
    if (set === undefined || set.photoId === null) return { hidden: false, reason: 'no-photo' };
    if (visit.photoHiddenAt !== null) return { hidden: true };
    await tx.updateTable('visit').set({ photoHiddenAt: now }).where('id', '=', visitId).execute();
    await enter(tx, who, { kind: 'photo.hidden', vehicle, visitId });
    return { hidden: true };
  });
}

/** Takes back that it was hidden a moment ago. Later it stays hidden, as it shows people. */
export function showPhoto(db: Db, who: SignedIn, { visitId, now, key }: Asked): Promise<{ shown: boolean }> {
  return idempotent<{ shown: boolean }>(db, { who, kind: 'photo.shown', key, values: { visitId } }, async (tx) => {
    const found = await lockVisit(tx, visitId);
    const hiddenAt = found?.visit.photoHiddenAt ?? null;
    if (found === undefined || hiddenAt === null || Math.abs(now.getTime() - hiddenAt.getTime()) > UNDO_MS)
      return { shown: false };
    await tx.updateTable('visit').set({ photoHiddenAt: null }).where('id', '=', visitId).execute();
    await enter(tx, who, { kind: 'photo.shown', vehicle: found.vehicle, visitId });
    return { shown: true };
  });
}

async function enter(
  tx: Tx,
  who: SignedIn,
  { kind, vehicle, visitId }: { kind: 'photo.hidden' | 'photo.shown'; vehicle: Vehicle; visitId: string },
): Promise<void> {
  const records = [{ table: 'visit', key: visitId }] as const;
  await appendLeaves(tx, [visitEvent(kind, vehicle, { body: { visit: visitId }, records })]);
  await appendActivity(tx, {
    kind,
    actorId: await actorOf(tx, who),
    subject: 'visit',
    subjectId: visitId,
    details: vehicle.rego,
    rego: vehicle.rego,
    persons: [who.personId],
  });
}
