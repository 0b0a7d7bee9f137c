// Whether all that a vehicle's page rests on is what was logged.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { checkAsked, findingsOf } from './check-records.server.ts';
import type { RecordTable } from '#database/log-tables.ts';

/**
 * What does not match, in sentences; none: the vehicle, its plates, readings, sets and visits, what was decided, and
 * its certificate all do. Among them are readings that the log has of its regos and the database has no longer, and
 * sets and visits that readings name and that are gone.
 */
export async function findMismatches(db: Db, { id, rego }: { id: string; rego: string }): Promise<string[]> {
  const vehicle = sql`select ${id}::uuid as id, ${rego}::text as rego`;
  return findingsOf(
    await checkAsked(db, sql`with v as materialized (${vehicle}) ${recordsOf(sql`v`)}`, VEHICLE_RECORDS),
  );
}

/** The tables that `recordsOf` names. */
export const VEHICLE_RECORDS = [
  ...(['vehicle', 'calibration', 'calibration_set', 'visit', 'visit_decision', 'check_visit'] as const),
  ...(['validation', 'vehicle_file', 'former_plate'] as const),
] satisfies RecordTable[];

/**
 * Table and key of all of these records, as SQL. `vehicle` is a table expression with one row at most, `id` and `rego`:
 * with plain values the planner would make a new plan each time, which takes longer than all the rest.
 */
export const recordsOf = (vehicle: RawBuilder<unknown>) => sql`
      select 'vehicle', v.id::text from ${vehicle} v
      union all select 'calibration', c.rego || '/' || c.id from ${vehicle} v join calibration c on c.vehicle_id = v.id
      union all ${lostReadings(vehicle, sql`0`)}
      union all (select 'calibration_set', s.id::text from ${vehicle} v join calibration_set s on s.vehicle_id = v.id
        union select decided.* from ${vehicle} v join visit t on t.vehicle_id = v.id
          left join visit_decision d on d.visit_id = t.id
          cross join lateral (values ('visit', t.id::text), ('visit_decision', d.id::text)) decided (record, key)
          where decided.key is not null
        union select named.* from ${vehicle} v join calibration c on c.vehicle_id = v.id
          cross join lateral (values ('calibration_set', c.set_id::text), ('visit', c.visit_id::text)) named (record, key)
          where named.key is not null)
      union all select 'check_visit', k.id::text from ${vehicle} v join check_visit k on k.vehicle_id = v.id
      union all ${formerPlates(vehicle)}
      union all select 'validation', d.id::text from ${vehicle} v join validation d on d.vehicle_id = v.id
      union all select 'vehicle_file', f.id::text from ${vehicle} v join vehicle_file f on f.vehicle_id = v.id
        where f.role = 'certificate' and f.removed_at is null`;

/**
 * The part of these records that a page shows, and the readings that the log has from the oldest of them on and the
 * vehicle has no longer. `parts`: table expressions with the readings, visits and decisions of it.
 */
export const shownRecordsOf = (
  vehicle: RawBuilder<unknown>,
  parts: { readings: RawBuilder<unknown>; visits: RawBuilder<unknown>; validations: RawBuilder<unknown> },
) => sql`
      select 'vehicle', v.id::text from ${vehicle} v
      union all select 'calibration', r.rego || '/' || r.id from ${parts.readings} r
      union all ${lostReadings(vehicle, sql`coalesce((select min(r.id) from ${parts.readings} r), 0)`)}
      union all (select named.* from ${parts.readings} r
          cross join lateral (values ('calibration_set', r.set_id::text), ('visit', r.visit_id::text)) named (record, key)
          where named.key is not null
        -- Each visit by itself: in a join, PostgreSQL reads all decisions of a small registry.
        union select decided.* from ${parts.visits} t
          left join lateral (select id from visit_decision where visit_id = t.id offset 0) d on true
          cross join lateral (values ('visit', t.id::text), ('visit_decision', d.id::text)) decided (record, key)
          where decided.key is not null
        union select 'calibration_set', s.id::text from ${parts.visits} t join calibration_set s on s.id = t.id)
      union all ${checkVisitShown(vehicle)}
      union all ${formerPlates(vehicle)}
      union all select 'validation', d.id::text from ${parts.validations} d
      union all select 'vehicle_file', f.id::text from ${vehicle} v join vehicle_file f on f.vehicle_id = v.id
        where f.role = 'certificate' and f.removed_at is null`;

const formerPlates = (vehicle: RawBuilder<unknown>) =>
  sql`select 'former_plate', f.id::text from ${vehicle} v join former_plate f on f.vehicle_id = v.id`;

// A vehicle under each rego that it has and had, with its id.
const underEachRego = (vehicle: RawBuilder<unknown>) => sql`(select id, rego from ${vehicle} one
    union select f.vehicle_id, f.rego from ${vehicle} one join former_plate f on f.vehicle_id = one.id)`;

// The last one, of which a page says what became of it.
const checkVisitShown = (vehicle: RawBuilder<unknown>) => sql`(select 'check_visit', k.id::text
        from ${vehicle} v join check_visit k on k.vehicle_id = v.id order by k.asked_at desc, k.id limit 1)`;

/**
 * How many readings the log has of its regos and the database has no longer; 0 or below: none is known to be gone. As
 * SQL. Readings that have several entries are rare: only where entries outnumber the stored are they told apart.
 */
export const missingReadings = (vehicle: RawBuilder<unknown>) => sql<number>`(
  with counted as materialized (
    select v.rego, (select count(*) from calibration c where c.rego = v.rego) as stored,
      (select count(*) from record_leaf r where ${ofReadings(sql`''`)}) as entries from ${underEachRego(vehicle)} v)
  select sum(case when v.entries <= v.stored then 0
    else greatest(0, cardinality(array(select distinct unnest(${loggedReadings(sql`''`)}))) - v.stored) end)::int
  from counted v)`;

// The readings that the log has of a rego, from that of the id `from` on, and its vehicle has not: they are gone, or
// given to another vehicle, or of an earlier one with the same rego, and then as logged. Ids are milliseconds: those of
// 2001 to 2286 have thirteen digits, so that their keys are in their order. Any other is found by `missingReadings`.
// `offset`: else `from` would be asked for wherever it is named.
const lostReadings = (vehicle: RawBuilder<unknown>, from: RawBuilder<unknown>) => sql`
      select distinct 'calibration', logged.key from (
        select v.id as vehicle_id, first.id, unnest(${loggedReadings(sql`case when first.id >= 1000000000000 then first.id::text else '' end`)}) as key
        from ${underEachRego(vehicle)} v cross join (select ${from} as id offset 0) first) logged
      where split_part(logged.key, '/', 2)::bigint >= logged.id and not exists (select from calibration c
        where c.rego = split_part(logged.key, '/', 1) and c.id = split_part(logged.key, '/', 2)::bigint
          and c.vehicle_id = logged.vehicle_id)`;

// Of one vehicle, from the key on that begins with `first`. As an array, so that it is always found by its index.
// Compared byte by byte, whatever the database sorts by: '0' comes after '/'. With the index's own collation, which a
// rego does not have.
const ofReadings = (first: RawBuilder<string>) => sql`record_table = 'calibration'
          and record_key ~>=~ (v.rego || '/' || ${first}) collate "default" and record_key ~<~ (v.rego || '0') collate "default"`;
const loggedReadings = (first: RawBuilder<string>) =>
  sql`array(select record_key from record_leaf r where ${ofReadings(first)})`;
