// After the upgrade each live vehicle gets one entry that says on what its verdict rests, so that a proof that is
// carried answers as its page does. Beside the work of the day, block by block; cut off at any moment, it goes on where
// it was, and enters nothing twice.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';

const VEHICLES_A_BLOCK = 1000;

/** Enters the next block. Returns how many vehicles it looked at; 0: nothing is left, or nothing can be entered yet. */
export async function enterRests(db: Db, vehiclesABlock = VEHICLES_A_BLOCK): Promise<number> {
  const { doneAt } = await db.selectFrom('restsEntered').select('doneAt').executeTakeFirstOrThrow();
  const { beforeLog } = await db.selectFrom('activityState').select('beforeLog').executeTakeFirstOrThrow();
  return doneAt !== null || !beforeLog ? 0 : db.transaction().execute((tx) => enterBlock(tx, vehiclesABlock));
}

type Found = {
  id: string;
  rego: string;
  calibrationValidated: boolean;
  nextCalibrationDueOn: string | null;
  isSaid: boolean;
};

// Locks in the order of a recording: the vehicles by their ids, the log.
async function enterBlock(tx: Tx, limit: number): Promise<number> {
  const { afterId } = await tx.selectFrom('restsEntered').selectAll().forUpdate().executeTakeFirstOrThrow();
  const { rows } = await sql<Found>`
    select id, rego, calibration_validated, next_calibration_due_on, coalesce((
      select l.entry like '%"restsOn":%' from record_leaf r join log_leaf l on l.index = r.leaf_index
      where r.record_table = 'vehicle' and r.record_key = v.id::text order by r.leaf_index desc limit 1), false) as is_said
    from vehicle v where id > ${afterId}::uuid and deleted_at is null
    order by id limit ${limit} for update of v`.execute(tx);
  const last = rows.at(-1);
  const doneAt = last === undefined ? sql<Date>`now()` : null;
  await tx
    .updateTable('restsEntered')
    .set({ afterId: last?.id ?? afterId, doneAt })
    .execute();
  const events = rows
    .filter(({ isSaid }) => !isSaid)
    .map((vehicle) => vehicleEvent('vehicle.rests', vehicle, { ...vehicle }));
  if (events.length > 0) await appendLeaves(tx, events);
  return rows.length;
}
