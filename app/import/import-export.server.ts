// Imports an export of the former database. Read twice: first all of it is checked and nothing written, then it is
// committed in blocks, so that a run that was cut off is completed by the next.
//
// Rows go by COPY; the leaves of a block are numbered, chained and hashed by this process under the log's lock
// (append-many-leaves.server.ts), to the same result as `append_leaves()` in the database, which all other writes use. Three
// blocks of vehicles are under way at once, and the log takes one after the other; people are committed before vehicles.
// Every query of a block goes by an index: the statistics of a table that grows a thousandfold are wrong for most of an import.
import { parseRego } from '#app/vehicles/vehicle.ts';
import { deferIndexes } from './deferred-indexes.server.ts';
import { Directory, type KnownPerson } from './directory.server.ts';
import { importActivity, type RawActivity } from './import-activity.server.ts';
import { commit, tryOnly, type ImportJob } from './import-job.server.ts';
import { aloneInImporting } from './import-lock.server.ts';
import { importPeople, type RawPerson } from './import-people.server.ts';
import { importVehicles, type RawVehicle } from './import-vehicles.server.ts';
import { ExportError, readExport } from './read-export.server.ts';
import { isObject, addressOfKey, readingsIn } from './record-reader.ts';
import { RegoKeys } from './rego-keys.ts';
import { ImportReport } from './report.ts';
import { Upkeep } from './upkeep.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';

export type ImportInput = Pick<ImportJob, 'db' | 'files' | 'bucket' | 'timeZone' | 'dryRun' | 'now'> & {
  file: string;
  print: (line: string) => void;
  progress: (step: string, bytes: number) => void;
  /** Ends the import, whose committed blocks stay. */
  signal?: AbortSignal;
};

const BLOCK = 250;
// Three blocks are in memory at once: trucks with long histories come in smaller ones.
const READINGS_A_BLOCK = 4000;
const BLOCKS_AT_ONCE = 3;
// From so many vehicles on, making indexes at the end costs less than keeping them up.
const LARGE = 20_000;

/**
 * Runs the import; the report's lines go to `print` as they come. Throws ExportError, having written nothing, when the file
 * cannot be read whole.
 */
export async function importExport(input: ImportInput): Promise<ImportReport> {
  const done = await aloneInImporting(input.db, () => importAlone(input));
  if (done === undefined) throw new ExportError('Another import is running. Wait until it has ended.');
  return done.value;
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
    transaction: (write) => (dryRun ? tryOnly(db, directory, write) : commit(db, write)),
  };

  if (!dryRun && checked.vehicles >= LARGE) await deferIndexes(db);
  await importPeople(job, checked.people);
  const upkeep = new Upkeep(job);
  let size = 0;
  const onBytes = (bytes: number) => goOn(dryRun ? 'trying' : 'importing', (size = bytes));
  await importRecords(job, upkeep, readExport(file, onBytes));
  await upkeep.end((share) => progress('indexing', share * size));
  return report;
}

// The second pass. Blocks of vehicles are written three at a time while the next is read, so that the database and this
// process are both at work: one has the log's lock, one prepares what it will log, one writes its records. Nothing else of
// the export is written at the same time.
async function importRecords(job: ImportJob, upkeep: Upkeep, records: ReturnType<typeof readExport>): Promise<void> {
  const writing: Promise<void>[] = [];
  const settle = async (atMost: number) => {
    while (writing.length > atMost) await writing.shift();
  };
  const writeVehicles = async (block: RawVehicle[]) => {
    await settle(job.dryRun ? 0 : BLOCKS_AT_ONCE - 1);
    const written = importVehicles(job, block).then(() => upkeep.after(block.length));
    written.catch(() => {}); // reported by whoever awaits it
    writing.push(written);
  };
  const writeActivity = async (block: RawActivity[]) => {
    await settle(0);
    await importActivity(job, block);
  };
  let vehicles: RawVehicle[] = [];
  let readings = 0;
  let activity: RawActivity[] = [];
  try {
    for await (const record of records) {
      if (record.kind !== 'record') continue;
      if (record.collection === 'Vehicles') {
        vehicles.push(record);
        readings += readingsIn(record.value);
      }
      if (record.collection === 'ActivityLogs') activity.push(record);
      if (vehicles.length >= BLOCK || readings >= READINGS_A_BLOCK) {
        readings = 0;
        await writeVehicles(vehicles.splice(0));
      }
      if (activity.length >= BLOCK) await writeActivity(activity.splice(0));
    }
    if (vehicles.length > 0) await writeVehicles(vehicles);
    if (activity.length > 0) await writeActivity(activity);
    await settle(0);
  } finally {
    await Promise.allSettled(writing);
  }
}

type Checked = { people: RawPerson[]; vehicles: number; collisions: ImportJob['collisions'] };

// The first pass: syntax to the last byte, and names that mean the same.
async function check(file: string, report: ImportReport, progress: (bytes: number) => void): Promise<Checked> {
  const people: RawPerson[] = [];
  const regos = new RegoKeys();
  let vehicles = 0;
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
      vehicles += 1;
      const parsed = parseRego(key);
      if (parsed.ok) regos.add(parsed.rego, key);
    } else if (collection !== 'ActivityLogs') {
      people.push({ collection, key, value, cleaned });
      const email = addressOfKey(key);
      if (email !== undefined)
        addresses.set(`${collection} ${email}`, [...(addresses.get(`${collection} ${email}`) ?? []), key]);
    }
  }
  return {
    people,
    vehicles,
    collisions: { vehicles: regos.collisions, people: new Map([...addresses].filter(([, keys]) => keys.length > 1)) },
  };
}

function knownPerson({ collection, key, value }: RawPerson): KnownPerson[] {
  const email = addressOfKey(key);
  if (collection === 'Applications' || email === undefined || !isObject(value)) return [];
  const fields = collection === 'Admins' ? ['name'] : ['rep_name', 'company_name'];
  const name = fields
    .map((field) => value[field])
    .find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return name === undefined ? [] : [{ fullName: name.trim(), email }];
}
