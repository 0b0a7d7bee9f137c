import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { FileStore } from '#app/platform/storage/file-store.server.ts';
import type { Directory } from './directory.server.ts';
import type { Bucket } from './import-files.server.ts';
import type { ImportReport } from './report.ts';

export type ImportJob = {
  db: Db;
  files: FileStore;
  bucket: Bucket;
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

export function commit<T>(db: Db, write: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute((tx) => byIndexes(tx, write));
}

class RolledBack extends Error {}

// A block reads its own few thousand rows out of millions. Plans and statistics that are a minute old belong to a table a tenth
// as large, and would read all of it for each block.
async function byIndexes<T>(tx: Tx, write: (tx: Tx) => Promise<T>): Promise<T> {
  await sql`select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) name`.execute(tx);
  return write(tx);
}

/** The transaction of a dry run: everything is done, then rolled back. */
export async function tryOnly<T>(db: Db, directory: Directory, write: (tx: Tx) => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined;
  await db
    .transaction()
    .execute(async (tx) => {
      answer = { value: await byIndexes(tx, write) };
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  directory.forgetActors();
  if (answer === undefined) throw new Error('a tried write gave no answer');
  return answer.value;
}
