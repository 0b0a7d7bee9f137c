// Whether all that a vehicle's page rests on is what was logged.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database.server.ts';
import { checkRecords, findingOf } from './check-records.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** What does not match, in sentences; none: the vehicle, its readings, its validations and its certificate all do. */
export async function findMismatches(
  db: Db,
  { id: vehicleId, rego }: { id: string; rego: string },
  readings: readonly { rego: string; id: number; setId: string | null }[],
): Promise<string[]> {
  const [gone, sets, validations, certificates] = await Promise.all([
    goneReadings(db, rego),
    db.selectFrom('calibrationSet').select('id').where('vehicleId', '=', vehicleId).execute(),
    db.selectFrom('validation').select('id').where('vehicleId', '=', vehicleId).execute(),
    db
      .selectFrom('vehicleFile')
      .select('id')
      .where('vehicleId', '=', vehicleId)
      .where('role', '=', 'certificate')
      .where('removedAt', 'is', null)
      .execute(),
  ]);
  // One that readings name and that is gone is among them.
  const setIds = new Set([...readings.flatMap(({ setId }) => setId ?? []), ...sets.map(({ id }) => id)]);
  const refs: RecordRef[] = [
    { table: 'vehicle', key: vehicleId },
    ...readings.map((reading): RecordRef => ({ table: 'calibration', key: `${reading.rego}/${reading.id}` })),
    ...gone.map((key): RecordRef => ({ table: 'calibration', key })),
    ...[...setIds].map((key): RecordRef => ({ table: 'calibration_set', key })),
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
