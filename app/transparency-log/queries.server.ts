// Reads of the log by its records, for other folders.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** The index of the leaf that recorded a record (its first). 0 for one of before the log that is not entered yet. */
export async function findLeafOf(db: Db | Tx, ref: RecordRef): Promise<number> {
  return (await findLeaf(db, ref, 'first')) ?? 0;
}

export async function findLeaf(
  db: Db | Tx,
  { table, key }: RecordRef,
  which: 'first' | 'last',
): Promise<number | undefined> {
  const found = await db
    .selectFrom('recordLeaf')
    .select('leafIndex')
    .where('recordTable', '=', table)
    .where('recordKey', '=', key)
    .orderBy('leafIndex', which === 'first' ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.leafIndex;
}
