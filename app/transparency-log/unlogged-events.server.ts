// Events of records that are not in the log yet: what an import has just written, and what was recorded before
// there was a log.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { LeafEvent, Origin } from './draft-leaf.server.ts';
import { certificateEvent, readingEvent, validationEvent, vehicleEvent, type LoggedReading } from './events.server.ts';
import type { RecordTable } from '#database/log-tables.ts';

export type UnitOf = (attribute: string) => string;

/** The events of `vehicleIds` and of all that belongs to them, vehicle by vehicle, each in the order of its records. */
export async function unloggedEvents(
  tx: Tx,
  vehicleIds: readonly string[],
  { origin, unitOf }: { origin: Origin; unitOf: UnitOf },
): Promise<LeafEvent[]> {
  if (vehicleIds.length === 0) return [];
  const events = [
    ...(await vehicles(tx, vehicleIds, origin)),
    ...(await calibrations(tx, vehicleIds, { origin, unitOf })),
    ...(await validations(tx, vehicleIds, origin)),
    ...(await certificates(tx, vehicleIds, origin)),
  ];
  const of = Map.groupBy(events, ({ vehicle }) => vehicle?.id);
  return vehicleIds.flatMap((id) => of.get(id) ?? []);
}

// As a scalar, which is asked of the index record by record; NOT EXISTS may become a join that reads all of the log.
const hasNoLeaf = (table: RecordTable, key: RawBuilder<string>): RawBuilder<boolean> =>
  sql`(select leaf_index from record_leaf where record_table = ${sql.lit(table)} and record_key = ${key} limit 1) is null`;

/** What the queries below have of a vehicle. */
type OfVehicle = { vehicleId: string; rego: string };
const vehicleOf = ({ vehicleId: id, rego }: OfVehicle) => ({ id, rego });

async function vehicles(tx: Tx, ids: readonly string[], origin: Origin): Promise<LeafEvent[]> {
  const found = await tx
    .selectFrom('vehicle')
    .select(['id', 'rego', 'calibrationValidated', 'nextCalibrationDueOn'])
    .where('id', 'in', ids)
    .where(hasNoLeaf('vehicle', sql`vehicle.id::text`))
    .execute();
  return found.map((vehicle) => vehicleEvent('vehicle.registered', vehicle, { ...vehicle, origin }));
}

async function calibrations(
  tx: Tx,
  ids: readonly string[],
  { origin, unitOf }: { origin: Origin; unitOf: UnitOf },
): Promise<LeafEvent[]> {
  const { rows } = await sql<OfVehicle & Omit<LoggedReading, 'unit'> & { name: string | null }>`
    select c.vehicle_id, c.rego, c.id, c.axle, c.attribute, c.value, c.due_on, c.calibrated_at, a.name
    from calibration c left join actor a on a.id = c.technician_id
    where c.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('calibration', sql`(c.rego || '/' || c.id) collate "default"`)}
    order by c.vehicle_id, c.id`.execute(tx);
  return rows.map((row) =>
    readingEvent(vehicleOf(row), { ...row, unit: unitOf(row.attribute) }, { technician: row.name, more: { origin } }),
  );
}

async function validations(tx: Tx, ids: readonly string[], origin: Origin): Promise<LeafEvent[]> {
  const { rows } = await sql<
    OfVehicle & {
      id: number;
      validated: boolean;
      nextDueOn: string | null;
      tick: boolean;
      dueOn: string | null;
      isLast: boolean;
    }
  >`
    select d.vehicle_id, d.id, d.validated, d.next_due_on, v.rego, v.calibration_validated as tick,
      v.next_calibration_due_on as due_on, lead(d.id) over (partition by d.vehicle_id order by d.id) is null as is_last
    from validation d join vehicle v on v.id = d.vehicle_id where d.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('validation', sql`d.id::text`)}
    order by d.vehicle_id, d.id`.execute(tx);
  return rows.flatMap((row) => {
    const { validated, nextDueOn, tick, dueOn, isLast } = row;
    const decided = validationEvent(vehicleOf(row), row, origin);
    // What stands now is said last.
    const now = { calibrationValidated: tick, nextCalibrationDueOn: dueOn };
    return isLast && (tick !== validated || dueOn !== nextDueOn)
      ? [decided, vehicleEvent('vehicle.rests', vehicleOf(row), { ...now, origin })]
      : [decided];
  });
}

// A link that ended since its leaf has one more event.
async function certificates(tx: Tx, ids: readonly string[], origin: Origin): Promise<LeafEvent[]> {
  const { rows } = await sql<OfVehicle & { id: string; content: string; removed: boolean; last: string | null }>`
    select f.vehicle_id, v.rego, f.id, coalesce(s.sha256, f.external_url) as content, f.removed_at is not null as removed,
      (select l.entry::jsonb ->> 'type' from record_leaf r join log_leaf l on l.index = r.leaf_index
        where r.record_table = 'vehicle_file' and r.record_key = f.id::text order by r.leaf_index desc limit 1) as last
    from vehicle_file f join vehicle v on v.id = f.vehicle_id left join stored_file s on s.id = f.file_id
    where f.vehicle_id = any(${ids}::uuid[]) and f.role = 'certificate'
    order by f.vehicle_id, f.id`.execute(tx);
  return rows
    .filter(({ removed, last }) => last === null || (removed && last === 'certificate.added'))
    .map((row) => certificateEvent(vehicleOf(row), row, origin));
}
