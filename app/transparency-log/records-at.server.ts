// Records as they stood when the log had so many entries. An entry commits to the whole of each record that it covers:
// the last one before then has the row as it was (database/functions/records_at.sql). A statement over these rows
// reads the past as it reads the present.
import { sql, type RawBuilder } from 'kysely';
import type { RecordTable } from '#database/log-tables.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { readLoggedLeaf, type Leaf } from '#app/tlog/leaf.ts';

const TABLES = [
  ...(['vehicle', 'calibration', 'calibration_set', 'visit', 'visit_decision', 'check_visit', 'vehicle_file'] as const),
  ...(['former_plate', 'validation', 'reference'] as const),
] satisfies RecordTable[];

/**
 * `statement` over the records as they stood when the log had `size` entries. `names`: regos, or VINs, of all vehicles
 * that it may find.
 */
export const asOf = <Row>(statement: RawBuilder<Row>, { size, names }: { size: number; names: readonly string[] }) =>
  sql<Row>`with past_record as materialized (select * from records_at(${names}::text[], ${size}::bigint)),
    policy as materialized (select p.* from policy p where exists (select from record_leaf r
      where r.record_table = 'policy' and r.record_key = p.version::text and r.leaf_index < ${size})),
    record_leaf as not materialized (select * from record_leaf where leaf_index < ${size}),
    ${sql.join(TABLES.map(rowsOf))}
    select * from (${statement}) at_end`;

// With the columns in which the database has the version of a row: of the past there is one.
const rowsOf = (table: RecordTable): RawBuilder<unknown> => sql`${sql.table(table)} as materialized (
    select t.*, '0'::xid as xmin, '(0,0)'::tid as ctid from past_record p cross join lateral jsonb_populate_record(null::${sql.table(table)}, p.row) t
    where p.kind = ${sql.lit(table)})`;

/** The entries that cover records of a vehicle, from when the log had `size` entries. */
export async function leavesSince(db: Db, vehicleId: string, size: number): Promise<Leaf[]> {
  const { rows } = await sql<{ entry: string }>`select entry from log_leaf
    where index in (select r.leaf_index from record_keys(array[${vehicleId}::uuid]) k
      join record_leaf r on r.record_table = k.kind and r.record_key = k.key) and index >= ${size} order by index`.execute(
    db,
  );
  return rows.map(({ entry }) => readLoggedLeaf(entry));
}
