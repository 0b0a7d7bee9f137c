// An archive into an empty database and the file store: files, keys and the log's last note first, then the database in
// one transaction, so that one that is cut off leaves an empty database, into which it can be restored again.
//
// It is read three times: whole, for the files, for the rows; the last in one transaction that makes the schema as it
// was, loads with the tables' own triggers off, and migrates. It holds the lock of migrations, so a start waits.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Config } from '#app/platform/process/config.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import { keepAuthSecret } from '#app/platform/process/keys.server.ts';
import { bringNote } from '#app/transparency-log/carry-note.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { keepLogKey } from '#app/transparency-log/log-key.server.ts';
import { applyFunctions, readFunctions } from '#database/apply-functions.ts';
import { applyWithin, createRecord } from '#database/migrate.ts';
import { ArchiveError, type Manifest, type Part, type Totals } from './archive.ts';
import { compareMigrations } from './archived-migrations.server.ts';
import { damaged } from './check-parts.server.ts';
import type { ExaminedArchive, KeyPlan } from './examine-archive.server.ts';
import { readArchive } from './read-archive.server.ts';
import { listTables } from './registry-tables.server.ts';
import { openEmptyTarget } from './restore-target.server.ts';

export type RestoreRequest = {
  config: Config;
  address: DatabaseAddress;
  files: FileStore;
  file: string;
  archive: ExaminedArchive;
  keys: KeyPlan;
  progress: (step: string, share: number) => void;
};

/** Restores. Throws ArchiveError or StartError with a sentence; the database is empty then, as it was. */
export async function restoreRegistry(request: RestoreRequest): Promise<void> {
  const { config, files, archive, keys, progress } = request;
  const client = await openEmptyTarget(request.address);
  const read = (step: string, take: (part: Part, manifest: Manifest) => Promise<void>) =>
    readArchive(request.file, { take, progress: (share) => progress(step, share) });
  try {
    await read('Files', async (part) => {
      if (part.kind === 'file') await putFile(files, part.key, part.bytes);
    });
    for (const { name, text } of keys.put) await (name === 'log-key' ? keepLogKey : keepAuthSecret)(config, text);
    if (archive.highWater !== undefined) await bringNote(openLogFolder(config), archive.highWater);
    await client.query('begin');
    await makeTables(client, archive.manifest);
    const { totals } = await read('Records', async (part, { tables }) => {
      if (part.kind === 'rows')
        await loadRows(client, part, tables.find(({ name }) => name === part.table)?.columns ?? []);
    });
    await setSequences(client, totals);
    for (const { name } of archive.manifest.tables)
      await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
    const { newer } = await compareMigrations(archive.manifest.migrations);
    for (const migration of newer) await applyWithin(client, migration);
    await applyFunctions(client, await readFunctions());
    await client.query('commit');
    progress('Tidying', 1);
    // Without statistics the first searches would read rows instead of the index.
    const names = (await listTables(client)).map(({ name }) => pg.escapeIdentifier(name));
    await client.query(`vacuum (analyze) ${names.join(', ')}`);
  } catch (error) {
    throw isRefusal(error) ? damaged(`the database does not take what it has: ${error.message}`) : error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: what the archive says, and no server, disk or right,
// is wrong (a value, a constraint, a name).
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(22|23|42(?!501))/.test(error.code ?? '');
}

// The schema as it was at the backup. The tables' own triggers are off until the rows are in: what they would count,
// number, append or refuse is in the archive already.
async function makeTables(client: pg.Client, manifest: Manifest): Promise<void> {
  await createRecord(client);
  for (const migration of (await compareMigrations(manifest.migrations)).archived) await applyWithin(client, migration);
  const made = (await listTables(client)).map(({ name }) => name).toSorted();
  const archived = manifest.tables.map(({ name }) => name);
  if (made.join(' ') !== archived.toSorted().join(' '))
    throw new ArchiveError('The archive does not have the tables that its version of the registry has.');
  for (const name of archived.toReversed()) {
    await client.query(`alter table ${pg.escapeIdentifier(name)} disable trigger user`);
    await client.query(`delete from ${pg.escapeIdentifier(name)}`);
  }
}

async function loadRows(client: pg.Client, part: Part & { kind: 'rows' }, columns: readonly string[]): Promise<void> {
  const listed = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const into = client.query(copyFrom(`copy ${pg.escapeIdentifier(part.table)} (${listed}) from stdin`));
  await pipeline(Readable.from([part.text]), into);
  if (into.rowCount !== part.rows)
    throw new ArchiveError(`Only ${into.rowCount} of ${part.rows} rows of ${part.table} were loaded.`);
}

async function setSequences(client: pg.Client, { sequences }: Totals): Promise<void> {
  for (const { table, column, lastValue, isCalled } of sequences)
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)', [
      table,
      column,
      lastValue,
      isCalled,
    ]);
}

// Another file of that name is left over from something that was cut off, or damaged: the key holds the hash of the
// bytes.
async function putFile(files: FileStore, key: string, bytes: Uint8Array): Promise<void> {
  if ((await files.size(key)) !== undefined) {
    if ((await buffer(await files.read(key))).equals(bytes)) return;
    await files.remove(key);
  }
  await files.put(key, bytes);
}
