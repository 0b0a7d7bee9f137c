// What a reading is judged by before it is recorded or corrected.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { VISIT_MS } from '#app/readings/calibration-set.ts';
import type { Beside, Reading } from './entry-slips.ts';

type Asked = { rego: string; personId: string | null; at: Date; except?: number | null };

/**
 * The counting readings that `personId` took of this truck within a visit's time of `at`, the latest of each axle and
 * attribute. `except`: the id of a reading that is being corrected.
 */
export async function listReadingsBeside(db: Db, { rego, personId, at, except = null }: Asked): Promise<Beside> {
  const [from, to] = [new Date(at.getTime() - VISIT_MS), new Date(at.getTime() + VISIT_MS)];
  // A reading's id is the time of its recording, which is never before the measurement. So the ids begin there too. By
  // the truck first ("offset 0"), whatever the statistics say: all that one person ever read is much more.
  const { rows } = await sql<{ groupDetails: string; readings: Reading[] | null }>`
    select v.group_details, (select json_agg(r) from (
    select distinct on (c.axle, c.attribute) c.axle, c.attribute, c.value, c.unit
    from (select * from calibration where vehicle_id = v.id and id >= ${from.getTime()}::bigint offset 0)
    c join actor on actor.id = c.technician_id
    where actor.person_id = ${personId}::uuid and c.calibrated_at between ${from} and ${to}
      and c.id is distinct from ${except}::bigint
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    order by c.axle, c.attribute, c.id desc) r) as readings
    from (select id, group_details from vehicle where rego = ${rego} and deleted_at is null offset 0) v`.execute(db);
  const [found] = rows;
  return { readings: found?.readings ?? [], groupDetails: found?.groupDetails ?? '' };
}

/** What a new reading is judged by: the readings beside it, and the policy's longest interval. */
type EntryRules = { beside: Beside; longestIntervalDays: number };

/** The rules for a reading recorded by `personId` at `at`. */
export async function readEntryRules(db: Db, asked: Asked): Promise<EntryRules> {
  const [beside, { longestIntervalDays }] = await Promise.all([listReadingsBeside(db, asked), currentPolicy(db)]);
  return { beside, longestIntervalDays };
}
