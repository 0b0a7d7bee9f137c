// One block of vehicles, in one transaction: the record of each, its calibrations and files, the log. What was edited
// here is not overwritten, what was deleted here is not revived, and calibrations come even to a vehicle edited here.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database.server.ts';
import { addCalibrations } from './import-calibrations.server.ts';
import { completeFiles, linkFiles } from './import-vehicle-files.server.ts';
import { hashOf, knownRecords, noteRecords, type KnownRecord } from './import-record.server.ts';
import type { ImportJob } from './import-job.server.ts';
import { parseVehicle } from './parse-vehicle.ts';
import { isObject } from './record-reader.ts';
import {
  calibrationEntries,
  entryOf,
  fieldsChanged,
  insertVehicles,
  keep,
  updateVehicle,
  type Stored,
  type Work,
} from './write-vehicle.server.ts';

export type RawVehicle = { key: string; value: unknown };
type Noted = KnownRecord & { key: string; unplaced: Record<string, unknown> };
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
