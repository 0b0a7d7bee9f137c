// What an imported vehicle writes: its row, its validation, its entries in the log.
import type { ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database.server.ts';
import type { Selectable } from 'kysely';
import type { ActivityChange, Tables } from '#database/tables.ts';
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

/** What became of a stored vehicle's record, and the version that the import knows of it. */
export type UpdateOutcome =
  | { state: 'unchanged' | 'kept'; version: number }
  | { state: 'changed'; version: number; changes: ActivityChange[] };

/** Reports that a vehicle stays as it is here. */
export function keep({ report }: ImportJob, one: Work, why: string): false {
  report.count('Vehicles', 'kept');
  report.line(one.key, 'kept', why);
  return false;
}

/** The stored vehicles among `work` as they are now, held to the end of the transaction. */
export async function lockVehicles(tx: Tx, work: readonly Work[]): Promise<Map<string, Current>> {
  const ids = work.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]));
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('vehicle').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertVehicles(tx: Tx, job: ImportJob, work: readonly Work[]): Promise<Map<string, string>> {
  if (work.length === 0) return new Map();
  const rows = [];
  for (const {
    parsed: { rego, fields, addedAt, addedBy, updatedAt, updatedBy },
  } of work)
    rows.push({
      rego,
      ...fields,
      origin: 'imported' as const,
      addedAt,
      updatedAt,
      addedBy: await job.directory.actor(tx, addedBy),
      updatedBy: await job.directory.actor(tx, updatedBy),
    });
  const added = await tx.insertInto('vehicle').values(rows).returning(['id', 'rego']).execute();
  const ids = new Map(added.map(({ id, rego }) => [rego, id]));
  const validated = work.filter(({ parsed }) => parsed.fields.calibrationValidated);
  if (validated.length > 0)
    await tx
      .insertInto('validation')
      .values(
        validated.map(({ parsed }) => ({
          vehicleId: ids.get(parsed.rego) ?? '',
          validated: true,
          nextDueOn: parsed.fields.nextCalibrationDueOn,
          origin: 'imported' as const,
          ...(parsed.updatedAt === null ? {} : { decidedAt: parsed.updatedAt }),
        })),
      )
      .execute();
  job.report.count('Vehicles', 'added', added.length);
  return ids;
}

export async function updateVehicle(tx: Tx, job: ImportJob, one: Work, current: Current): Promise<UpdateOutcome> {
  const version = one.known?.targetVersion ?? 0;
  if (!isRecordChanged(one.hash, one.known?.hash)) {
    job.report.count('Vehicles', 'unchanged');
    return { state: 'unchanged', version };
  }
  if (current.version !== version) {
    keep(job, one, 'the vehicle was edited here; the changed record of the export is not taken');
    return { state: 'kept', version };
  }
  const { fields } = one.parsed;
  const changes = (Object.keys(fields) as (keyof typeof fields)[]).flatMap((field) =>
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
  job.report.line(
    one.key,
    'changed',
    changes.map(({ field, from, to }) => `${field} ${String(from)} → ${String(to)}`).join(', ') || 'files or dates',
  );
  return { state: 'changed', version: version + 1, changes };
}

export function entryOf(
  { parsed: { rego } }: Work,
  what: 'imported' | 'updated',
  changes: ActivityChange[],
  id: string,
): ActivityEntry {
  return {
    kind: `vehicle.${what}`,
    actorId: null,
    subject: 'vehicle',
    subjectId: id,
    topics: ['vehicles', `vehicle:${rego}`, 'logs'],
    origin: 'imported',
    details: `${rego} ${what}`,
    ...(changes.length > 0 ? { changes } : {}),
  };
}

export function calibrationEntries(calibrations: AddedCalibrations): ActivityEntry[] {
  return [...calibrations.entries()].flatMap(([vehicleId, { rego, added, changed }]) => {
    const about = {
      actorId: null,
      subject: 'vehicle',
      subjectId: vehicleId,
      topics: ['vehicles', `vehicle:${rego}`, 'logs'],
      origin: 'imported' as const,
    };
    return [
      ...(added === 0
        ? []
        : [
            {
              kind: 'calibration.imported' as const,
              ...about,
              details: `${added} ${added === 1 ? 'calibration' : 'calibrations'} of ${rego} imported`,
            },
          ]),
      ...changed.map(({ id, changes }) => ({
        kind: 'calibration.updated' as const,
        ...about,
        details: `calibration ${id} of ${rego} changed in the export`,
        changes,
      })),
    ];
  });
}
