// Whether all that a vehicle's page rests on is what was logged.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database.server.ts';
import { checkRecords, findingOf } from './check-records.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** What does not match, in sentences; none: the vehicle, its readings, its validations and its certificate all do. */
export async function findMismatches(
  db: Db,
  { id: vehicleId, rego }: { id: string; rego: string },
  readings: readonly { rego: string; id: number }[],
): Promise<string[]> {
  const [gone, validations, certificates] = await Promise.all([
    goneReadings(db, rego),
    db.selectFrom('validation').select('id').where('vehicleId', '=', vehicleId).execute(),
    db
      .selectFrom('vehicleFile')
      .select('id')
      .where('vehicleId', '=', vehicleId)
      .where('role', '=', 'certificate')
      .where('removedAt', 'is', null)
      .execute(),
  ]);
  const refs: RecordRef[] = [
    { table: 'vehicle', key: vehicleId },
    ...readings.map((reading): RecordRef => ({ table: 'calibration', key: `${reading.rego}/${reading.id}` })),
    ...gone.map((key): RecordRef => ({ table: 'calibration', key })),
    ...validations.map(({ id }): RecordRef => ({ table: 'validation', key: String(id) })),
    ...certificates.map(({ id }): RecordRef => ({ table: 'vehicle_file', key: id })),
  ];
  const checks = [...(await checkRecords(db, refs)).values()];
  return refs.flatMap((ref, place) => findingOf(ref, checks[place]) ?? []);
}

// Readings that the log has of this rego and the database has no longer.
async function goneReadings(db: Db, rego: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select distinct record_key as key from record_leaf r
    where record_table = 'calibration' and record_key like ${`${rego}/%`}
      and not exists (select from calibration c where c.rego = ${rego} and c.id = split_part(r.record_key, '/', 2)::bigint)`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

/** Which of these vehicles' own records are not what was logged: they lose their tick in lists. */
export async function mismatchedVehicles(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const refs = ids.map((id): RecordRef => ({ table: 'vehicle', key: id }));
  const checks = [...(await checkRecords(db, refs)).values()];
  return new Set(ids.filter((id, place) => findingOf({ table: 'vehicle', key: id }, checks[place]) !== undefined));
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
