// Copied readings are found by fingerprints, which follow from the readings and are in no leaf: so each is compared
// with those that the readings give. `npm run verify -- db` names the truck; the daily look makes them again, so that
// anybody who deletes them hides a copy for a day at most.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

// The rows that there should be, as JSON: of the visits that are closed as `keepFingerprints` (close-visit.server.ts)
// writes them, of readings without a visit as `fingerprint_taken_over` does.
// Of several of one attribute, which only an import brings in one visit, the first.
const first = (attribute: string) =>
  sql`(array_agg(c.value order by c.id) filter (where c.attribute = ${sql.lit(attribute)}))[1]`;
const expected = (ofVehicles: RawBuilder<unknown>) => sql`
  select to_jsonb(jsonb_populate_record(null::axle_fingerprint, jsonb_build_object('vehicle_id', vehicle_id, 'visit_id', visit_id,
    'axle', axle, 'fingerprint', readings_fingerprint(four[1], four[2], four[3], four[4]), 'readings', four::numeric[]))) as row
  from (
    select c.vehicle_id, c.visit_id, c.axle, array[${first('Empty Volt')}, ${first('Empty Weight')}, ${first('Loaded Volt')},
      ${first('Loaded Weight')}] as four
    from calibration c left join visit v on v.id = c.visit_id
    where ${ofVehicles} and c.value ~ '^-?[0-9]+(\\.[0-9]+)?$' and v.state is distinct from 'open'
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    group by c.vehicle_id, c.visit_id, c.axle, case when c.visit_id is null then
      (c.set_id, c.technician_id, (c.calibrated_at at time zone 'UTC')::date) end
    having count(distinct c.attribute) = 4 and (c.visit_id is not null or count(*) = 4)) complete`;

/** The vehicles whose fingerprints are not those of their readings; among `vehicleIds`, where they are given. */
export async function wrongFingerprints(
  db: Db | Tx,
  vehicleIds?: readonly string[],
): Promise<{ id: string; rego: string }[]> {
  const [ofC, ofF] = ['c', 'f'].map((table) =>
    vehicleIds === undefined ? sql`true` : sql`${sql.ref(`${table}.vehicleId`)} = any(${vehicleIds}::uuid[])`,
  );
  if (ofC === undefined || ofF === undefined) return [];
  const stored = sql`select to_jsonb(f) as row from axle_fingerprint f where ${ofF}`;
  const { rows } = await sql<{ id: string; rego: string }>`
    with expected as (${expected(ofC)}), stored as (${stored})
    select id, rego from vehicle where id in (
      select (row ->> 'vehicle_id')::uuid from (
        (table expected except all table stored) union all (table stored except all table expected)) wrong)
    order by rego`.execute(db);
  return rows;
}

/** Makes those of a vehicle again. The lock keeps a visit from being closed meanwhile. */
export async function makeFingerprintsAgain(db: Db, vehicleId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle').select('id').where('id', '=', vehicleId).forUpdate().execute();
    await makeFingerprints(tx, vehicleId);
  });
}

/** The same of a locked vehicle. */
export async function makeFingerprints(tx: Tx, vehicleId: string): Promise<void> {
  await tx.deleteFrom('axleFingerprint').where('vehicleId', '=', vehicleId).execute();
  await sql`insert into axle_fingerprint select made.* from (${expected(sql`c.vehicle_id = ${vehicleId}`)}) e
    cross join jsonb_populate_record(null::axle_fingerprint, e.row) made`.execute(tx);
}
