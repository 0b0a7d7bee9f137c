// A vehicle leaves lists and searches, and may come back. Nothing of it is ever deleted.
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { z } from 'zod';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { continueVersions } from './continue-versions.server.ts';
import { findVehicle, lockVehicle } from './queries.server.ts';

const UNIQUE_VIOLATION = '23505';

const removedSchema = z.object({ removed: z.literal(true) });
export type RemoveAnswer = z.infer<typeof removedSchema> | { removed: false; reason: 'removed' | 'unknown' };

/** Removes the live vehicle with this rego. Of two at once the second is told. */
export function removeVehicle(db: Db, who: SignedIn, rego: string, formKey?: unknown): Promise<RemoveAnswer> {
  const form = {
    key: keyOfForm(formKey, 'vehicle.removed', { rego }),
    personId: who.personId,
    parse: (kept: unknown): RemoveAnswer => removedSchema.parse(kept),
    took: ({ removed }: RemoveAnswer) => removed,
  };
  return once<RemoveAnswer>(db, form, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { removed: false, reason: found.state };
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('vehicle')
      .set({ deletedAt: new Date(), deletedBy: actorId, version: found.vehicle.version + 1 })
      .where('id', '=', found.vehicle.id)
      .execute();
    await appendLeaves(tx, [vehicleEvent('vehicle.deleted', found.vehicle, found.vehicle)]);
    await appendActivities(tx, [
      {
        kind: 'vehicle.removed',
        actorId,
        subject: 'vehicle',
        subjectId: found.vehicle.id,
        details: `${rego} removed`,
        rego,
        persons: [who.personId],
      },
    ]);
    return { removed: true };
  });
}

const restoredSchema = z.object({ restored: z.literal(true), rego: z.string() });
export type RestoreAnswer =
  | z.infer<typeof restoredSchema>
  | { restored: false; reason: 'unknown' }
  | { restored: false; reason: 'live-already'; rego: string }
  /** The rego was added anew since. */
  | { restored: false; reason: 'rego-taken'; rego: string };

/** Brings a removed vehicle back, unless its rego belongs to another live one now. */
export async function restoreVehicle(db: Db, who: SignedIn, id: string, formKey?: unknown): Promise<RestoreAnswer> {
  if (!isUuid(id)) return { restored: false, reason: 'unknown' };
  for (;;)
    try {
      return await restore(db, who, id, formKey);
    } catch (error) {
      // Added anew in this very moment: the unique index decided. Asked again, the new one stands there, unless it was
      // removed since, and then another may come in between.
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
    }
}

function restore(db: Db, who: SignedIn, id: string, formKey: unknown): Promise<RestoreAnswer> {
  const form = {
    key: keyOfForm(formKey, 'vehicle.restored', { id }),
    personId: who.personId,
    parse: (kept: unknown): RestoreAnswer => restoredSchema.parse(kept),
    took: ({ restored }: RestoreAnswer) => restored,
  };
  return once<RestoreAnswer>(db, form, async (tx) => {
    const known = await tx.selectFrom('vehicle').select('rego').where('id', '=', id).forUpdate().executeTakeFirst();
    if (known === undefined) return { restored: false, reason: 'unknown' };
    const { rego } = known;
    const live = await findVehicle(tx, rego);
    if (live.state === 'live')
      return { restored: false, reason: live.vehicle.id === id ? 'live-already' : 'rego-taken', rego };
    const actorId = await actorOf(tx, who);
    const restored = await tx
      .updateTable('vehicle')
      .set({ deletedAt: null, deletedBy: null })
      .where('id', '=', id)
      .returning(['calibrationValidated', 'nextCalibrationDueOn'])
      .executeTakeFirstOrThrow();
    await continueVersions(tx, { id, rego });
    await appendLeaves(tx, [vehicleEvent('vehicle.restored', { id, rego }, restored)]);
    await appendActivities(tx, [
      {
        kind: 'vehicle.restored',
        actorId,
        subject: 'vehicle',
        subjectId: id,
        details: `${rego} restored`,
        rego,
        persons: [who.personId],
      },
    ]);
    return { restored: true, rego };
  });
}
