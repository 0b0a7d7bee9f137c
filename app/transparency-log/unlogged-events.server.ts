// Events of records that are there and not in the log yet: what an import has just written, and what was recorded before
// there was a log.
import { sql, type RawBuilder } from 'kysely';
import type { Axle, CalibrationAttribute } from '#app/calibrations/calibration.ts';
import type { Tx } from '#app/platform/database.server.ts';
import type { LeafEvent } from './draft-leaf.server.ts';
import {
  calibrationEvent,
  certificateEvent,
  validationEvent,
  vehicleEvent,
  type LoggedVehicle,
} from './events.server.ts';
import type { RecordTable } from './record-snapshot.server.ts';

type Origin = NonNullable<LeafEvent['origin']>;

/** The events of `vehicleIds` and of all that belongs to them, vehicle by vehicle, each in the order of its records. */
export async function unloggedEvents(tx: Tx, vehicleIds: readonly string[], origin: Origin): Promise<LeafEvent[]> {
  if (vehicleIds.length === 0) return [];
  const of = new Map<string, LeafEvent[]>(vehicleIds.map((id) => [id, []]));
  for (const [id, event] of [
    ...(await vehicles(tx, vehicleIds, origin)),
    ...(await calibrations(tx, vehicleIds, origin)),
    ...(await validations(tx, vehicleIds, origin)),
    ...(await certificates(tx, vehicleIds, origin)),
  ])
    of.get(id)?.push(event);
  return [...of.values()].flat();
}

// Names as they are here: turning those of the database into them takes longer than a row does.
type Found = [vehicleId: string, event: LeafEvent];

async function vehicles(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found[]> {
  const { rows } = await sql<LoggedVehicle & { calibrationValidated: boolean; nextCalibrationDueOn: string | null }>`
    select id, rego, calibration_validated as "calibrationValidated",
      next_calibration_due_on as "nextCalibrationDueOn" from vehicle v where id = any(${ids}::uuid[])
      and ${hasNoLeaf('vehicle', sql`v.id::text`)}`.execute(tx.withoutPlugins());
  return rows.map((row) => [row.id, vehicleEvent('vehicle.registered', row, row, origin)]);
}

// As a scalar, which is asked of the index record by record; NOT EXISTS may become a join that reads all of the log.
const hasNoLeaf = (table: RecordTable, key: RawBuilder<string>): RawBuilder<boolean> =>
  sql`(select leaf_index from record_leaf where record_table = ${sql.lit(table)} and record_key = ${key} limit 1) is null`;

type Reading = {
  vehicleId: string;
  rego: string;
  id: number;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  dueOn: string | null;
  calibratedAt: Date;
  name: string | null;
};

async function calibrations(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found[]> {
  const { rows } = await sql<Reading>`
    select c.vehicle_id as "vehicleId", c.rego, c.id, c.axle, c.attribute, c.value, c.due_on as "dueOn",
      c.calibrated_at as "calibratedAt", a.name
    from calibration c left join actor a on a.id = c.technician_id
    where c.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('calibration', sql`(c.rego || '/' || c.id) collate "default"`)}
    order by c.vehicle_id, c.id`.execute(tx.withoutPlugins());
  return rows.map((row) => [
    row.vehicleId,
    calibrationEvent({ id: row.vehicleId, rego: row.rego }, row, row.name, { origin }),
  ]);
}

async function validations(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found[]> {
  const { rows } = await sql<{
    vehicleId: string;
    rego: string;
    id: number;
    validated: boolean;
    nextDueOn: string | null;
  }>`
    select d.vehicle_id as "vehicleId", v.rego, d.id, d.validated, d.next_due_on as "nextDueOn"
    from validation d join vehicle v on v.id = d.vehicle_id where d.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('validation', sql`d.id::text`)}
    order by d.vehicle_id, d.id`.execute(tx.withoutPlugins());
  return rows.map((row) => [row.vehicleId, validationEvent({ id: row.vehicleId, rego: row.rego }, row, origin)]);
}

// A link that ended since its leaf has one more event.
async function certificates(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found[]> {
  const { rows } = await sql<{
    vehicleId: string;
    rego: string;
    id: string;
    content: string;
    removed: boolean;
    last: string | null;
  }>`
    select f.vehicle_id as "vehicleId", v.rego, f.id, coalesce(s.sha256, f.external_url) as content, f.removed_at is not null as removed,
      (select l.entry::jsonb ->> 'type' from record_leaf r join log_leaf l on l.index = r.leaf_index
        where r.record_table = 'vehicle_file' and r.record_key = f.id::text order by r.leaf_index desc limit 1) as last
    from vehicle_file f join vehicle v on v.id = f.vehicle_id left join stored_file s on s.id = f.file_id
    where f.vehicle_id = any(${ids}::uuid[]) and f.role = 'certificate'
    order by f.vehicle_id, f.id`.execute(tx.withoutPlugins());
  return rows
    .filter(({ removed, last }) => last === null || (removed && last === 'certificate.added'))
    .map((row) => [row.vehicleId, certificateEvent({ id: row.vehicleId, rego: row.rego }, row, origin)]);
}
