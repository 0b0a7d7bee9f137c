// One block of vehicles, in one transaction: the record of each, its calibrations and files, the log. What was edited
// here is not overwritten, what was deleted here is not revived, and calibrations come even to a vehicle edited here.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { addCalibrations, type AddedCalibrations } from './import-calibrations.server.ts';
import { completeFiles, linkFiles } from './import-vehicle-files.server.ts';
import { hashOf, knownRecords, noteRecords, type KnownRecord } from './import-record.server.ts';
import type { ImportJob } from './import-job.server.ts';
import { parseVehicle, type ParsedVehicle } from './parse-vehicle.ts';
import { isObject } from './record-reader.ts';

export type RawVehicle = { key: string; value: unknown };
type Stored = { id: string; rego: string; version: number; deletedAt: Date | null };
type Noted = KnownRecord & { key: string; unplaced: Record<string, unknown> };
/** A vehicle that has something to be done, and what is stored of it. */
type Work = {
  key: string;
  parsed: ParsedVehicle;
  hash: string;
  known: KnownRecord | undefined;
  stored: Stored | undefined;
};

/** Imports `block`. Nothing is written when the job is a dry run. */
export async function importVehicles(job: ImportJob, block: readonly RawVehicle[]): Promise<void> {
  const { db, report, timeZone } = job;
  const keyOf = (raw: RawVehicle) => `Vehicles/${raw.key}`;
  const known = await knownRecords(db, block.map(keyOf));
  const unchanged: string[] = [];
  const parsed: Omit<Work, 'stored'>[] = [];
  for (const raw of block) {
    const key = keyOf(raw);
    const before = known.get(key);
    const hash = vehicleHash(raw.value);
    if (before?.hash === hash) {
      report.count('Vehicles', 'unchanged');
      report.count(
        'Calibrations',
        'unchanged',
        isObject(raw.value) && isObject(raw.value['calibrations']) ? Object.keys(raw.value['calibrations']).length : 0,
      );
      if (before.targetId !== '') unchanged.push(before.targetId);
      continue;
    }
    const vehicle = parseVehicle(raw.key, raw.value, timeZone);
    if ('refused' in vehicle) refuse(job, key, vehicle.refused);
    else if (job.collisions.vehicles.has(vehicle.rego))
      refuse(
        job,
        key,
        `several keys of the export mean the rego ${vehicle.rego}: ${(job.collisions.vehicles.get(vehicle.rego) ?? []).join(', ')}. None is taken`,
      );
    else parsed.push({ key, parsed: vehicle, hash, known: before });
  }
  await completeFiles(job, unchanged);
  if (parsed.length > 0) await writeBlock(job, parsed);
}

function refuse({ report }: ImportJob, key: string, why: string): void {
  report.count('Vehicles', 'refused');
  report.line(key, 'refused', why);
}

// The record and its calibrations have hashes of their own, so that a new calibration is not taken for an edit.
function vehicleHash(value: unknown): string {
  if (!isObject(value)) return hashOf(value);
  const { calibrations, ...record } = value;
  return `${hashOf(record)} ${hashOf(calibrations)}`;
}

async function writeBlock(job: ImportJob, parsed: readonly Omit<Work, 'stored'>[]): Promise<void> {
  const { report } = job;
  const stored = await storedVehicles(job.db, parsed);
  const work: Work[] = parsed.map((one) => ({
    ...one,
    stored:
      one.known !== undefined && one.known.targetId !== ''
        ? stored.byId.get(one.known.targetId)
        : stored.byRego.get(one.parsed.rego),
  }));
  const open = work.filter((one) => {
    if (one.known === undefined && one.stored !== undefined) return refuseHere(job, one, one.stored);
    if (one.stored !== undefined && one.stored.deletedAt !== null)
      return keep(job, one, 'the vehicle was deleted here, and stays so');
    return true;
  });
  const files = await linkFiles(
    job,
    open
      .filter((one) => one.stored === undefined || fieldsChanged(one))
      .map(({ key, parsed: vehicle }) => ({ key, vehicle })),
  );
  const run = async (tx: Tx) => {
    const noted: Noted[] = [];
    const entries: ActivityEntry[] = [];
    const added = await insertVehicles(
      tx,
      job,
      open.filter((one) => one.stored === undefined),
    );
    const targets = new Map<string, string>();
    for (const one of open) {
      const id = one.stored?.id ?? added.get(one.parsed.rego) ?? '';
      targets.set(one.parsed.rego, id);
      const outcome =
        one.stored === undefined
          ? { changes: [], version: 1, kept: false }
          : await updateVehicle(tx, job, one, one.stored);
      if (!outcome.kept) await files.attach(tx, one.key, id);
      entries.push(...entryOf(one, outcome.changes, one.stored === undefined, id));
      noted.push({
        key: one.key,
        hash: outcome.kept ? keptHash(one) : one.hash,
        targetId: id,
        targetVersion: outcome.version,
        unplaced: one.parsed.unplaced,
      });
    }
    const calibrations = await addCalibrations(
      tx,
      job,
      open.map(({ key, parsed: vehicle }) => ({ key, vehicle, vehicleId: targets.get(vehicle.rego) ?? '' })),
    );
    entries.push(...calibrationEntries(calibrations));
    await noteRecords(tx, noted);
    if (entries.length > 0) await appendActivities(tx, entries);
    return calibrations;
  };
  const calibrations = await job.transaction(run);
  for (const one of open) report.notes(one.key, one.parsed.notes);
  for (const { key, added, changed, unchanged, taken } of calibrations.values()) {
    report.count('Calibrations', 'added', added);
    report.count('Calibrations', 'changed', changed.length);
    report.count('Calibrations', 'unchanged', unchanged);
    for (const id of taken) {
      report.count('Calibrations', 'refused');
      report.line(key, 'refused', `calibration ${id} is taken by another record of this rego`);
    }
    for (const { id, changes } of changed)
      report.line(
        key,
        'changed',
        `calibration ${id}: ${changes.map(({ field, from, to }) => `${field} ${String(from)} → ${String(to)}`).join(', ')}`,
      );
  }
}

