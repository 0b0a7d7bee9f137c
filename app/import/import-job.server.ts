import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { Directory } from './directory.server.ts';
import type { ImportReport } from './report.ts';

export type ImportJob = {
  db: Db;
  files: FileStore;
  /** A copy of the bucket; undefined: every link stays as it is. */
  bucket: { folder: string } | undefined;
  report: ImportReport;
  directory: Directory;
  timeZone: string;
  /** Of the policy in force when the import began. */
  longestIntervalDays: number;
  dryRun: boolean;
  now: () => Date;
  /** Names that several keys of the export mean, with those keys: none of them is taken. */
  collisions: { vehicles: ReadonlyMap<string, readonly string[]>; people: ReadonlyMap<string, readonly string[]> };
  /** Runs `write` in a transaction of its own, which a dry run rolls back. */
  transaction<T>(write: (tx: Tx) => Promise<T>): Promise<T>;
};

class RolledBack extends Error {}

/** Runs `write` in a transaction of its own. In a dry run everything is done, then rolled back. */
export async function inTransaction<T>(
  { db, directory, dryRun }: Pick<ImportJob, 'db' | 'directory' | 'dryRun'>,
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  let answer: { value: T } | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      // A block reads its own few thousand rows out of millions. Plans and statistics that are a minute old belong to a
      // table a tenth as large, and would read all of it for each block.
      await sql`select set_config(name, 'off', true)
        from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) name`.execute(tx);
      answer = { value: await write(tx) };
      if (dryRun) throw new RolledBack();
    });
  } catch (error) {
    directory.forgetActors();
    if (!(error instanceof RolledBack)) throw error;
  }
  if (answer === undefined) throw new Error('a transaction of the import gave no answer');
  return answer.value;
}
