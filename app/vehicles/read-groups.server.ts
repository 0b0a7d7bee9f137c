// Which axle groups a truck's visits that count have read. Its list of groups that carry a sensor is never shorter: with a short
// list, few readings would make a visit complete.
import { sql, type RawBuilder } from 'kysely';
import type { ActivityChange } from '#database/tables.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { axleGroupsOf, axleGroupsText, type Axle } from './axle.ts';
import { COUNTING_STATES } from '#app/tlog/rests-on.ts';

const MONTHS = 24;

/** The groups with all four readings in a visit that counts, or in a calibration of before there were visits, within 24 months. */
export const groupsReadLately = (tx: Tx, vehicleId: string, now: Date): Promise<Axle[]> =>
  groupsRead(
    tx,
    sql`c.vehicle_id = ${vehicleId}::uuid
      and c.calibrated_at > ${now}::timestamptz - ${sql.lit(MONTHS)} * interval '1 month'
      and (v.id is null or v.state in (${sql.join(COUNTING_STATES.map((state) => sql.lit(state)))}))`,
  );

/** The groups with all four readings in this visit. */
export const groupsReadAt = (tx: Tx, visitId: string): Promise<Axle[]> =>
  groupsRead(tx, sql`c.visit_id = ${visitId}::uuid`);

async function groupsRead(tx: Tx, condition: RawBuilder<unknown>): Promise<Axle[]> {
  const { rows } = await sql<{ axle: Axle }>`select distinct c.axle from calibration c
    left join visit v on v.id = c.visit_id
    where ${condition} and c.value <> ''
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    group by c.axle, coalesce(v.id::text, (c.calibrated_at at time zone 'UTC')::date::text)
    having count(distinct c.attribute) = 4`.execute(tx);
  return rows.map(({ axle }) => axle);
}

/** Adds the groups that a visit which counts has read to the list of its locked truck. The caller's leaf covers `records`. */
export async function addToList(
  tx: Tx,
  vehicle: { id: string; axleGroups: string },
  read: readonly Axle[],
  actorId: number | null,
): Promise<{ records: RecordRef[]; changes: ActivityChange[] }> {
  const before = vehicle.axleGroups;
  const axleGroups = axleGroupsText([...axleGroupsOf(before), ...read]);
  if (axleGroups === before) return { records: [], changes: [] };
  await tx
    .updateTable('vehicle')
    .set({ axleGroups, version: sql`version + 1`, updatedAt: new Date(), updatedBy: actorId })
    .where('id', '=', vehicle.id)
    .execute();
  return {
    records: [{ table: 'vehicle', key: vehicle.id }],
    changes: [{ field: 'axle_groups', from: before, to: axleGroups }],
  };
}
