// Undoes a join within 30 days, while nothing else was recorded on the joined record: both are as they were.
import { sql } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { partedEvent, vehicleEvent } from '#app/transparency-log/events.server.ts';
import { aboutVehicle } from '#app/vehicles/about-vehicle.server.ts';
import { withTakenAgain } from '#app/vehicles/change-plate.server.ts';
import { listBearers } from '#app/vehicles/choose-rego.server.ts';
import { continueVersions } from '#app/vehicles/continue-versions.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { mayBeSame } from '#app/vehicles/plates.ts';
import { applyVisits, findById, regosOf } from './join-records.server.ts';
import { moveBack } from './move-records.server.ts';
import { findJoin } from './queries.server.ts';

const DAY_MS = 24 * 3_600_000;
export const UNDO_DAYS = 30;

/** The joins since then may be undone. */
export const undoableSince = (now: Date): Date => new Date(now.getTime() - UNDO_DAYS * DAY_MS);

export type PartAnswer =
  | { parted: true; rego: string }
  /** `recorded`: something was, since. `taken`: another vehicle has its plate. */
  | { parted: false; reason: 'gone' | 'too-late' | 'recorded' | 'taken' };

export function partRecords(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { id, key }: { id: string; key: unknown },
): Promise<PartAnswer> {
  const at = now();
  return withTakenAgain(() =>
    idempotent<PartAnswer>(db, { who, kind: 'vehicle.parted', key, values: { id } }, async (tx) => {
      const known = await findJoin(tx, id);
      if (known === undefined) return { parted: false, reason: 'gone' };
      const { vehicleId, keptId } = known;
      await tx
        .selectFrom('vehicle')
        .select('id')
        .where('id', 'in', [vehicleId, keptId])
        .orderBy('id')
        .forUpdate()
        .execute();
      const join = await findJoin(tx, id);
      if (join === undefined || join.joinedAt === null) return { parted: false, reason: 'gone' };
      if (join.joinedAt < undoableSince(at)) return { parted: false, reason: 'too-late' };
      const [kept, other] = [await findById(tx, keptId), await findById(tx, vehicleId)];
      if (kept.deletedAt !== null || (await hasNewEntries(tx, join))) return { parted: false, reason: 'recorded' };
      const bearers = await listBearers(tx, plateText(other.rego), other.id);
      if (bearers.some(({ rego, plateState }) => rego === other.rego || mayBeSame(plateState, other.plateState)))
        return { parted: false, reason: 'taken' };
      const actorId = await actorOf(tx, who);
      const regos = await regosOf(tx, kept);
      await moveBack(tx, { from: other.id, to: kept.id });
      await tx
        .updateTable('vehicle')
        .set({ joinedInto: null, deletedAt: null, deletedBy: null })
        .where('id', '=', other.id)
        .execute();
      await continueVersions(tx, other);
      await tx
        .updateTable('vehicle')
        .set({ version: kept.version + 1, updatedAt: at, updatedBy: actorId })
        .where('id', '=', kept.id)
        .execute();
      await tx.updateTable('joinedRecord').set({ partedBy: actorId, partedAt: at }).where('id', '=', id).execute();
      await applyVisits(tx, other, actorId);
      if (!(await applyVisits(tx, kept, actorId)))
        await tx
          .updateTable('vehicle')
          .set({ nextCalibrationDueOn: join.keptDueOn, restsOn: join.keptRestsOn })
          .where('id', '=', kept.id)
          .execute();
      const [restored, left] = [await findById(tx, other.id), await findById(tx, kept.id)];
      await appendLeaves(tx, [vehicleEvent('vehicle.restored', restored, { ...restored }), partedEvent(left, id)]);
      await appendActivity(tx, {
        kind: 'vehicle.parted',
        ...aboutVehicle(kept, actorId, who),
        regos,
        persons: [who.personId, join.personId],
        details: `${other.rego} and ${kept.rego} are two records again`,
      });
      return { parted: true, rego: kept.rego };
    }),
  );
}

// Whether the chain of the kept record has entries since the join, but for those of other joins and their undoing.
async function hasNewEntries(tx: Tx, { id, keptId }: { id: string; keptId: string }): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with joined as (select r.leaf_index, (l.entry::jsonb ->> 'subjectSeq')::int as seq
      from record_leaf r join log_leaf l on l.index = r.leaf_index
      where r.record_table = 'joined_record' and r.record_key = ${id} order by r.leaf_index limit 1)
    select c.length > j.seq + (select count(*) from record_leaf r join log_leaf l on l.index = r.leaf_index
        where r.record_table = 'vehicle' and r.record_key = ${keptId} and r.leaf_index > j.leaf_index
          and l.entry::jsonb ->> 'type' in ('vehicle.joined', 'vehicle.parted', 'vehicle.deleted', 'vehicle.restored')) as is_new
    from joined j join log_chain c on c.vehicle_id = ${keptId}::uuid`.execute(tx);
  return rows[0]?.isNew !== false;
}
