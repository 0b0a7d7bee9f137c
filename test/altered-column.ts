// Another value for each kind of column: what somebody with the database's own password writes in a test.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

export type StoredColumn<Table extends string = string> = { tableName: Table; columnName: string; dataType: string };

/** The columns of the tables `names` that hold what was stored, and not what is worked out from it. */
export async function storedColumns<Table extends string>(
  db: Db,
  names: readonly Table[],
): Promise<StoredColumn<Table>[]> {
  const { rows } = await sql<StoredColumn<Table>>`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and table_name = any(${names})
    order by table_name, ordinal_position`.execute(db);
  return rows;
}

/** An SQL expression of another value than the column has. */
export function otherValue({ tableName, columnName: column, dataType }: StoredColumn): string {
  const ofColumn: Record<string, string> = {
    role: `'image'`,
    axle: `case axle when 'STEER' then 'DRIVE' else 'STEER' end`,
    attribute: `case attribute when 'Empty Volt' then 'Loaded Volt' else 'Empty Volt' end`,
    origin: `case origin when 'recorded' then 'imported' else 'recorded' end`,
    value: `'123456'`,
    weighings: `'[{"on": []}]'`,
    evidence: `coalesce(evidence, '{}') || '{"promptDays": 99}'`,
  };
  const ofType: Record<string, string> = {
    text: `coalesce(${column}, '') || 'X'`,
    bigint: `coalesce(${column}, 0) + 1000001`,
    integer: `coalesce(${column}, 0) + 1`,
    boolean: `not ${column}`,
    bit: `~coalesce(${column}, repeat('0', 64)::bit(64))`,
    uuid: `gen_random_uuid()`,
    jsonb: `jsonb_set(coalesce(${column}, '[{}]'), '{0,sensor_replaced}', 'true')`,
    ARRAY: `coalesce(${column}, '{}') || coalesce(${column}, '{}')`,
    date: `coalesce(${column}, '2026-01-01') + 1`,
    'timestamp with time zone': `coalesce(${column}, '2026-01-01') + interval '1 microsecond'`,
  };
  const other = ofColumn[column] ?? ofType[dataType];
  if (other === undefined) throw new Error(`${tableName}.${column} is ${dataType}`);
  return other;
}

/** A statement that drops the table's checks, so that each column may hold anything. */
export const dropChecks = (table: string): string => `do $$ declare name text; begin
  for name in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
    execute format('alter table ${table} drop constraint %I', name);
  end loop; end $$`;
