// Everything of a registry in one archive, while it is written to: the rows as of one moment, and then the files that
// they name, which never change.
//
// Each table that the database's catalogue has (but the few that registry-tables.server.ts leaves out) is read with
// COPY in one repeatable-read snapshot; an advisory lock keeps the sweep from the files. The archive
// (docs/backup-format.md) ends with the hash of all its bytes.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BACKUP_LOCK } from '#app/files/sweep-files.server.ts';
import type { Config } from '#app/platform/process/config.server.ts';
import type { DatabaseAddress } from '#database/connection.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import { findAuthSecret } from '#app/platform/process/keys.server.ts';
import { StartError } from '#app/platform/process/start-error.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { findLogKey } from '#app/transparency-log/log-key.server.ts';
import { latestNote } from '#app/transparency-log/carry-note.server.ts';
import { MigrationError } from '#database/migration-error.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  HIGH_WATER_PART,
  MANIFEST_PART,
  type Manifest,
  rowsName,
  type Secret,
  type Totals,
  TOTALS_PART,
} from './archive.ts';
import { compareMigrations } from './archived-migrations.server.ts';
import { countRows } from './check-parts.server.ts';
import { listSequences, listTables, readApplied, type RegistryTable } from './registry-tables.server.ts';
import { cutRows, openForRows } from './rows.server.ts';
import { ArchiveWriter } from './write-archive.server.ts';

export type BackupRequest = {
  config: Config;
  address: DatabaseAddress;
  files: FileStore;
  /** Where the archive goes. Nothing may be there. */
  file: string;
  /** The product's version, for people who look at the archive. */
  product: string;
  withLogKey: boolean;
  withAuthSecret: boolean;
  /** Called for each file that is missing or altered in the store. */
  report: (sentence: string) => void;
  /** What is read, and how much of all there is. */
  progress: (step: string, share: number) => void;
  signal?: AbortSignal;
};
export type BackupReport = { manifest: Manifest; totals: Totals; bytes: number };

/** Writes the archive. Throws StartError with a sentence where it cannot be had. */
export async function backUpRegistry(request: BackupRequest): Promise<BackupReport> {
  const { config, address, file } = request;
  const createdAt = new Date();
  const secrets = await readSecrets(request);
  // Before the snapshot, so that it is never ahead of it: a registry restored from both can go on.
  const log = openLogFolder(config);
  const [note, signedAt] = [await latestNote(log), await log.signedAt()];
  const logKey = await findLogKey(config);
  const writer = await ArchiveWriter.begin(file, createdAt);
  const client = await openForRows(address).catch(async (error: unknown) => {
    await writer.discard();
    throw error;
  });
  try {
    // Held to the end, so that the sweep removes no file of the snapshot.
    await client.query('select pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
    const tables = await beginSnapshot(client);
    const manifest: Manifest = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      product: request.product,
      createdAt: createdAt.toISOString(),
      postgresql: await ask(client, 'show server_version'),
      registryName: config.registryName,
      timeZone: config.timeZone,
      migrations: await migrationsOf(client),
      tables: tables.map(({ name, columns }) => ({ name, columns })),
      log: {
        entries: Number(await ask(client, 'select leaf_size from activity_state')),
        verifierKey: logKey?.verifierKey ?? null,
      },
    };
    await writer.addJson(MANIFEST_PART, manifest);
    const share = await shareOf(client, tables);
    const rows = await addTables(request, writer, { client, tables, share });
    await pipeline(client.query(copyTo(STORED)), createWriteStream(writer.besideIt, { flags: 'wx', mode: 0o600 }));
    await client.query('commit');
    const sequences = await readSequences(client);
    const files = await addFiles(request, writer, share);
    if (note !== undefined) await writer.add(HIGH_WATER_PART, note, signedAt);
    for (const { name, text } of secrets) await writer.add(`secrets/${name}`, Buffer.from(text));
    const totals: Totals = { rows, sequences, files };
    await writer.addJson(TOTALS_PART, totals);
    await writer.finish();
    request.progress('Written', 1);
    return { manifest, totals, bytes: writer.bytes };
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await rm(writer.besideIt, { force: true });
    await client.end().catch(() => undefined);
  }
}

// Locked before the snapshot begins, as pg_dump does, so that no migration changes what is being read.
async function beginSnapshot(client: pg.Client): Promise<RegistryTable[]> {
  if ((await readApplied(client)) === undefined) throw new StartError('There is no registry in this database.');
  const names = (await listTables(client)).map(({ name }) => pg.escapeIdentifier(name));
  await client.query('begin isolation level repeatable read, read only');
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  return listTables(client);
}

