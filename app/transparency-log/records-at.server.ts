// Records as they stood when the log had so many entries. What an entry commits to is each record that it covers, whole:
// the last entry before then has the row as it was. A statement over these rows reads the past as it reads the present.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { readLoggedLeaf, type Leaf } from '#app/tlog/leaf.ts';
import type { RecordTable } from '#database/log-tables.ts';
import { keyOf } from './record-snapshot.server.ts';

/** `names`: regos, or VINs, of all vehicles that the statement may find. */
export type Past = { size: number; names: readonly string[] };

// Its key, and the vehicle that it belonged to; a visit's decisions, weighbridge and rules belong to none.
const keys = (table: RecordTable, of: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select distinct ${sql.lit(table)} as table, ${keyOf(table)} as key, o.id, o.truck from own o ${of}`;
// Its rows are with the vehicle that holds them now, which finds them by index.
const ofOwn = (table: RecordTable): RawBuilder<unknown> =>
  keys(
    table,
    sql`join ${sql.table(table)} t on t.vehicle_id = any(array[o.id, o.holder]) and coalesce(t.from_vehicle, t.vehicle_id) = o.id`,
  );
const ofVisits = (table: RecordTable, on: RawBuilder<unknown>): RawBuilder<unknown> =>
  keys(
    table,
    sql`join visit v on v.vehicle_id = any(array[o.id, o.holder]) and coalesce(v.from_vehicle, v.vehicle_id) = o.id
      join ${sql.table(table)} t on ${on}`,
  );

const KEYS = sql.join(
  [
    keys('vehicle', sql`join vehicle t on t.id = o.id`),
    ofOwn('calibration'),
    ofOwn('calibration_set'),
    ofOwn('visit'),
    ofOwn('check_visit'),
    ofOwn('vehicle_file'),
    keys('former_plate', sql`join former_plate t on coalesce(t.from_vehicle, t.vehicle_id) = o.id`),
    keys('validation', sql`join validation t on t.vehicle_id = o.id`),
    ofVisits('visit_decision', sql`t.visit_id = v.id`),
    ofVisits('reference', sql`t.id = v.reference_id`),
  ],
  sql` union all `,
);

const rowAt = (record: { table: RawBuilder<unknown>; key: RawBuilder<unknown> }, size: number): RawBuilder<unknown> =>
  sql`(select l.value -> (${record.table} || ' ' || ${record.key}) from record_leaf r
    join leaf_opening l on l.leaf_index = r.leaf_index and l.field = 'rest'
    where r.record_table = ${record.table} and r.record_key = ${record.key} collate "default" and r.leaf_index < ${size}
    order by r.leaf_index desc limit 1)`;

// A text column that came after the entry is empty, as it was for all.
const textsOf = (table: RecordTable): RawBuilder<unknown> =>
  sql`(select coalesce(jsonb_object_agg(attname, ''), '{}') from pg_attribute where attrelid = ${sql.lit(table)}::regclass
    and attnum > 0 and attnotnull and atttypid = 'text'::regtype and not attisdropped)`;

// The rows of a table, under its own name. What came with a join belongs to the other vehicle.
function rowsOf(table: RecordTable, more: RawBuilder<unknown> = OF_TRUCK): RawBuilder<unknown> {
  return sql`${sql.table(table)} as materialized (
    select t.* from found_row f cross join lateral jsonb_populate_record(null::${sql.table(table)},
      ${textsOf(table)} || f.row || ${more}) t where f.table = ${sql.lit(table)})`;
}
const OF_TRUCK = sql`jsonb_build_object('vehicle_id', f.truck, 'from_vehicle', nullif(f.id, f.truck))`;
const AS_IT_IS = sql`'{}'::jsonb`;
// What entries do not cover, as it follows from the readings.
const LAST_CALIBRATED = sql`(select jsonb_build_object('last_calibrated_at', max(c.calibrated_at), 'is_calibrated', count(*) > 0)
  from calibration c where c.vehicle_id = f.id)`;

/** `statement` over the records as they stood when the log had `size` entries. It must not ask for versions of rows. */
export const asOf = <Row>(statement: RawBuilder<Row>, { size, names }: Past): RawBuilder<Row> => sql<Row>`
  with own as materialized (
    with recursive named (id) as (
      select id from vehicle where rego = any(${names}::text[]) or (vin <> '' and vin = any(${names}::text[]))
      union select coalesce(from_vehicle, vehicle_id) from former_plate
        where split_part(rego, '-', 1) = any(array(select split_part(n, '-', 1) from unnest(${names}::text[]) n))
          and rego = any(${names}::text[])),
    joined (id, truck) as (
      select id, id from named
      union select j.vehicle_id, w.truck from joined w join joined_record j on j.kept_id = w.id
        cross join lateral (select ${rowAt({ table: sql`'joined_record'`, key: sql`j.id::text` }, size)} as row offset 0) at_end
        where at_end.row ->> 'joined_at' is not null and at_end.row ->> 'parted_at' is null)
    -- A record that was joined belongs to the other, also where it was asked for by its own plate.
    select id, (array_agg(truck order by truck = id))[1] as truck, joined_truck(id) as holder from joined group by id),
  found_row as materialized (
    select k.*, ${rowAt({ table: sql`k.table`, key: sql`k.key` }, size)} as row from (${KEYS}) k),
  policy as materialized (select p.* from policy p where exists (select from record_leaf r
    where r.record_table = 'policy' and r.record_key = p.version::text and r.leaf_index < ${size})),
  record_leaf as not materialized (select * from record_leaf where leaf_index < ${size}),
  ${sql.join(
    [
      ...(['calibration', 'calibration_set', 'visit', 'check_visit', 'vehicle_file', 'former_plate'] as const).map(
        (table) => rowsOf(table),
      ),
      rowsOf('vehicle', LAST_CALIBRATED),
      ...(['validation', 'visit_decision', 'reference'] as const).map((table) => rowsOf(table, AS_IT_IS)),
    ],
    sql`, `,
  )}
  select * from (${statement}) at_end`;

export type LeafAbout = { index: number; entry: string; leaf: Leaf };

/** All entries that cover records of a vehicle, in their order. */
export async function leavesAbout(db: Db, vehicleId: string): Promise<LeafAbout[]> {
  const { rows } = await sql<{ index: number; entry: string }>`
    with own as materialized (select ${vehicleId}::uuid as id, ${vehicleId}::uuid as truck, joined_truck(${vehicleId}::uuid) as holder)
    select index, entry from log_leaf where index in (
      select r.leaf_index from (${KEYS}) k
      join record_leaf r on r.record_table = k.table and r.record_key = k.key collate "default") order by index`.execute(db);
  return rows.map((row) => ({ ...row, leaf: readLoggedLeaf(row.entry) }));
}
