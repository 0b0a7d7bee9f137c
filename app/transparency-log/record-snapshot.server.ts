// Records as the log covers them: every stored column, in the database's own words.
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database.server.ts';

export const RECORDS = ['vehicle', 'calibration', 'validation', 'vehicle_file', 'technician'] as const;
export type RecordTable = (typeof RECORDS)[number];
/** `key`: the id; of a calibration `{rego}/{id}`. */
export type RecordRef = { table: RecordTable; key: string };
export type RecordRow = Readonly<Record<string, unknown>>;

// Not covered: what is worked out from other records that are (a vehicle's last calibration), and a technician's own
// profile, which is no record of the trade and may be edited at any time.
const NOT_COVERED: Readonly<Record<RecordTable, readonly string[]>> = {
  vehicle: ['last_calibrated_at'],
  calibration: [],
  validation: [],
  vehicle_file: [],
  technician: 'version address rep_name rep_contact born_on gender notes image_id updated_at updated_by'.split(' '),
};

const KEYS: Readonly<Record<RecordTable, RawBuilder<unknown>>> = {
  vehicle: sql`t.id::text`,
  calibration: sql`t.rego || '/' || t.id`,
  validation: sql`t.id::text`,
  vehicle_file: sql`t.id::text`,
  technician: sql`t.id::text`,
};

/** The name of a record within what a leaf covers. */
export const recordName = ({ table, key }: RecordRef): string => `${table} ${key}`;

/** The records as they are now, by name; absent ones are missing. Instants in UTC. */
export async function snapshotRecords(db: Db | Tx, refs: readonly RecordRef[]): Promise<Map<string, RecordRow>> {
  const found = new Map<string, RecordRow>();
  const byTable = Map.groupBy(refs, ({ table }) => table);
  for (const [table, of] of byTable) {
    const keys = of.map(({ key }) => key);
    const { rows } = await sql<{ key: string; row: RecordRow }>`
      select ${KEYS[table]} as key, to_jsonb(t) - ${NOT_COVERED[table]}::text[] as row
      from ${sql.table(table)} t where ${condition(table, keys)}`.execute(db.withoutPlugins());
    for (const { key, row } of rows) found.set(recordName({ table, key }), row);
  }
  return found;
}

function condition(table: RecordTable, keys: readonly string[]): RawBuilder<boolean> {
  if (table === 'calibration') {
    const parts = keys.map((key) => key.split('/'));
    return sql`(t.rego, t.id) in (select * from unnest(${parts.map(([rego]) => rego ?? '')}::text[],
      ${parts.map(([, id]) => Number(id))}::bigint[]))`;
  }
  return table === 'validation' ? sql`t.id = any(${keys.map(Number)}::bigint[])` : sql`t.id = any(${keys}::uuid[])`;
}
