// One block of vehicles, in one transaction: the record of each, its calibrations and files, the log. What was edited
// here is not overwritten, what was deleted here is not revived, and calibrations come even to a vehicle edited here.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { unloggedEvents } from '#app/transparency-log/unlogged-events.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import {
  addCalibrations,
  changedCalibrations,
  visitedVehicles,
  type AddedCalibrations,
} from './import-calibrations.server.ts';
import { attachFiles, completeFiles, linkFiles, type VehicleLinks } from './import-vehicle-files.server.ts';
import { judgeImported } from './judge-imported.server.ts';
import { knownRecords, noteRecords, type NotedRecord } from './import-record.server.ts';
import type { ImportJob } from './import-job.server.ts';
import { parseVehicle } from './parse-vehicle.ts';
import { CLEANED, readingsIn } from './record-reader.ts';
import { formatVehicleHash, isRecordChanged, keptHash, vehicleHash } from './vehicle-hash.ts';
import {
  calibrationEntries,
  entryOf,
  insertVehicles,
  keep,
  lockVehicles,
  updateVehicle,
  type Stored,
  type Outcome,
  type Work,
} from './write-vehicle.server.ts';

export type RawVehicle = { key: string; value: unknown; cleaned: boolean };
type Parsed = Omit<Work, 'stored'>;
const TAKEN = 'a calibration of that number is there, recorded here or of another record of this rego';
const DELETED_HERE = 'the vehicle was deleted here, and stays so';

/** Imports `block`. Nothing is written when the job is a dry run. */
export async function importVehicles(job: ImportJob, block: readonly RawVehicle[]): Promise<void> {
  const { db, report } = job;
  const keyOf = (raw: RawVehicle) => `Vehicles/${raw.key}`;
  const known = await knownRecords(db, block.map(keyOf));
  const unchanged: string[] = [];
  const parse = (raw: RawVehicle): Parsed | undefined => {
    const key = keyOf(raw);
    const before = known.get(key);
    const hash = vehicleHash(raw.value);
    if (before?.hash === formatVehicleHash(hash)) {
      report.count('Vehicles', 'unchanged');
      report.count('Calibrations', 'unchanged', readingsIn(raw.value));
      if (before.targetId !== '') unchanged.push(before.targetId);
      return undefined;
    }
    const vehicle = parseVehicle(raw.key, raw.value, job);
    if ('refused' in vehicle) return report.refuse('Vehicles', key, vehicle.refused);
    const clash = job.collisions.vehicles.get(vehicle.rego);
    if (clash !== undefined)
      return report.refuse('Vehicles', key, {
        text: `several keys of the export mean the rego ${vehicle.rego}: ${clash.join(', ')}. None is taken`,
        sort: 'several keys of the export mean one rego',
      });
    if (raw.cleaned) vehicle.notes.unshift(CLEANED);
    return { key, parsed: vehicle, hash, known: before };
  };
  const parsed = block.map(parse).filter((one) => one !== undefined);
  await completeFiles(job, unchanged);
  if (parsed.length > 0) await writeBlock(job, parsed);
}

async function writeBlock(job: ImportJob, parsed: readonly Parsed[]): Promise<void> {
  const stored = await storedVehicles(job.db, parsed);
  const work: Work[] = parsed.map((one) => ({
    ...one,
    stored:
      one.known !== undefined && one.known.targetId !== ''
        ? stored.byId.get(one.known.targetId)
        : stored.byRego.get(one.parsed.rego),
  }));
  const left: (() => void)[] = [];
  const open = work.filter((one) => {
    const { stored: there } = one;
    const isHere = one.known === undefined && there !== undefined;
    if (!isHere && there?.deletedAt == null) return true;
    left.push(() => (isHere ? refuseHere(job, one, there) : keep(job, one, DELETED_HERE)));
    return false;
  });
  const links = await linkFiles(
    job,
    open
      .filter((one) => one.stored === undefined || isRecordChanged(one.hash, one.known?.hash))
      .map(({ key, parsed: vehicle }) => ({ key, vehicle })),
  );
  const calibrations = await job
    .transaction((tx) => writeVehicles(tx, job, { open, links }))
    .catch((error: unknown) => {
      // Somebody registered a rego of the block since it was read: the block is read again.
      if (isRegoTaken(error)) return undefined;
      throw error;
    });
  if (calibrations === undefined) return writeBlock(job, parsed);
  for (const report of left) report();
  for (const { key, parsed: vehicle } of open) {
    job.report.notes('Vehicles', key, vehicle.notes);
    job.report.count('Calibrations', 'refused', vehicle.refusedCalibrations);
  }
  reportCalibrations(job, calibrations);
}

type Written = { one: Work; vehicleId: string; outcome: Outcome };

