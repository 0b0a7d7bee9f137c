// The calibrations of one block of vehicles.
import { sql, type Selectable } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { calibrationEvent } from '#app/readings/insert-readings.server.ts';
import { findLeafOf } from '#app/transparency-log/queries.server.ts';
import type { ActivityChange, Tables } from '#database/tables.ts';
import type { ImportJob } from './import-job.server.ts';
import type { ParsedCalibration } from './parse-calibrations.ts';
import type { ParsedVehicle } from './parse-vehicle.ts';

type Target = { key: string; vehicle: ParsedVehicle; vehicleId: string };
type Tally = {
  key: string;
  rego: string;
  /** A visit was recorded here: what the import adds is judged. */
  hasVisits: boolean;
  added: number;
  unchanged: number;
  changed: { id: number; changes: ActivityChange[] }[];
  taken: number[];
};
/** By vehicle. `taken`: ids that another record of the same rego has, or an entry that was recorded here. */
export type AddedCalibrations = Map<string, Tally>;

/** Adds what is new, and takes over what changed in the export. */
export async function addCalibrations(tx: Tx, job: ImportJob, targets: readonly Target[]): Promise<AddedCalibrations> {
  const regos = targets.filter(({ vehicle }) => vehicle.calibrations.length > 0).map(({ vehicle }) => vehicle.rego);
  const present =
    regos.length === 0
      ? []
      : await tx
          .selectFrom('calibration')
          .select([
            'rego',
            'id',
            'vehicleId',
            'axle',
            'attribute',
            'value',
            'dueOn',
            'technicianId',
            'statedAtText',
            'origin',
          ])
          .where('rego', 'in', regos)
          .execute();
  const visited = await visitedVehicles(
    tx,
    targets.map(({ vehicleId }) => vehicleId),
  );
  const byKey = new Map(present.map((row) => [`${row.rego} ${row.id}`, row]));
  const tallies: AddedCalibrations = new Map();
  const rows: ReturnType<typeof rowOf>[] = [];
  for (const { key, vehicle, vehicleId } of targets) {
    const tally: Tally = {
      key,
      rego: vehicle.rego,
      hasVisits: visited.has(vehicleId),
      added: 0,
      unchanged: 0,
      changed: [],
      taken: [],
    };
    tallies.set(vehicleId, tally);
    for (const calibration of vehicle.calibrations) {
      const technicianId = await job.directory.actor(tx, calibration.technician);
      const before = byKey.get(`${vehicle.rego} ${calibration.id}`);
      if (before === undefined) {
        tally.added += 1;
        rows.push(rowOf(calibration, vehicle.rego, { vehicleId, technicianId }));
        continue;
      }
      if (before.vehicleId !== vehicleId || before.origin === 'recorded') {
        tally.taken.push(calibration.id);
        continue;
      }
      // A person with a new name since keeps the name of that time.
      const samePerson = await isSamePerson(tx, before.technicianId, technicianId);
      const after = { ...calibration, technicianId: samePerson ? before.technicianId : technicianId };
      const changes = differences(before, after);
      if (changes.length === 0) tally.unchanged += 1;
      else {
        tally.changed.push({ id: calibration.id, changes });
        const { axle, attribute, value, dueOn, statedAtText } = after;
        await tx
          .updateTable('calibration')
          .set({ axle, attribute, value, dueOn, statedAtText, technicianId: after.technicianId })
          .where('rego', '=', vehicle.rego)
          .where('id', '=', calibration.id)
          .execute();
      }
    }
  }
  // As one parameter: a truck may have more readings than a statement has parameters.
  await sql`insert into calibration (${COLUMNS})
    select ${COLUMNS} from json_populate_recordset(null::calibration, ${JSON.stringify(rows)}::json)`.execute(tx);
  await correctLastCalibrated(tx, tallies);
  return tallies;
}

/** Those of these vehicles on which a visit was recorded here. */
export async function visitedVehicles(tx: Tx, vehicleIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (vehicleIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select asked.id from unnest(${vehicleIds}::uuid[]) asked (id)
    where exists (select from visit where visit.vehicle_id = asked.id)`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

// A vehicle is added with the time of the last reading that the export has of it, which may not have been taken.
async function correctLastCalibrated(tx: Tx, tallies: AddedCalibrations): Promise<void> {
  const ids = [...tallies].flatMap(([vehicleId, { taken }]) => (taken.length === 0 ? [] : [vehicleId]));
  if (ids.length === 0) return;
  await sql`update vehicle v set last_calibrated_at = (select max(calibrated_at) from calibration c where c.vehicle_id = v.id)
    where id = any(${ids}::uuid[])`.execute(tx);
}

/** A reading that changed in the export is one that was corrected there: its leaf names the one that it corrects. */
export async function changedCalibrations(tx: Tx, tallies: AddedCalibrations): Promise<LeafEvent[]> {
  const events: LeafEvent[] = [];
  for (const [vehicleId, { rego, changed }] of tallies)
    for (const { id } of changed) {
      const row = await tx
        .selectFrom('calibration')
        .leftJoin('actor', 'actor.id', 'calibration.technicianId')
        .selectAll('calibration')
        .select('actor.name')
        .where('rego', '=', rego)
        .where('calibration.id', '=', id)
        .executeTakeFirstOrThrow();
      const corrects = await findLeafOf(tx, { table: 'calibration', key: `${rego}/${id}` });
      events.push(
        calibrationEvent({ id: vehicleId, rego }, row, {
          technician: row.name,
          more: { corrects, origin: 'imported' },
        }),
      );
    }
  return events;
}

async function isSamePerson(tx: Tx, before: number | null, after: number | null): Promise<boolean> {
  if (before === after || before === null || after === null) return before === after;
  const rows = await tx.selectFrom('actor').select('personId').where('id', 'in', [before, after]).execute();
  return rows[0]?.personId === rows[1]?.personId;
}

const COLUMNS = sql.raw(
  'rego, id, vehicle_id, axle, attribute, value, due_on, calibrated_at, technician_id, stated_at_text, origin',
);

function rowOf(
  { id, axle, attribute, value, dueOn, statedAtText }: ParsedCalibration,
  rego: string,
  { vehicleId, technicianId }: { vehicleId: string; technicianId: number | null },
) {
  const of = { rego, id, vehicle_id: vehicleId, calibrated_at: new Date(id), technician_id: technicianId };
  return { ...of, axle, attribute, value, due_on: dueOn, stated_at_text: statedAtText, origin: 'imported' };
}

const COMPARED = ['axle', 'attribute', 'value', 'dueOn', 'statedAtText', 'technicianId'] as const;
type Comparable = Pick<Selectable<Tables['calibration']>, (typeof COMPARED)[number]>;

function differences(before: Comparable, after: Comparable): ActivityChange[] {
  return COMPARED.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    from: before[field],
    to: after[field],
  }));
}
