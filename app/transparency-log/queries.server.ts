// Reads of the log by its records, for other folders.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';
import { firstRego } from './what-rests.server.ts';

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

/** The vehicle whose chain has the entry of a reading, with the rego under which it was first logged. */
export async function findLoggedVehicle(
  db: Db | Tx,
  { rego, id }: { rego: string; id: number },
): Promise<{ id: string; rego: string }> {
  const { rows } = await sql<{ id: string; rego: string }>`
    select v.id, ${firstRego(sql`v.id`, sql`v.rego`)} as rego from calibration c
    join vehicle v on v.id = coalesce(c.from_vehicle, c.vehicle_id) where c.rego = ${rego} and c.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? { id: '', rego: '' };
}
