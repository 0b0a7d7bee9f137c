// Which axle groups a truck's visits that count have read. Its list of groups that carry a sensor is never shorter:
// with a short list, few readings would make a visit complete.
import { sql, type RawBuilder } from 'kysely';
import type { ActivityChange } from '#database/tables.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { addDetails, type Details } from './group-details.ts';
import { axleGroupsOf, axleGroupsText, AXLES, type Axle } from './axle.ts';
import { counts } from '#app/transparency-log/ruling-visit.server.ts';

const MONTHS = 24;

/** `zone`: the registry's. */
type Moment = { now: Date; zone: string };

/**
 * By vehicle, the groups with all four readings in a visit that counts, or in one day of calibrations from before there
 * were visits, within 24 months. Not those that an admin took off the list since.
 */
export async function groupsReadLately(
  tx: Db | Tx,
  vehicleIds: readonly string[],
  { now, zone }: Moment,
): Promise<Map<string, Axle[]>> {
  const { rows } = await groupsRead(
    tx,
    sql`c.vehicle_id = any(${vehicleIds}::uuid[])
      and c.calibrated_at > ${now}::timestamptz - ${sql.lit(MONTHS)} * interval '1 month'
      and (v.id is null or ${counts('v.state')})`,
    sql`coalesce(v.id::text, (c.calibrated_at at time zone ${zone})::date::text)`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ vehicleId }) => vehicleId)].map(([id, of]) => [id, of.map(({ axle }) => axle)]),
  );
}

/** The groups with all four readings in this visit. */
export const groupsReadAt = async (tx: Tx, visitId: string): Promise<Axle[]> =>
  (await groupsRead(tx, sql`c.visit_id = ${visitId}::uuid`, sql`v.id`)).rows.map(({ axle }) => axle);

// An empty list takes nothing away: it says that nothing is known.
const IS_TAKEN_AWAY = sql`exists (select from activity_log l join activity_detail d on d.index = l.index
    cross join jsonb_array_elements(d.changes) change
  where l.subject = 'vehicle' and l.subject_id = c.vehicle_id::text and l.kind = 'vehicle.updated' and l.at > max(c.recorded_at)
    and change ->> 'field' = 'axle_groups' and strpos(change ->> 'from', c.axle) > 0 and strpos(change ->> 'to', c.axle) = 0
    and change ->> 'to' <> '')`;

const groupsRead = (tx: Db | Tx, condition: RawBuilder<unknown>, together: RawBuilder<unknown>) =>
  sql<{ vehicleId: string; axle: Axle }>`select distinct c.vehicle_id, c.axle from calibration c
    left join visit v on v.id = c.visit_id
    where ${condition} and c.value <> ''
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    group by c.vehicle_id, c.axle, ${together}
    having count(distinct c.attribute) = 4 and not ${IS_TAKEN_AWAY}`.execute(tx);

/**
 * By vehicle, the groups that a visit is held against: those of its list, and what was read lately, as a list from
 * before visits added to it may be shorter. None without a list.
 */
export async function fittedGroups(
  tx: Db | Tx,
  vehicles: readonly { id: string; axleGroups: string }[],
  moment: Moment,
): Promise<Map<string, Axle[]>> {
  const isShort = ({ axleGroups }: { axleGroups: string }) =>
    axleGroups !== '' && axleGroupsOf(axleGroups).length < AXLES.length;
  const ids = vehicles.filter(isShort).map(({ id }) => id);
  const read = ids.length === 0 ? new Map<string, Axle[]>() : await groupsReadLately(tx, ids, moment);
  return new Map(
    vehicles.map(({ id, axleGroups }) => [
      id,
      axleGroupsOf(axleGroupsText([...axleGroupsOf(axleGroups), ...(read.get(id) ?? [])])),
    ]),
  );
}

/** Of one. */
export const fittedOf = async (
  tx: Db | Tx,
  vehicle: { id: string; axleGroups: string },
  moment: Moment,
): Promise<Axle[]> => (await fittedGroups(tx, [vehicle], moment)).get(vehicle.id) ?? [];

/**
 * By vehicle, what only an admin takes off its list: all of it; of an empty one, which begins with what its visits
 * read.
 */
export async function groupsToKeep(
  tx: Db | Tx,
  vehicles: readonly { id: string; axleGroups: string }[],
  moment: Moment,
): Promise<Map<string, Axle[]>> {
  const ids = vehicles.flatMap(({ id, axleGroups }) => (axleGroups === '' ? [id] : []));
  const read = ids.length === 0 ? new Map<string, Axle[]>() : await groupsReadLately(tx, ids, moment);
  return new Map(
    vehicles.map(({ id, axleGroups }) => [id, axleGroups === '' ? (read.get(id) ?? []) : axleGroupsOf(axleGroups)]),
  );
}

/** What a visit changes of its locked vehicle. The caller's leaf covers `records`. */
type Learned = { records: RecordRef[]; changes: ActivityChange[] };

/** Adds the groups that a counting visit has read to its locked truck's list. */
export function addToList(
  tx: Tx,
  vehicle: { id: string; axleGroups: string },
  { read, actorId }: { read: readonly Axle[]; actorId: number | null },
): Promise<Learned> {
  const axleGroups = axleGroupsText([...axleGroupsOf(vehicle.axleGroups), ...read]);
  return learn(tx, vehicle.id, { set: { axleGroups }, field: 'axle_groups', from: vehicle.axleGroups, actorId });
}

/** Keeps what a visit's form says of groups of which nothing was known. `vehicle`: as it is then. */
export async function learnDetails<V extends { id: string; groupDetails: string }>(
  tx: Tx,
  vehicle: V,
  { said, actorId }: { said: Details; actorId: number | null },
): Promise<Learned & { vehicle: V }> {
  const groupDetails = addDetails(vehicle.groupDetails, said);
  const from = vehicle.groupDetails;
  const learned = await learn(tx, vehicle.id, { set: { groupDetails }, field: 'group_details', from, actorId });
  return { ...learned, vehicle: { ...vehicle, groupDetails } };
}

async function learn(
  tx: Tx,
  id: string,
  { set, field, from, actorId }: { set: Record<string, string>; field: string; from: string; actorId: number | null },
): Promise<Learned> {
  const [to = ''] = Object.values(set);
  if (to === from) return { records: [], changes: [] };
  await tx
    .updateTable('vehicle')
    .set({ ...set, version: sql`version + 1`, updatedAt: new Date(), updatedBy: actorId })
    .where('id', '=', id)
    .execute();
  return { records: [{ table: 'vehicle', key: id }], changes: [{ field, from, to }] };
}
