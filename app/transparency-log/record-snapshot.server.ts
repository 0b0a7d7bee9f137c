// Records as the log covers them: every stored column, in the database's own words.
import { sql, type RawBuilder } from 'kysely';
import type { RecordTable } from '#database/log-tables.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { PLATE, RESTS, restsOf, type FoundRests, type LoggedPlate, type SaidOfVehicle } from './what-rests.server.ts';

/** `key`: the id; of a calibration `{rego}/{id}`, of a policy its version. */
export type RecordRef = { table: RecordTable; key: string };
export type RecordRow = Readonly<Record<string, unknown>>;

// Not covered: what follows from other covered records (a vehicle's last calibration, how far a withdrawal is applied),
// what an admin noted about a check visit, and who sent a report, so that it can be erased, and a technician's or
// admin's own profile, which is no record of the trade and may be edited at any time.
const NOT_COVERED: Readonly<Partial<Record<RecordTable, readonly string[]>>> = {
  vehicle: ['last_calibrated_at', 'is_calibrated'],
  check_visit: ['note'],
  wrong_report: ['leaf_index', 'email', 'person_id', 'state', 'due_on', 'told_days'],
  reference_withdrawal: ['applied_on', 'applied_through', 'applied_at', 'lift_applied_at'],
  admin: 'version name phone address born_on role_label gender notes image_id image_url updated_at updated_by'.split(
    ' ',
  ),
  technician: 'version address rep_name rep_contact born_on gender notes image_id updated_at updated_by'.split(' '),
};

// What a join brings to another record of its truck. The log has the record under which it was logged
// (`from_vehicle`).
const JOINED: readonly RecordTable[] = [
  ...(['calibration', 'calibration_set', 'visit', 'check_visit', 'vehicle_file', 'former_plate'] as const),
];

/** A record's key as SQL over its table, `t`. */
export function keyOf(table: RecordTable): RawBuilder<unknown> {
  if (table === 'calibration') return sql`t.rego || '/' || t.id`;
  return table === 'policy' ? sql`t.version::text` : sql`t.id::text`;
}

// Their id is a number.
const BY_NUMBER: readonly RecordTable[] = ['validation', 'visit_decision', 'former_plate'];

// The row that a key names, as SQL over `asked.record_key`.
function named(table: RecordTable): RawBuilder<boolean> {
  if (table === 'calibration')
    return sql`t.rego = split_part(asked.record_key, '/', 1) and t.id = split_part(asked.record_key, '/', 2)::bigint`;
  if (table === 'policy') return sql`t.version = asked.record_key::int`;
  return BY_NUMBER.includes(table) ? sql`t.id = asked.record_key::bigint` : sql`t.id = asked.record_key::uuid`;
}

/**
 * What is covered of the record that a row of `asked` (record_table, record_key) names, null when it is gone, as SQL.
 * `tables`: those that `asked` may name. Each costs time to prepare, also where no row names it.
 */
export const rowNow = (tables: readonly RecordTable[]): RawBuilder<RecordRow | null> =>
  ofNamedRow(tables, (table) => {
    const covered = sql`to_jsonb(t) - array[${sql.join((NOT_COVERED[table] ?? []).map((column) => sql.lit(column)))}]::text[]`;
    return JOINED.includes(table)
      ? sql<RecordRow>`${covered} - 'from_vehicle' || ${LOGGED_FOR}`
      : sql<RecordRow>`${covered}`;
  });

// A row that belongs to another truck than the one with which its record was joined is not as it was logged.
const LOGGED_FOR = sql`case when t.from_vehicle is null or t.vehicle_id <> joined_truck(t.from_vehicle) then '{}'
  else jsonb_build_object('vehicle_id', t.from_vehicle) end`;

// The row that says who or what a record names by its id: its leaf covers the name, or what the file is.
const BESIDE: Partial<Record<RecordTable, RawBuilder<unknown>>> = {
  calibration: sql`left join actor b on b.id = t.technician_id`,
  calibration_set: sql`left join actor b on b.id = t.technician_id`,
  vehicle_file: sql`left join stored_file b on b.id = t.file_id`,
};

/** The version of that row and of the one beside it: any change of either makes another, of what is not covered too. */
const versionNow = (tables: readonly RecordTable[]): RawBuilder<string | null> =>
  ofNamedRow(tables, (table) => versionOf('t', ...(table in BESIDE ? ['b'] : [])), BESIDE);