// A newer schema may have tables that this version does not know to leave out.
async function migrationsOf(client: pg.Client): Promise<Manifest['migrations']> {
  const applied = (await readApplied(client)) ?? [];
  const { unknown } = await compareMigrations(applied);
  if (unknown.length > 0)
    throw new MigrationError(
      `The database was migrated by another version of the registry (${unknown.join(', ')}). Back it up with that version.`,
    );
  return applied;
}

type Share = { tables: Map<string, number>; files: number; total: number };

// By the bytes on disk: good enough for a progress bar.
async function shareOf(client: pg.Client, tables: readonly RegistryTable[]): Promise<Share> {
  const sizes = new Map<string, number>();
  for (const { name } of tables)
    sizes.set(name, Number(await ask(client, `select pg_table_size('${pg.escapeIdentifier(name)}')`)));
  const files = Number(await ask(client, 'select coalesce(sum(size), 0) from stored_file'));
  return { tables: sizes, files, total: [...sizes.values()].reduce((sum, size) => sum + size, files) };
}

async function addTables(
  { progress, signal }: BackupRequest,
  writer: ArchiveWriter,
  { client, tables, share }: { client: pg.Client; tables: readonly RegistryTable[]; share: Share },
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  let before = 0;
  for (const { name, columns, orderBy } of tables) {
    const size = share.tables.get(name) ?? 0;
    let [parts, count, read] = [0, 0, 0];
    const listed = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const copy = `copy (select ${listed} from ${pg.escapeIdentifier(name)} order by ${orderBy}) to stdout`;
    for await (const text of cutRows(client.query(copyTo(copy)))) {
      signal?.throwIfAborted();
      parts += 1;
      await writer.addCompressed(rowsName(name, parts), text);
      count += countRows(text);
      read += text.length;
      progress('Records', (before + Math.min(read, size)) / share.total);
    }
    rows[name] = count;
    before += size;
  }
  return rows;
}

// Keys with the hash that their bytes must have; that of a thumbnail is not recorded. Keys hold nothing that COPY
// escapes.
const STORED = `copy (select key, hash from stored_file,
  lateral (values (storage_key, sha256), (thumbnail_key, '')) of_it (key, hash)
  where key is not null order by key collate "C") to stdout`;

async function addFiles(
  { files, report, progress, signal }: BackupRequest,
  writer: ArchiveWriter,
  share: Share,
): Promise<Totals['files']> {
  const totals = { count: 0, bytes: 0, missing: 0, altered: 0 };
  const list = createInterface({ input: createReadStream(writer.besideIt), crlfDelay: Infinity });
  for await (const line of list) {
    signal?.throwIfAborted();
    const [key = '', sha256 = ''] = line.split('\t');
    if ((await files.size(key)) === undefined) {
      totals.missing += 1;
      report(`missing: ${key}`);
      continue;
    }
    const bytes = await buffer(await files.read(key));
    if (sha256 !== '' && createHash('sha256').update(bytes).digest('hex') !== sha256) {
      totals.altered += 1;
      report(`altered: ${key}`);
    }
    await writer.add(`files/${key}`, bytes);
    totals.count += 1;
    totals.bytes += bytes.length;
    // Thumbnails come on top of what is counted: the bar waits for the end.
    progress('Files', (share.total - share.files + Math.min(totals.bytes, share.files * 0.99)) / share.total);
  }
  return totals;
}

// No snapshot holds sequences: read after the rows, they are never behind them.
async function readSequences(client: pg.Client): Promise<Totals['sequences']> {
  const sequences: Totals['sequences'] = [];
  for (const { table, column, name } of await listSequences(client)) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${pg.escapeIdentifier(name)}`,
    );
    sequences.push({ table, column, lastValue: rows[0]?.last ?? '1', isCalled: rows[0]?.called ?? false });
  }
  return sequences;
}

async function readSecrets({ config, withLogKey, withAuthSecret }: BackupRequest) {
  const secrets: Omit<Secret, 'kind'>[] = [];
  if (withLogKey) secrets.push({ name: 'log-key', text: there((await findLogKey(config))?.text, 'log key') });
  if (withAuthSecret) secrets.push({ name: 'auth-secret', text: there(await findAuthSecret(config), 'AUTH_SECRET') });
  return secrets;
}

function there(secret: string | undefined, what: string): string {
  if (secret === undefined) throw new StartError(`There is no ${what} here to put into the archive.`);
  return secret;
}

async function ask(client: pg.Client, question: string): Promise<string> {
  const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
  return String(rows[0]?.[0] ?? '');
}
