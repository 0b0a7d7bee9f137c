// For the importer's tests: a database and a file store, and a run of the importer over an export that the test makes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { importExport } from '#app/import/import-export.server.ts';
import type { ImportReport } from '#app/import/report.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const DEMO_BUCKET = { folder: path.resolve(import.meta.dirname, '../database/demo/bucket') };

export type ImportBench = {
  database: TestDatabase;
  folder: string;
  /** Imports `data` (text unchanged, anything else as JSON). Returns the report and its lines. */
  run(
    data: unknown,
    more?: { dryRun?: boolean; bucket?: { folder: string } },
  ): Promise<{ report: ImportReport; lines: string[] }>;
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
    async run(data, more = {}) {
      const file = path.join(folder, 'export.json');
      await writeFile(file, typeof data === 'string' ? data : JSON.stringify(data));
      const lines: string[] = [];
      const report = await importExport({
        db: database.db,
        files,
        file,
        bucket: more.bucket,
        timeZone: 'Australia/Sydney',
        dryRun: more.dryRun ?? false,
        print: (line) => lines.push(line),
        progress: () => {},
      });
      return { report, lines };
    },
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
