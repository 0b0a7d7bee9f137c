// For the importer's tests: a database and a file store, and a run of the importer over an export that the test makes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { importExport } from '#app/import/import-export.server.ts';
import type { ImportReport } from '#app/import/report.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const DEMO_BUCKET = { folder: path.resolve(import.meta.dirname, '../commands/demo/bucket') };

type ImportMore = { dryRun?: boolean; bucket?: { folder: string } };
type ImportRun = { report: ImportReport; lines: string[] };

/** Writes `data` (text unchanged, anything else as JSON) to `file`, and imports it. */
async function runImport(
  { db, files, now }: Pick<Services, 'db' | 'files' | 'now'>,
  file: string,
  data: unknown,
  more: ImportMore = {},
): Promise<ImportRun> {
  await writeFile(file, typeof data === 'string' ? data : JSON.stringify(data));
  const lines: string[] = [];
  const report = await importExport({
    db,
    files,
    file,
    bucket: more.bucket,
    timeZone: 'Australia/Sydney',
    dryRun: more.dryRun ?? false,
    now,
    print: (line) => lines.push(line),
    progress: () => {},
  });
  return { report, lines };
}

/** Imports it into the registry of these services. */
export async function importInto(services: Services, data: unknown): Promise<ImportRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
  try {
    return await runImport(services, path.join(folder, 'export.json'), data);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export type ImportBench = {
  database: TestDatabase;
  folder: string;
  /** Imports `data` (text unchanged, anything else as JSON). Returns the report and its lines. */
  run(data: unknown, more?: ImportMore): Promise<ImportRun>;
  /** How many rows each table has. */
  tableCounts(): Promise<Record<string, number>>;
  close(): Promise<void>;
};

export async function openImportBench(): Promise<ImportBench> {
  const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
  const files = await openFileStore({ directory: path.join(folder, 'files') });
  const database = await createTestDatabase();
  return {
    database,
    folder,
    run: (data, more) =>
      runImport({ db: database.db, files, now: () => new Date() }, path.join(folder, 'export.json'), data, more),
    async tableCounts() {
      const { rows } = await sql<{
        name: string;
        n: number;
      }>`select table_name as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', table_name), false, true, '')))[1]::text::bigint as n
        from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
        database.db,
      );
      return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
    },
    async close() {
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
