// Imports an export of the former database. Read twice: first all of it is checked and nothing written, then it is
// committed in blocks, so that a run that was cut off is completed by the next. People are committed before vehicles.
// Every query of a block goes by an index: the statistics of a table that grows a thousandfold are wrong for most of an
// import.
import { sql } from 'kysely';
import { makeStatistics } from '#app/platform/database/server-speed.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { Directory, type KnownPerson } from './directory.server.ts';
import { importActivity, type RawActivity } from './import-activity.server.ts';
import { inTransaction, type ImportJob } from './import-job.server.ts';
import { importPeople, type RawPerson } from './import-people.server.ts';
import { importVehicles, type RawVehicle } from './import-vehicles.server.ts';
import { ExportError, readExport } from './read-export.server.ts';
import { isObject, addressOfKey, readingsIn } from './record-reader.ts';
import { ImportReport } from './report.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';

export type ImportInput = Pick<ImportJob, 'db' | 'files' | 'bucket' | 'timeZone' | 'dryRun' | 'now'> & {
  file: string;
  print: (line: string) => void;
  progress: (step: string, bytes: number) => void;
  /** Ends the import, whose committed blocks stay. */
  signal?: AbortSignal;
};

const LOCK_KEY = 6_112_904;
const BLOCK = 250;
// A block is in memory: trucks with long histories come in smaller ones.
const READINGS_A_BLOCK = 4000;

/**
 * Runs the import; the report's lines go to `print` as they come. Throws ExportError, having written nothing, when the
 * file cannot be read whole.
 */
export async function importExport(input: ImportInput): Promise<ImportReport> {
  // One at a time: two would both find a record missing. The lock goes with its connection, also after kill -9.
  return input.db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as mine`.execute(connection);
    if (rows[0]?.mine !== true) throw new ExportError('Another import is running. Wait until it has ended.');
    return importAlone(input).finally(() => sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(connection));
  });
}

async function importAlone(input: ImportInput): Promise<ImportReport> {
  const { db, file, dryRun, progress, signal } = input;
  const report = new ImportReport(input.print);
  // Between two pieces of the file.
  const goOn = (step: string, bytes: number) => {
    signal?.throwIfAborted();
    progress(step, bytes);
  };
  const checked = await check(file, report, (bytes) => goOn('checking', bytes));
  const directory = new Directory(checked.people.flatMap(knownPerson));
  const job: ImportJob = {
    ...input,
    report,
    directory,
    longestIntervalDays: (await currentPolicy(input.db)).longestIntervalDays,
    collisions: checked.collisions,
    transaction: (write) => inTransaction({ db, directory, dryRun }, write),
  };

  await importPeople(job, checked.people);
  const step = dryRun ? 'trying' : 'importing';
  await importRecords(
    job,
    readExport(file, (bytes) => goOn(step, bytes)),
  );
  if (dryRun) return report;
  // Else the first searches and pages would be planned for an empty registry.
  await sql`select fold_vehicle_grams(), compact_counts()`.execute(db);
  await makeStatistics(db, 'all');
  return report;
}

// The second pass.
async function importRecords(job: ImportJob, records: ReturnType<typeof readExport>): Promise<void> {
  const vehicles: RawVehicle[] = [];
  const activity: RawActivity[] = [];
  let readings = 0;
  const write = async () => {
    readings = 0;
    if (vehicles.length > 0) await importVehicles(job, vehicles.splice(0));
    if (activity.length > 0) await importActivity(job, activity.splice(0));
  };
  for await (const record of records) {
    if (record.kind !== 'record') continue;
    if (record.collection === 'ActivityLogs') activity.push(record);
    if (record.collection === 'Vehicles') {
      vehicles.push(record);
      readings += readingsIn(record.value);
    }
    if (vehicles.length + activity.length >= BLOCK || readings >= READINGS_A_BLOCK) await write();
  }
  await write();
}

type Checked = { people: RawPerson[]; collisions: ImportJob['collisions'] };

// The first pass: syntax to the last byte, and names that mean the same.
async function check(file: string, report: ImportReport, progress: (bytes: number) => void): Promise<Checked> {
  const people: RawPerson[] = [];
  const regos = new Map<string, string[]>();
  const addresses = new Map<string, string[]>();
  for await (const record of readExport(file, progress)) {
    if (record.kind === 'unknown') {
      report.line(record.key, 'refused', 'the registry knows no such collection');
      continue;
    }
    if (record.kind === 'unreadable') {
      report.refuse(record.collection, `${record.collection}/${record.key}`, record.why);
      continue;
    }
    const { collection, key, value, cleaned } = record;
    if (collection === 'Vehicles') {
      const parsed = parseRego(key);
      if (parsed.ok) addKey(regos, parsed.rego, key);
    } else if (collection !== 'ActivityLogs') {
      people.push({ collection, key, value, cleaned });
      const email = addressOfKey(key);
      if (email !== undefined) addKey(addresses, `${collection} ${email}`, key);
    }
  }
  return { people, collisions: { vehicles: ofSeveral(regos), people: ofSeveral(addresses) } };
}

type Keys = Map<string, string[]>;
const addKey = (keys: Keys, name: string, key: string) => keys.set(name, [...(keys.get(name) ?? []), key]);
const ofSeveral = (keys: Keys): Keys => new Map([...keys].filter(([, of]) => of.length > 1));

function knownPerson({ collection, key, value }: RawPerson): KnownPerson[] {
  const email = addressOfKey(key);
  if (collection === 'Applications' || email === undefined || !isObject(value)) return [];
  const fields = collection === 'Admins' ? ['name'] : ['rep_name', 'company_name'];
  const name = fields
    .map((field) => value[field])
    .find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return name === undefined ? [] : [{ fullName: name.trim(), email }];
}