async function writeVehicles(
  tx: Tx,
  job: ImportJob,
  { open, links }: { open: readonly Work[]; links: VehicleLinks },
): Promise<AddedCalibrations> {
  const noted: NotedRecord[] = [];
  const entries: ActivityEntry[] = [];
  const added = await insertVehicles(
    tx,
    job,
    open.filter((one) => one.stored === undefined),
  );
  const locked = await lockVehicles(tx, open);
  const visited = await visitedVehicles(tx, [...locked.keys()]);
  const written: Written[] = [];
  for (const one of open) {
    const vehicleId = one.stored?.id ?? added.get(one.parsed.rego) ?? '';
    const current = locked.get(vehicleId);
    if (one.stored === undefined) written.push({ one, vehicleId, outcome: { state: 'added', version: 1 } });
    else if (current === undefined || current.deletedAt !== null) keep(job, one, DELETED_HERE);
    else written.push({ one, vehicleId, outcome: await updateVehicle(tx, job, { one, current, visited }) });
  }
  const fileChanges = await attachFiles(
    tx,
    links,
    written
      .filter(({ outcome }) => outcome.state === 'added' || outcome.state === 'changed')
      .map(({ one, vehicleId }) => ({ key: one.key, vehicleId })),
  );
  for (const { one, vehicleId, outcome } of written) {
    if (outcome.state === 'added') entries.push(entryOf(one, 'imported', { changes: [], id: vehicleId }));
    else if (outcome.state === 'changed')
      entries.push(
        entryOf(one, 'updated', {
          changes: [...outcome.changes, ...(fileChanges.get(vehicleId) ?? [])],
          id: vehicleId,
        }),
      );
    noted.push({
      key: one.key,
      hash: outcome.state === 'kept' ? keptHash(one.hash, one.known?.hash) : formatVehicleHash(one.hash),
      targetId: vehicleId,
      targetVersion: outcome.version,
      unplaced: one.parsed.unplaced,
    });
  }
  const targets = written.map(({ one, vehicleId }) => ({ key: one.key, vehicle: one.parsed, vehicleId }));
  const calibrations = await addCalibrations(tx, job, targets);
  const judged = await judgeImported(tx, job, calibrations);
  entries.push(...calibrationEntries(calibrations));
  await noteRecords(tx, noted);
  await logImported(tx, written, { calibrations, judged });
  if (entries.length > 0) await appendActivities(tx, entries);
  return calibrations;
}

// What is new, then what changed in the export.
async function logImported(
  tx: Tx,
  written: readonly Written[],
  { calibrations, judged }: { calibrations: AddedCalibrations; judged: readonly LeafEvent[] },
): Promise<void> {
  const vehicleIds = written.map(({ vehicleId }) => vehicleId);
  const events = await unloggedEvents(tx, vehicleIds, { origin: 'imported', unitOf });
  const updated = new Map(
    written.flatMap((one) => {
      const type = typeOfEntry(one, calibrations);
      return type === undefined ? [] : [[one.vehicleId, type]];
    }),
  );
  const ids = [...updated.keys()];
  if (ids.length > 0)
    for (const vehicle of await tx.selectFrom('vehicle').selectAll().where('id', 'in', ids).execute())
      events.push(
        vehicleEvent(updated.get(vehicle.id) ?? 'vehicle.updated', vehicle, { ...vehicle, origin: 'imported' }),
      );
  events.push(...(await changedCalibrations(tx, calibrations)), ...judged);
  if (events.length > 0) await appendLeaves(tx, events);
}

// Of a vehicle that was there: its record changed, or its verdict rests on its first calibrations from now on.
function typeOfEntry(
  { vehicleId, outcome: { state } }: Written,
  calibrations: AddedCalibrations,
): 'vehicle.updated' | 'vehicle.rests' | undefined {
  if (state === 'changed') return 'vehicle.updated';
  const { added = 0, hasVisits = true } = calibrations.get(vehicleId) ?? {};
  return state !== 'added' && added > 0 && !hasVisits ? 'vehicle.rests' : undefined;
}

function reportCalibrations({ report }: ImportJob, calibrations: AddedCalibrations): void {
  for (const { key, added, changed, unchanged, taken } of calibrations.values()) {
    report.count('Calibrations', 'added', added);
    report.count('Calibrations', 'changed', changed.length);
    report.count('Calibrations', 'unchanged', unchanged);
    for (const id of taken) {
      report.refuse('Calibrations', key, {
        text: `calibration ${id} was recorded here, or is taken by another record of this rego`,
        sort: TAKEN,
      });
    }
    for (const { id, changes } of changed)
      report.line(key, 'changed', {
        text: `calibration ${id}: ${changes.map(({ field, from, to }) => `${field} ${String(from)} → ${String(to)}`).join(', ')}`,
        sort: 'a calibration is not as it was in the import before',
      });
  }
}

const isRegoTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'vehicle_live_rego';

function refuseHere(job: ImportJob, one: Work, stored: Stored): void {
  job.report.refuse('Vehicles', one.key, {
    text: `the rego ${one.parsed.rego} ${stored.deletedAt === null ? 'was registered here' : 'was registered and deleted here'}`,
    sort: 'the rego was registered here before',
  });
}

async function storedVehicles(
  db: Db,
  parsed: readonly Parsed[],
): Promise<{ byId: Map<string, Stored>; byRego: Map<string, Stored> }> {
  const ids = parsed.flatMap(({ known }) => (known === undefined || known.targetId === '' ? [] : [known.targetId]));
  const columns = ['id', 'rego', 'deletedAt'] as const;
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
