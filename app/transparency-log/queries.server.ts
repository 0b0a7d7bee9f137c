// Reads of the log by its records, for other folders.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** The index of the leaf that recorded a record (its first). 0 for one of before the log that is not entered yet. */
export async function findLeafOf(db: Db | Tx, { table, key }: RecordRef): Promise<number> {
  const found = await db
    .selectFrom('recordLeaf')
    .select('leafIndex')
    .where('recordTable', '=', table)
    .where('recordKey', '=', key)
    .orderBy('leafIndex')
    .limit(1)
    .executeTakeFirst();
  return found?.leafIndex ?? 0;
}