/**
 * One text for the state of all records of `asked` (record_table, record_key, leaf_index), as SQL: any change of one of
 * them, or another last leaf, makes another text. `tables`: those that `asked` may name.
 */
export const stateOfAll = (asked: RawBuilder<unknown>, tables: readonly RecordTable[]): RawBuilder<string> => sql`(
  select md5(string_agg(concat_ws(' ', asked.record_table, asked.record_key, asked.leaf_index, ${versionNow(tables)}), ','
    order by asked.record_table, asked.record_key)) from ${asked} asked)`;

function ofNamedRow<Found>(
  tables: readonly RecordTable[],
  found: (table: RecordTable) => RawBuilder<Found>,
  beside: Partial<Record<RecordTable, RawBuilder<unknown>>> = {},
): RawBuilder<Found | null> {
  const cases = tables.map(
    (table) => sql`when ${sql.lit(table)} then (
      select ${found(table)} from ${sql.table(table)} t ${beside[table] ?? sql``} where ${named(table)})`,
  );
  return sql`case asked.record_table ${sql.join(cases, sql` `)} end`;
}

/** PostgreSQL's own name of one version of a row: no other row and no later version has it, as SQL. */
export const versionOf = (...aliases: string[]): RawBuilder<string> =>
  sql`concat(${sql.raw(aliases.map((alias) => `${alias}.xmin::text, ${alias}.ctid::text`).join(', '))})`;

/** The name of a record within what a leaf covers. */
export const recordName = ({ table, key }: RecordRef): string => `${table} ${key}`;

type Snapshot = { rows: Map<string, RecordRow>; said: Map<string, SaidOfVehicle> };

/**
 * The records as they are now, by name; absent ones are missing. Instants in UTC. `said`: what entries say of the
 * vehicles among them, by their ids.
 */
export async function snapshotRecords(db: Db | Tx, refs: readonly RecordRef[]): Promise<Snapshot> {
  if (refs.length === 0) return { rows: new Map(), said: new Map() };
  const found = [...Map.groupBy(refs, ({ table }) => table)].map(([table, of]) => {
    const keys = JSON.stringify(of.map(({ key }) => key));
    // The words of rowNow: json is written as it comes, where jsonb is built and sorted first. The plan does not depend
    // on how many a list in JSON has, so it is made once.
    return sql`select ${sql.lit(table)} as table, asked.record_key as key, row_to_json(t) as row,
        ${table === 'vehicle' ? sql`${RESTS} as rests, ${PLATE} as plate` : sql`null::json as rests, null::json as plate`}
      from jsonb_array_elements_text(${keys}::jsonb) asked (record_key)
      cross join lateral (select * from ${sql.table(table)} t where ${named(table)} offset 0) t`;
  });
  type Found = RecordRef & { row: Record<string, unknown>; rests: FoundRests | null; plate: LoggedPlate | null };
  const { rows } = await sql<Found>`${sql.join(found, sql` union all `)}`.execute(db.withoutPlugins());
  for (const { table, row } of rows) {
    for (const column of NOT_COVERED[table] ?? []) Reflect.deleteProperty(row, column);
    if (!JOINED.includes(table)) continue;
    row['vehicle_id'] = row['from_vehicle'] ?? row['vehicle_id'];
    delete row['from_vehicle'];
  }
  return {
    rows: new Map(rows.map(({ row, ...ref }) => [recordName(ref), row])),
    said: new Map(
      rows.flatMap(({ key, rests, plate }) => (rests === null ? [] : [[key, { rests: restsOf(rests), plate }]])),
    ),
  };
}

/** One state of a record's row, and of what the log has of it: any change of either makes another. */
export type RecordState = RecordRef & { version: string; leafIndex: number | null };

/**
 * The state of a row of `table`, whose alias is `t`, as SQL. `beside`: aliases of the rows of other tables that its
 * leaf covers, as it covers the name of a reading's technician.
 */
export const stateOf = (table: RecordTable, ...beside: string[]): RawBuilder<RecordState> =>
  sql`jsonb_build_object('table', ${sql.lit(table)}, 'key', ${keyOf(table)},
    'version', ${versionOf('t', ...beside)}, 'leafIndex', (
      select r.leaf_index from record_leaf r
      where r.record_table = ${sql.lit(table)} and r.record_key = (${keyOf(table)}) collate "default"
      order by r.leaf_index desc limit 1))`;
