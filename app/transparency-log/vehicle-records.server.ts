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

/** One state of a vehicle's row, and of what the log has of it: any change of either makes another. */
export type VehicleState = { id: string; version: string; leafIndex: number | null };

const REMEMBERED_MAX = 100_000;
const matching = new Map<string, string>();

/**
 * As `mismatchedVehicles`, without reading the log again for those that were found to match in this very state. For lists,
 * which everyone asks for all the time; a vehicle's own page reads the log each time.
 */
export async function mismatchedStates(db: Db, states: readonly VehicleState[]): Promise<ReadonlySet<string>> {
  const open = states.filter((state) => matching.get(state.id) !== nameOf(state));
  if (open.length === 0) return new Set();
  const mismatched = await mismatchedVehicles(
    db,
    open.map(({ id }) => id),
  );
  for (const state of open) {
    matching.delete(state.id);
    if (!mismatched.has(state.id)) matching.set(state.id, nameOf(state));
  }
  for (const id of matching.keys()) {
    if (matching.size <= REMEMBERED_MAX) break;
    matching.delete(id);
  }
  return mismatched;
}

// The version is the database's own name of a row as one transaction left it: no other row has it, and no later state.
const nameOf = ({ version, leafIndex }: VehicleState) => `${version} ${leafIndex}`;
