import type { Db, Tx } from '#app/platform/database.server.ts';
import type { FileStore } from '#app/platform/file-store.server.ts';
import type { Directory } from './directory.server.ts';
import type { Bucket } from './import-files.server.ts';
import type { ImportReport } from './report.ts';

/** What every part of one import shares. */
export type ImportJob = {
  db: Db;
  files: FileStore;
  bucket: Bucket;
  report: ImportReport;
  directory: Directory;
  timeZone: string;
  dryRun: boolean;
  /** Names that several keys of the export mean, with those keys: none of them is taken. */
  collisions: { vehicles: ReadonlyMap<string, readonly string[]>; people: ReadonlyMap<string, readonly string[]> };
  /** Runs `write` in a transaction of its own, which a dry run rolls back. */
  transaction<T>(write: (tx: Tx) => Promise<T>): Promise<T>;
};
