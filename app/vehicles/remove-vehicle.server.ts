// Removes a vehicle from lists and searches, and restores it. No data of it is ever deleted.
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { activitiesOf, endByRemoval, leavesOf, reopenByRestoring } from '#app/check-visits/enter-check-visit.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { listBearers } from './choose-rego.server.ts';
import { mayBeSame } from './plates.ts';
import { continueVersions } from './continue-versions.server.ts';
import { applyDueRule } from './due-date.server.ts';
import { lockVehicle, type Vehicle } from './queries.server.ts';
import { plateText } from './plate-text.ts';

const UNIQUE_VIOLATION = '23505';

export type RemoveAnswer = { removed: true } | { removed: false; reason: 'removed' | 'unknown' };

/** Removes the live vehicle with this rego. Of two concurrent requests the second gets `removed: false`. */
export function removeVehicle(
  db: Db,
  who: SignedIn,
  { rego, key }: { rego: string; key?: unknown | undefined },
): Promise<RemoveAnswer> {
  return idempotent<RemoveAnswer>(db, { who, kind: 'vehicle.removed', key, values: { rego } }, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { removed: false, reason: found.state };
    const actorId = await actorOf(tx, who);
    const now = new Date();
    await tx
      .updateTable('vehicle')
      .set({ deletedAt: now, deletedBy: actorId, version: found.vehicle.version + 1 })
      .where('id', '=', found.vehicle.id)
      .execute();
    const checkVisits = await endByRemoval(tx, found.vehicle, { actorId, personId: who.personId, now });
    await appendLeaves(tx, [
      vehicleEvent('vehicle.deleted', found.vehicle, { ...found.vehicle }),
      ...leavesOf(checkVisits),
    ]);
    await appendActivities(tx, [
      { kind: 'vehicle.removed', ...aboutVehicle(found.vehicle, actorId, who), details: `${rego} removed` },
      ...activitiesOf(checkVisits),
    ]);
    return { removed: true };
  });
}

export type RestoreAnswer =
  | { restored: true; rego: string }
  | { restored: false; reason: 'unknown' }
  | { restored: false; reason: 'live-already'; rego: string }
  /** A new vehicle with this rego was added after the removal. */
  | { restored: false; reason: 'rego-taken'; rego: string };

/** Restores a removed vehicle, unless another live vehicle has its rego now. */
export async function restoreVehicle(
  db: Db,
  who: SignedIn,
  { id, key }: { id: string; key?: unknown | undefined },
): Promise<RestoreAnswer> {
  if (!isUuid(id)) return { restored: false, reason: 'unknown' };
  for (;;)
    try {
      return await restore(db, who, { id, key });
    } catch (error) {
      // A vehicle with the same rego was added concurrently, so the unique index refused this one. The next attempt
      // finds that vehicle, or restores this one if that vehicle was removed again. Each attempt can meet a further
      // such vehicle.
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
    }
}

function restore(db: Db, who: SignedIn, { id, key }: { id: string; key: unknown }): Promise<RestoreAnswer> {
  return idempotent<RestoreAnswer>(db, { who, kind: 'vehicle.restored', key, values: { id } }, async (tx) => {
    const known = await tx
      .selectFrom('vehicle')
      .select(['rego', 'plateState', 'deletedAt'])
      .where('id', '=', id)
      // That is for undoing the join.
      .where('joinedInto', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (known === undefined) return { restored: false, reason: 'unknown' };
    const { rego } = known;
    if (known.deletedAt === null) return { restored: false, reason: 'live-already', rego };
    const bearers = await listBearers(tx, plateText(rego), id);
    const taken = bearers.find((one) => one.rego === rego || mayBeSame(one.plateState, known.plateState));
    if (taken !== undefined) return { restored: false, reason: 'rego-taken', rego: taken.rego };
    const actorId = await actorOf(tx, who);
    const restored = await tx
      .updateTable('vehicle')
      .set({ deletedAt: null, deletedBy: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    // What counts by now may differ: a withdrawal reaches removed trucks too.
    const ruled = await applyVisits(tx, restored, actorId);
    await continueVersions(tx, { id, rego });
    const by = { actorId, personId: who.personId, now: new Date() };
    const checkVisits = await reopenByRestoring(tx, { id, rego }, { removedAt: known.deletedAt, by });
    await appendLeaves(tx, [
      vehicleEvent('vehicle.restored', { id, rego }, { ...restored, nextCalibrationDueOn: ruled.dueOn }),
      ...leavesOf(checkVisits),
    ]);
    const about = aboutVehicle({ id, rego }, actorId, who);
    await appendActivities(tx, [
      { kind: 'vehicle.restored', ...about, details: `${rego} restored`, changes: ruled.changes },
      ...activitiesOf(checkVisits),
    ]);
    return { restored: true, rego };
  });
}

// Without a visit the vehicle's record stays as it stood.
async function applyVisits(tx: Tx, vehicle: Vehicle, actorId: number) {
  const visit = await tx
    .selectFrom('visit')
    .select('id')
    .where('vehicleId', '=', vehicle.id)
    .limit(1)
    .executeTakeFirst();
  return visit === undefined
    ? { changes: [], dueOn: vehicle.nextCalibrationDueOn }
    : applyDueRule(tx, vehicle, actorId);
}
