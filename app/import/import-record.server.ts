// What earlier imports made of the export's records: the map from its keys to ours.
import type { Db } from '#app/platform/database.server.ts';

export type KnownRecord = { hash: string; targetId: string; targetVersion: number };

/** The earlier outcome of each of `keys` that has one. */
export async function knownRecords(db: Db, keys: readonly string[]): Promise<Map<string, KnownRecord>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('importRecord')
    .select(['key', 'hash', 'targetId', 'targetVersion'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, ...known }) => [key, known]));
}

/** Notes what became of records now. */
export async function noteRecords(
  db: Db,
  records: readonly ({ key: string; unplaced: Record<string, unknown> } & KnownRecord)[],
): Promise<void> {
  if (records.length === 0) return;
  await db
    .insertInto('importRecord')
    .values(
      records.map(({ unplaced, ...record }) => ({
        ...record,
        unplaced: Object.keys(unplaced).length === 0 ? null : JSON.stringify(unplaced),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        hash: eb.ref('excluded.hash'),
        targetId: eb.ref('excluded.targetId'),
        targetVersion: eb.ref('excluded.targetVersion'),
        unplaced: eb.ref('excluded.unplaced'),
        importedAt: new Date(),
      })),
    )
    .execute();
}
