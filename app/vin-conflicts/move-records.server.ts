// What belongs to a record goes to the one with which it is joined, and back. Each row says in `from_vehicle` under
// which record it was logged, so an undone join leaves nothing behind, and no entry of the log is written anew.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { makeFingerprints } from '#app/transparency-log/verify-fingerprints.server.ts';

/** `from`: the record that is closed. */
export type Move = { from: string; to: string };

// What an admin decided about the tick stays with its record: the tick of the other is not changed by a join.
const TABLES = ['calibration', 'calibration_set', 'visit', 'check_visit', 'former_plate'] as const;
const ALL = [...TABLES, 'vehicle_file', 'follower'] as const;

export async function moveRecords(tx: Tx, { from, to }: Move): Promise<void> {
  const set = sql`set vehicle_id = ${to}::uuid, from_vehicle = coalesce(from_vehicle, vehicle_id)`;
  for (const table of TABLES) await sql`update ${sql.table(table)} ${set} where vehicle_id = ${from}::uuid`.execute(tx);
  // A record has one certificate: that of the other stays.
  await sql`update vehicle_file f ${set} where vehicle_id = ${from}::uuid
    and (role = 'image' or removed_at is not null or not exists (select from vehicle_file k
      where k.vehicle_id = ${to}::uuid and k.role = 'certificate' and k.removed_at is null))`.execute(tx);
  // Who follows both is told once.
  await sql`update follower f ${set}, look_on = '-infinity' where vehicle_id = ${from}::uuid
    and not exists (select from follower k where k.vehicle_id = ${to}::uuid and k.email = f.email)`.execute(tx);
  await keepDerived(tx, { from, to });
}

export async function moveBack(tx: Tx, { from, to }: Move): Promise<void> {
  // The plate of `from` is its own again.
  await sql`update former_plate set vehicle_id = null
    where vehicle_id = ${to}::uuid and from_vehicle = ${from}::uuid and why = 'joined'`.execute(tx);
  for (const table of ALL)
    await sql`update ${sql.table(table)} set vehicle_id = ${from}::uuid, from_vehicle = nullif(from_vehicle, ${from}::uuid)
      where vehicle_id = ${to}::uuid and from_vehicle in (
        with recursive part (id) as (select ${from}::uuid
          union select v.id from part join vehicle v on v.joined_into = part.id) select id from part)`.execute(tx);
  await keepDerived(tx, { from, to });
}

async function keepDerived(tx: Tx, { from, to }: Move): Promise<void> {
  await sql`update vehicle v set last_calibrated_at =
      (select max(c.calibrated_at) from calibration c where c.vehicle_id = v.id)
    where v.id = any(${[from, to]}::uuid[])`.execute(tx);
  for (const id of [from, to]) await makeFingerprints(tx, id);
}
