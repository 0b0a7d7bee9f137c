// What an imported vehicle writes: its row, its validation, its entries in the log.
import { randomUUIDv7 } from 'node:crypto';
import type { ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Insertable, Selectable } from 'kysely';
import type { ActivityChange, Tables } from '#database/tables.ts';
import { VEHICLE_FIELDS } from '#app/vehicles/vehicle-fields.ts';
import type { AddedCalibrations } from './import-calibrations.server.ts';
import type { ImportJob } from './import-job.server.ts';
import type { KnownRecord } from './import-record.server.ts';
import type { ParsedVehicle } from './parse-vehicle.ts';
import { isRecordChanged, type VehicleHash } from './vehicle-hash.ts';

export type Stored = { id: string; rego: string; deletedAt: Date | null };
type Current = Selectable<Tables['vehicle']>;
/** A vehicle that has something to be done, and what is stored of it. */
export type Work = {
  key: string;
  parsed: ParsedVehicle;
  hash: VehicleHash;
  known: KnownRecord | undefined;
  stored: Stored | undefined;
};

/** What became of a vehicle's record, and the version that the import knows of it. */
export type Outcome =
  | { state: 'added' | 'unchanged' | 'kept'; version: number }
  | { state: 'changed'; version: number; changes: ActivityChange[] };

/** Reports that a vehicle is left as it is here. */
export function keep({ report }: ImportJob, one: Work, why: string): void {
  report.count('Vehicles', 'kept');
  report.line(one.key, 'kept', why);
}

/** The stored vehicles among `work` as they are now, locked to the end of the transaction. */
export async function lockVehicles(tx: Tx, work: readonly Work[]): Promise<Map<string, Current>> {
  const ids = work.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]));
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('vehicle').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Adds vehicles, with a validation each where they have one. Returns their ids by rego. */
export async function insertVehicles(tx: Tx, job: ImportJob, work: readonly Work[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const rows: Insertable<Tables['vehicle']>[] = [];
  const validations: Insertable<Tables['validation']>[] = [];
  for (const { parsed } of work) {
    const { rego, fields, calibrations, addedAt, addedBy, updatedAt, updatedBy } = parsed;
    // Ids in time order: with random ids each block would write to every page of the indexes.
    const id = randomUUIDv7();
    ids.set(rego, id);
    // As the trigger of its calibrations would set it, which would write the row and all of its indexes again.
    const last = calibrations.reduce((latest, calibration) => Math.max(latest, calibration.id), -1);
    rows.push({
      id,
      rego,
      ...fields,
      lastCalibratedAt: last < 0 ? null : new Date(last),
      origin: 'imported',
      addedAt,
      addedBy: await job.directory.actor(tx, addedBy),
      updatedAt,
      updatedBy: await job.directory.actor(tx, updatedBy),
    });
    const decided = { validated: true, nextDueOn: fields.nextCalibrationDueOn, decidedAt: updatedAt ?? new Date() };
    if (fields.calibrationValidated) validations.push({ vehicleId: id, ...decided, origin: 'imported' });
  }
  if (rows.length > 0) await tx.insertInto('vehicle').values(rows).execute();
  if (validations.length > 0) await tx.insertInto('validation').values(validations).execute();
  job.report.count('Vehicles', 'added', rows.length);
  return ids;
}

/** `visited`: the vehicles with a visit that was recorded here, whose due date and tick stay as they are. */
export async function updateVehicle(
  tx: Tx,
  job: ImportJob,
  { one, current, visited }: { one: Work; current: Current; visited: ReadonlySet<string> },
): Promise<Outcome> {
  const version = one.known?.targetVersion ?? 0;
  if (!isRecordChanged(one.hash, one.known?.hash)) {
    job.report.count('Vehicles', 'unchanged');
    return { state: 'unchanged', version };
  }
  if (current.version !== version) {
    keep(job, one, 'the vehicle was edited here; the changed record of the export is not taken');
    return { state: 'kept', version };
  }
  const { calibrationValidated, nextCalibrationDueOn } = current;
  const fields = {
    ...one.parsed.fields,
    ...(visited.has(current.id) ? { calibrationValidated, nextCalibrationDueOn } : {}),
  };
  const changes = VEHICLE_FIELDS.flatMap(({ column: field }) =>
    current[field] === fields[field] ? [] : [{ field, from: current[field], to: fields[field] }],
  );
  await tx
    .updateTable('vehicle')
    .set({
      ...fields,
      version: version + 1,
      updatedAt: one.parsed.updatedAt,
      updatedBy: await job.directory.actor(tx, one.parsed.updatedBy),
    })
    .where('id', '=', current.id)
    .execute();
  if (changes.some(({ field }) => field === 'calibrationValidated' || field === 'nextCalibrationDueOn'))
    await tx
      .insertInto('validation')
      .values({
        vehicleId: current.id,
        validated: fields.calibrationValidated,
        nextDueOn: fields.nextCalibrationDueOn,
        origin: 'imported',
      })
      .execute();
  job.report.count('Vehicles', 'changed');
  job.report.line(one.key, 'changed', {
    text:
      changes.map(({ field, from, to }) => `${field} ${String(from)} → ${String(to)}`).join(', ') || 'files or dates',
    sort: 'the vehicle is not as it was in the import before',
  });
  return { state: 'changed', version: version + 1, changes };
}

export function entryOf(
  { parsed: { rego } }: Work,
  what: 'imported' | 'updated',
  { changes, id }: { changes: ActivityChange[]; id: string },
): ActivityEntry {
  const details = `${rego} ${what}`;
  return { kind: `vehicle.${what}`, ...aboutVehicle(id, rego), details, ...(changes.length > 0 ? { changes } : {}) };
}

export function calibrationEntries(calibrations: AddedCalibrations): ActivityEntry[] {
  return [...calibrations].flatMap(([vehicleId, { rego, added, changed }]) => {
    const about = aboutVehicle(vehicleId, rego);
    const entries: ActivityEntry[] = changed.map(({ id, changes }) => ({
      kind: 'calibration.updated',
      ...about,
      details: `calibration ${id} of ${rego} changed in the export`,
      changes,
    }));
    const details = `${added} ${added === 1 ? 'calibration' : 'calibrations'} of ${rego} imported`;
    return added === 0 ? entries : [{ kind: 'calibration.imported', ...about, details }, ...entries];
  });
}

/** What an entry about an imported vehicle says of it. */
export const aboutVehicle = (subjectId: string, rego: string) =>
  ({ actorId: null, subject: 'vehicle', subjectId, rego, origin: 'imported' }) as const;