function refuseHere(job: ImportJob, one: Work, stored: Stored): false {
  refuse(
    job,
    one.key,
    `the rego ${one.parsed.rego} ${stored.deletedAt === null ? 'was registered here' : 'was registered and deleted here'}`,
  );
  return false;
}

function keep({ report }: ImportJob, one: Work, why: string): false {
  report.count('Vehicles', 'kept');
  report.line(one.key, 'kept', why);
  return false;
}

function fieldsChanged({ hash, known }: Pick<Work, 'hash' | 'known'>): boolean {
  return known === undefined || known.hash.split(' ')[0] !== hash.split(' ')[0];
}

// A vehicle edited here keeps the old hash of its record, so that it is reported again, and the new one of its calibrations.
function keptHash({ hash, known }: Work): string {
  return `${known?.hash.split(' ')[0] ?? ''} ${hash.split(' ')[1] ?? ''}`;
}

async function storedVehicles(
  db: Db,
  parsed: readonly Omit<Work, 'stored'>[],
): Promise<{ byId: Map<string, Stored>; byRego: Map<string, Stored> }> {
  const ids = parsed.flatMap(({ known }) => (known === undefined || known.targetId === '' ? [] : [known.targetId]));
  const columns = ['id', 'rego', 'version', 'deletedAt'] as const;
  const byId = ids.length === 0 ? [] : await db.selectFrom('vehicle').select(columns).where('id', 'in', ids).execute();
  const byRego = await db
    .selectFrom('vehicle')
    .select(columns)
    .where(
      'rego',
      'in',
      parsed.map(({ parsed: vehicle }) => vehicle.rego),
    )
    .orderBy('deletedAt', (o) => o.asc().nullsLast())
    .execute();
  return { byId: new Map(byId.map((row) => [row.id, row])), byRego: new Map(byRego.map((row) => [row.rego, row])) };
}

async function insertVehicles(tx: Tx, job: ImportJob, work: readonly Work[]): Promise<Map<string, string>> {
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

async function updateVehicle(
  tx: Tx,
  job: ImportJob,
  one: Work,
  stored: Stored,
): Promise<{ changes: ActivityChange[]; version: number; kept: boolean }> {
  const version = one.known?.targetVersion ?? 0;
  if (!fieldsChanged(one)) {
    job.report.count('Vehicles', 'unchanged');
    return { changes: [], version, kept: false };
  }
  const current = await tx
    .selectFrom('vehicle')
    .selectAll()
    .where('id', '=', stored.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (current.version !== version) {
    keep(job, one, 'the vehicle was edited here; the changed record of the export is not taken');
    return { changes: [], version, kept: true };
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
    .where('id', '=', stored.id)
    .execute();
  if (changes.some(({ field }) => field === 'calibrationValidated' || field === 'nextCalibrationDueOn'))
    await tx
      .insertInto('validation')
      .values({
        vehicleId: stored.id,
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
  return { changes, version: version + 1, kept: false };
}

function entryOf({ parsed: { rego } }: Work, changes: ActivityChange[], isNew: boolean, id: string): ActivityEntry[] {
  const about = {
    actorId: null,
    subject: 'vehicle',
    subjectId: id,
    topics: ['vehicles', `vehicle:${rego}`],
    origin: 'imported' as const,
  };
  if (isNew) return [{ kind: 'vehicle.imported', ...about, details: `${rego} imported` }];
  return changes.length === 0 ? [] : [{ kind: 'vehicle.updated', ...about, details: `${rego} updated`, changes }];
}

function calibrationEntries(calibrations: AddedCalibrations): ActivityEntry[] {
  return [...calibrations.entries()].flatMap(([vehicleId, { rego, added, changed }]) => {
    const about = {
      actorId: null,
      subject: 'vehicle',
      subjectId: vehicleId,
      topics: ['vehicles', `vehicle:${rego}`],
      origin: 'imported' as const,
    };
    return [
      ...(added === 0
        ? []
        : [
            {
              kind: 'calibration.imported',
              ...about,
              details: `${added} ${added === 1 ? 'calibration' : 'calibrations'} of ${rego} imported`,
            },
          ]),
      ...changed.map(({ id, changes }) => ({
        kind: 'calibration.updated',
        ...about,
        details: `calibration ${id} of ${rego} changed in the export`,
        changes,
      })),
    ];
  });
}
