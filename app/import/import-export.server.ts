// Imports an export of the former database. Read twice: first all of it is checked and nothing written, then it is
// committed in blocks, so that a run that was cut off is completed by the next.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database.server.ts';
import type { FileStore } from '#app/platform/file-store.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { Directory } from './directory.server.ts';
import { importActivity, type RawActivity } from './import-activity.server.ts';
import type { Bucket } from './import-files.server.ts';
import type { ImportJob } from './import-job.server.ts';
import { importPeople, type RawPerson } from './import-people.server.ts';
import { importVehicles, type RawVehicle } from './import-vehicles.server.ts';
import { ExportError, readExport } from './read-export.server.ts';
import { isObject, readEmail } from './record-reader.ts';
import { ImportReport } from './report.ts';

export type ImportInput = {
  db: Db;
  files: FileStore;
  file: string;
  bucket: Bucket;
  timeZone: string;
  dryRun: boolean;
  print: (line: string) => void;
  progress: (step: string, bytes: number) => void;
};

const BLOCK = 500;

class RolledBack extends Error {}

const LOCK_KEY = 6_112_904;

/** Runs the import; the report's lines go to `print` as they come. Throws ExportError, having written nothing, when the file cannot be read whole. */
export async function importExport(input: ImportInput): Promise<ImportReport> {
  // One at a time: two would both find a record missing. The lock goes with its connection, also after kill -9.
  return input.db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as mine`.execute(connection);
    if (rows[0]?.mine !== true) throw new ExportError('Another import is running. Wait until it has ended.');
    try {
      return await importLocked(input);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(connection);
    }
  });
}

async function importLocked({
  db,
  files,
  file,
  bucket,
  timeZone,
  dryRun,
  print,
  progress,
}: ImportInput): Promise<ImportReport> {
  const report = new ImportReport(print);
  const checked = await check(file, report, (bytes) => progress('checking', bytes));
  const directory = new Directory();
  for (const { collection, key, value } of checked.people) learn(directory, collection, key, value);
  const job: ImportJob = {
    db,
    files,
    bucket,
    report,
    directory,
    timeZone,
    dryRun,
    collisions: checked.collisions,
    transaction: dryRun ? (write) => tryOnly(db, directory, write) : (write) => db.transaction().execute(write),
  };

  await importPeople(job, checked.people);
  let vehicles: RawVehicle[] = [];
  let activity: RawActivity[] = [];
  const flush = async () => {
    if (vehicles.length > 0) await importVehicles(job, vehicles);
    if (activity.length > 0) await importActivity(job, activity);
    if (vehicles.length > 0 && !dryRun) await sql`select fold_vehicle_grams()`.execute(db);
    vehicles = [];
    activity = [];
  };
  for await (const record of readExport(file, (bytes) => progress(dryRun ? 'trying' : 'importing', bytes))) {
    if (record.kind !== 'record') continue;
    if (record.collection === 'Vehicles') vehicles.push(record);
    if (record.collection === 'ActivityLogs') activity.push(record);
    if (vehicles.length >= BLOCK || activity.length >= BLOCK) await flush();
  }
  await flush();
  return report;
}

type Checked = { people: RawPerson[]; collisions: ImportJob['collisions'] };

// The first pass: syntax to the last byte, and names that mean the same.
async function check(file: string, report: ImportReport, progress: (bytes: number) => void): Promise<Checked> {
  const people: RawPerson[] = [];
  const keyByRego = new Map<string, string>();
  const vehicles = new Map<string, string[]>();
  const addresses = new Map<string, string[]>();
  for await (const record of readExport(file, progress)) {
    if (record.kind === 'unknown') {
      report.line(record.key, 'refused', 'the registry knows no such collection');
      continue;
    }
    if (record.kind === 'unreadable') {
      report.count(record.collection, 'refused');
      report.line(`${record.collection}/${record.key}`, 'refused', record.why);
      continue;
    }
    const { collection, key, value, cleaned } = record;
    if (collection === 'Vehicles') {
      const parsed = parseRego(key);
      if (!parsed.ok) continue;
      const first = keyByRego.get(parsed.rego);
      if (first === undefined) keyByRego.set(parsed.rego, key);
      else vehicles.set(parsed.rego, [...(vehicles.get(parsed.rego) ?? [first]), key]);
    } else if (collection !== 'ActivityLogs') {
      people.push({ collection, key, value, cleaned });
      const email = readEmail(key);
      if (email !== undefined)
        addresses.set(`${collection} ${email}`, [...(addresses.get(`${collection} ${email}`) ?? []), key]);
    }
  }
  return { people, collisions: { vehicles, people: new Map([...addresses].filter(([, keys]) => keys.length > 1)) } };
}

function learn(directory: Directory, collection: RawPerson['collection'], key: string, value: unknown): void {
  const email = readEmail(key);
  if (collection === 'Applications' || email === undefined || !isObject(value)) return;
  const fields = collection === 'Admins' ? ['name'] : ['rep_name', 'company_name'];
  const name = fields
    .map((field) => value[field])
    .find((text): text is string => typeof text === 'string' && text.trim() !== '');
  if (name !== undefined) directory.learn(name.trim(), email);
}

async function tryOnly<T>(db: Db, directory: Directory, write: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined;
  await db
    .transaction()
    .execute(async (tx) => {
      answer = { value: await write(tx) };
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  directory.forgetActors();
  if (answer === undefined) throw new Error('a tried write gave no answer');
  return answer.value;
}
