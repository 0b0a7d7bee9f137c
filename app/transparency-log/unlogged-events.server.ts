// Events of records that are not in the log yet: what an import has just written, and what was recorded before
// there was a log.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import type { LeafEvent, Origin } from './draft-leaf.server.ts';
import { certificateEvent, readingEvent, validationEvent, vehicleEvent, type LoggedVehicle } from './events.server.ts';
import { coveredRows, type RecordRow } from './record-snapshot.server.ts';
import type { RecordTable } from '#database/log-tables.ts';

export type UnitOf = (attribute: string) => string;
type Unlogged = { events: LeafEvent[]; known: Map<string, RecordRow> };

/**
 * The events of `vehicleIds` and of all that belongs to them, vehicle by vehicle, each in the order of its records.
 * `known`: of what they cover, the rows that were read for them.
 */
export async function unloggedEvents(
  tx: Tx,
  vehicleIds: readonly string[],
  origin: Origin,
  unitOf: UnitOf,
): Promise<Unlogged> {
  if (vehicleIds.length === 0) return { events: [], known: new Map() };
  const found = [
    await vehicles(tx, vehicleIds, origin),
    await calibrations(tx, vehicleIds, origin, unitOf),
    await validations(tx, vehicleIds, origin),
    await certificates(tx, vehicleIds, origin),
  ];
  const of = new Map<string, LeafEvent[]>(vehicleIds.map((id) => [id, []]));
  for (const { events } of found) for (const [id, event] of events) of.get(id)?.push(event);
  return { events: [...of.values()].flat(), known: new Map(found.flatMap(({ known }) => [...known])) };
}

type Found = { events: [vehicleId: string, event: LeafEvent][]; known: Map<string, RecordRow> };

async function vehicles(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found> {
  const { rows } = await sql<{
    row: LoggedVehicle & { calibration_validated: boolean; next_calibration_due_on: string | null };
  }>`
    select row_to_json(v) as row from vehicle v where id = any(${ids}::uuid[])
      and ${hasNoLeaf('vehicle', sql`v.id::text`)}`.execute(tx.withoutPlugins());
  return {
    events: rows.map(({ row }) => {
      const { calibration_validated: calibrationValidated, next_calibration_due_on: nextCalibrationDueOn } = row;
      return [row.id, vehicleEvent('vehicle.registered', row, { calibrationValidated, nextCalibrationDueOn }, origin)];
    }),
    known: knownOf('vehicle', rows, ({ id }) => id),
  };
}

const knownOf = <Row extends Record<string, unknown>>(
  table: RecordTable,
  rows: readonly { row: Row }[],
  keyOf: (row: Row) => string,
) =>
  coveredRows(
    table,
    rows.map(({ row }) => ({ key: keyOf(row), row })),
  );

// As a scalar, which is asked of the index record by record; NOT EXISTS may become a join that reads all of the log.
const hasNoLeaf = (table: RecordTable, key: RawBuilder<string>): RawBuilder<boolean> =>
  sql`(select leaf_index from record_leaf where record_table = ${sql.lit(table)} and record_key = ${key} limit 1) is null`;

type Reading = {
  vehicle_id: string;
  rego: string;
  id: number;
  axle: string;
  attribute: string;
  value: string;
  due_on: string | null;
  calibrated_at: string;
};

async function calibrations(tx: Tx, ids: readonly string[], origin: Origin, unitOf: UnitOf): Promise<Found> {
  const { rows } = await sql<{ row: Reading; name: string | null }>`
    select row_to_json(c) as row, a.name
    from calibration c left join actor a on a.id = c.technician_id
    where c.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('calibration', sql`(c.rego || '/' || c.id) collate "default"`)}
    order by c.vehicle_id, c.id`.execute(tx.withoutPlugins());
  return {
    events: rows.map(({ row, name }) => {
      const { vehicle_id: vehicleId, rego, id, axle, attribute, value, due_on: dueOn } = row;
      const calibratedAt = instantOf(row.calibrated_at);
      const reading = { id, axle, attribute, value, unit: unitOf(attribute), dueOn, calibratedAt };
      return [vehicleId, readingEvent({ id: vehicleId, rego }, reading, name, { origin })];
    }),
    known: knownOf('calibration', rows, ({ rego, id }) => `${rego}/${id}`),
  };
}

async function validations(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found> {
  const { rows } = await sql<{
    row: { vehicle_id: string; id: number; validated: boolean; next_due_on: string | null };
    rego: string;
    tick: boolean;
    due_on: string | null;
    is_last: boolean;
  }>`
    select row_to_json(d) as row, v.rego, v.calibration_validated as tick, v.next_calibration_due_on as due_on,
      lead(d.id) over (partition by d.vehicle_id order by d.id) is null as is_last
    from validation d join vehicle v on v.id = d.vehicle_id where d.vehicle_id = any(${ids}::uuid[])
      and ${hasNoLeaf('validation', sql`d.id::text`)}
    order by d.vehicle_id, d.id`.execute(tx.withoutPlugins());
  return {
    events: rows.flatMap(({ row, rego, tick, due_on: dueOn, is_last: isLast }): Found['events'] => {
      const { vehicle_id: vehicleId, id, validated, next_due_on: nextDueOn } = row;
      const vehicle = { id: vehicleId, rego };
      const decided = validationEvent(vehicle, { id, validated, nextDueOn }, origin);
      // What stands now is said last.
      const now = { calibrationValidated: tick, nextCalibrationDueOn: dueOn };
      return isLast && (tick !== validated || dueOn !== nextDueOn)
        ? [
            [vehicleId, decided],
            [vehicleId, vehicleEvent('vehicle.rests', vehicle, now, origin)],
          ]
        : [[vehicleId, decided]];
    }),
    known: knownOf('validation', rows, ({ id }) => String(id)),
  };
}

// A link that ended since its leaf has one more event.
async function certificates(tx: Tx, ids: readonly string[], origin: Origin): Promise<Found> {
  const { rows } = await sql<{
    vehicleId: string;
    rego: string;
    id: string;
    content: string;
    removed: boolean;
    last: string | null;
  }>`
    select f.vehicle_id, v.rego, f.id, coalesce(s.sha256, f.external_url) as content, f.removed_at is not null as removed,
      (select l.entry::jsonb ->> 'type' from record_leaf r join log_leaf l on l.index = r.leaf_index
        where r.record_table = 'vehicle_file' and r.record_key = f.id::text order by r.leaf_index desc limit 1) as last
    from vehicle_file f join vehicle v on v.id = f.vehicle_id left join stored_file s on s.id = f.file_id
    where f.vehicle_id = any(${ids}::uuid[]) and f.role = 'certificate'
    order by f.vehicle_id, f.id`.execute(tx);
  return {
    events: rows
      .filter(({ removed, last }) => last === null || (removed && last === 'certificate.added'))
      .map((row) => [row.vehicleId, certificateEvent({ id: row.vehicleId, rego: row.rego }, row, origin)]),
    known: new Map(),
  };
}
