// What earlier imports made of the export's records: the map from its keys to ours.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

export type KnownRecord = { hash: string; targetId: string; targetVersion: number };

/** What became of a record, and its fields that have no place here. */
export type NotedRecord = KnownRecord & { key: string; unplaced: Record<string, unknown> };

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

export async function noteRecords(db: Db, records: readonly NotedRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ key, hash, targetId, targetVersion, unplaced }) => ({
    key,
    hash,
    target_id: targetId,
    target_version: targetVersion,
    unplaced: Object.keys(unplaced).length === 0 ? undefined : unplaced,
  }));
  await sql`insert into import_record (key, hash, target_id, target_version, unplaced)
    select key, hash, target_id, target_version, unplaced
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (key text, hash text, target_id text, target_version int, unplaced jsonb)
    on conflict (key) do update set hash = excluded.hash, target_id = excluded.target_id,
      target_version = excluded.target_version, unplaced = excluded.unplaced, imported_at = now()`.execute(db);
}
