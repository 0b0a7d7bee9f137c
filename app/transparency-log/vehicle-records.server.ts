// Whether all that a vehicle's page rests on is what was logged.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database.server.ts';
import { checkAsked, checkRecords, findingOf, findingsOf } from './check-records.server.ts';
import { recordName, type RecordRef } from './record-snapshot.server.ts';

/**
 * What does not match, in sentences; none: the vehicle, its readings and sets, its validations and its certificate all do.
 * Among them are readings that the log has of this rego and the database has no longer, and sets that readings name and
 * that are gone.
 */
export async function findMismatches(db: Db, { id, rego }: { id: string; rego: string }): Promise<string[]> {
  const checks = await checkAsked(
    db,
    // Compared byte by byte, whatever the database sorts by: '0' comes after '/'.
    sql`select 'vehicle', ${id}::text
      union all select 'calibration', rego || '/' || id from calibration where vehicle_id = ${id}::uuid
      union all select distinct 'calibration', record_key from record_leaf r
        where record_table = 'calibration' and record_key ~>=~ ${`${rego}/`}::text and record_key ~<~ ${`${rego}0`}::text
          and not exists (select from calibration c
            where c.rego = ${rego} and c.id = split_part(r.record_key, '/', 2)::bigint)
      union all (select 'calibration_set', id::text from calibration_set where vehicle_id = ${id}::uuid
        union select 'calibration_set', set_id::text from calibration where vehicle_id = ${id}::uuid and set_id is not null)
      union all select 'validation', id::text from validation where vehicle_id = ${id}::uuid
      union all select 'vehicle_file', id::text from vehicle_file
        where vehicle_id = ${id}::uuid and role = 'certificate' and removed_at is null`,
  );
  return findingsOf(checks);
}

/** Which of these vehicles' own records are not what was logged: they lose their tick in lists. */
export async function mismatchedVehicles(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const refs = ids.map((id): RecordRef => ({ table: 'vehicle', key: id }));
  const checks = await checkRecords(db, refs);
  return new Set(refs.filter((ref) => findingOf(ref, checks.get(recordName(ref))) !== undefined).map(({ key }) => key));
}
