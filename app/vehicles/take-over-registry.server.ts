// Takes over the vehicles that were in the registry before visits were checked. Their axle groups are those of their
// readings, so that a next visit can be complete; a due date beyond the longest interval after the last reading is cut
// to it. Runs once after the upgrade, beside the work of the day, in blocks; cut off at any moment, it goes on where it
// was.
import { sql } from 'kysely';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { axleGroupsText, type Axle } from './axle.ts';
import { noteValidation } from './decide-validation.server.ts';
import { dueChange } from './due-date.server.ts';

const VEHICLES_A_BLOCK = 500;

/** Takes over until all are done, or `isLost`: another node does it then. Returns how many vehicles changed. */
export async function takeOverRegistry(db: Db, zone: string, isLost: () => boolean): Promise<number> {
  let changed = 0;
  for (;;) {
    if (isLost()) return changed;
    const block = await db.transaction().execute((tx) => takeOverBlock(tx, zone));
    if (block === undefined) return changed;
    changed += block;
  }
}

type Found = {
  id: string;
  rego: string;
  calibrationValidated: boolean;
  nextCalibrationDueOn: string | null;
  lastCalibratedAt: Date;
  axleGroups: string;
  axles: Axle[];
  hasVisits: boolean;
};

// Undefined: nothing is left.
async function takeOverBlock(tx: Tx, zone: string): Promise<number | undefined> {
  const state = await tx.selectFrom('takingOver').selectAll().forUpdate().executeTakeFirstOrThrow();
  if (state.doneAt !== null) return undefined;
  const { rows } = await sql<Found>`
    select id, rego, calibration_validated, next_calibration_due_on, least(last_calibrated_at, now()) as last_calibrated_at,
      axle_groups,
      array(select distinct axle from calibration c where c.vehicle_id = v.id) as axles,
      exists (select from visit where visit.vehicle_id = v.id) as has_visits
    from vehicle v where id > ${state.afterId}::uuid and last_calibrated_at is not null
    order by id limit ${VEHICLES_A_BLOCK} for update`.execute(tx);
  const last = rows.at(-1);
  if (last === undefined) {
    await tx
      .updateTable('takingOver')
      .set({ doneAt: sql<Date>`now()` })
      .execute();
    return undefined;
  }
  const { longestIntervalDays } = await currentPolicy(tx);
  const events: LeafEvent[] = [];
  const entries: ActivityEntry[] = [];
  let grouped = 0;
  for (const vehicle of rows) {
    const { id, rego, calibrationValidated, nextCalibrationDueOn: before, lastCalibratedAt } = vehicle;
    const latest = addDays(todayIn(zone, lastCalibratedAt), longestIntervalDays);
    const isCut = !vehicle.hasVisits && before !== null && before > latest;
    const axleGroups = vehicle.axleGroups === '' ? axleGroupsText(vehicle.axles) : vehicle.axleGroups;
    if (axleGroups !== vehicle.axleGroups) grouped += 1;
    if (!isCut && axleGroups === vehicle.axleGroups) continue;
    const nextCalibrationDueOn = isCut ? latest : before;
    await tx
      .updateTable('vehicle')
      .set({ axleGroups, nextCalibrationDueOn, version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    events.push(vehicleEvent('vehicle.updated', vehicle, { calibrationValidated, nextCalibrationDueOn }));
    if (!isCut) continue;
    const reason = `Cut from ${formatDay(before)} to the longest interval after the last calibration`;
    const decision = { validated: calibrationValidated, nextDueOn: latest, reason };
    events.push(await noteValidation(tx, vehicle, { actorId: null, decision }));
    entries.push({
      kind: 'vehicle.updated',
      actorId: null,
      subject: 'vehicle',
      subjectId: id,
      details: `${rego}: ${reason}`,
      changes: [dueChange(before, latest)],
      rego,
    });
  }
  await tx.updateTable('takingOver').set({ afterId: last.id }).execute();
  if (grouped > 0)
    entries.push({
      kind: 'vehicle.updated',
      actorId: null,
      subject: 'vehicle',
      details: `Axle groups of ${grouped} vehicles taken from their readings`,
    });
  if (events.length > 0) await appendLeaves(tx, events);
  if (entries.length > 0) await appendActivities(tx, entries);
  return events.length;
}
