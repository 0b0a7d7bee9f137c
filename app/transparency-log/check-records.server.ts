// Whether records are as the log has them: the row against its last leaf, the leaf against its hash. Whoever changes a
// row and not the log is found by whoever opens its page; whoever changes both is found by the tree that was signed.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database.server.ts';
import { formatBase64, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { commit } from './commitment.ts';
import { openableFields, parseLeaf, type Leaf } from './leaf.ts';
import { leafHash } from './merkle-tree.ts';
import {
  recordName,
  snapshotRecords,
  type RecordRef,
  type RecordRow,
  type RecordTable,
} from './record-snapshot.server.ts';
import { nodeSha256 } from './sha256.server.ts';

/** What came of checking a record. `index`: its last leaf; `why`: half a sentence. */
export type RecordCheck =
  | { state: 'covered'; index: number }
  | { state: 'erased'; index: number; at: Date }
  | { state: 'differs'; index: number; why: string }
  | { state: 'no-leaf' }
  | { state: 'no-record'; index: number };

type LastLeaf = {
  recordTable: RecordTable;
  recordKey: string;
  index: number;
  entry: string;
  hash: Buffer;
  salt: string | null;
  value: Readonly<Record<string, RecordRow>> | null;
  erasedAt: Date | null;
};

/** Checks `refs`, by record name. Two queries, whatever their number. */
export async function checkRecords(db: Db | Tx, refs: readonly RecordRef[]): Promise<Map<string, RecordCheck>> {
  const [rows, leaves] = await Promise.all([snapshotRecords(db, refs), lastLeaves(db, refs)]);
  const opened = new Map<number, Promise<string | undefined>>();
  const checks = new Map<string, RecordCheck>();
  for (const ref of refs) {
    const name = recordName(ref);
    const leaf = leaves.get(name);
    checks.set(name, leaf === undefined ? { state: 'no-leaf' } : await check(db, ref, leaf, rows.get(name), opened));
  }
  return checks;
}

/** The sentence of a check that does not hold; undefined when it holds. */
export function findingOf(ref: RecordRef, check: RecordCheck | undefined): string | undefined {
  const name = recordName(ref);
  switch (check?.state) {
    case 'covered':
    case 'erased':
      return undefined;
    case 'differs':
      return `${name}: ${check.why} (entry ${check.index} of the log).`;
    case 'no-record':
      return `${name}: entry ${check.index} of the log is about it, and the record is gone.`;
    default:
      return `${name}: the log has no entry about it.`;
  }
}

async function check(
  db: Db | Tx,
  ref: RecordRef,
  leaf: LastLeaf,
  row: RecordRow | undefined,
  opened: Map<number, Promise<string | undefined>>,
): Promise<RecordCheck> {
  const { index, value, erasedAt } = leaf;
  if (row === undefined) return { state: 'no-record', index };
  const known = opened.get(index) ?? whyNotOpened(leaf);
  opened.set(index, known);
  const why = await known;
  if (why !== undefined) return { state: 'differs', index, why };
  if (erasedAt !== null)
    return (await isRedacted(db, ref, index))
      ? { state: 'erased', index, at: erasedAt }
      : { state: 'differs', index, why: 'what opens its entry was taken away, and no entry says so' };
  const logged = value?.[recordName(ref)];
  if (logged === undefined) return { state: 'differs', index, why: 'the entry does not hold it' };
  const fields = new Set([...Object.keys(logged), ...Object.keys(row)]);
  const changed = [...fields].filter(
    (field) => canonicalJson(logged[field] ?? null) !== canonicalJson(row[field] ?? null),
  );
  const unlike = changed.length > 0 ? undefined : unlikeBody(ref, row, leaf.entry);
  if (unlike !== undefined)
    return { state: 'differs', index, why: `the ${unlike} that its entry says in clear is not its own` };
  if (changed.length > 0) return { state: 'differs', index, why: `its ${changed.join(', ')} is not what was logged` };
  return { state: 'covered', index };
}

// A person's data may be erased, a record of the trade never: and the log says that it was.
async function isRedacted(db: Db | Tx, { table }: RecordRef, index: number): Promise<boolean> {
  if (table !== 'technician') return false;
  const { rows } = await sql`select from log_leaf where entry::jsonb ->> 'type' = 'redaction'
    and (entry::jsonb -> 'body' ->> 'redacts')::bigint = ${index} limit 1`.execute(db);
  return rows.length > 0;
}

// What a reading's entry says in clear is what the public log shows of it.
function unlikeBody({ table }: RecordRef, row: RecordRow, entry: string): string | undefined {
  if (table !== 'calibration') return undefined;
  const { body } = parseLeaf(utf8(entry));
  const said: Readonly<Record<string, unknown>> = {
    id: body.calibration,
    axle: body.axle,
    attribute: body.attribute,
    value: body.value,
    due_on: body.nextDueOn ?? null,
  };
  return Object.keys(said).find((field) => said[field] !== row[field]);
}

// Once a leaf, however many records it covers.
async function whyNotOpened({ entry, hash, salt, value, erasedAt }: LastLeaf): Promise<string | undefined> {
  let leaf: Leaf;
  try {
    leaf = parseLeaf(utf8(entry));
  } catch {
    return 'its entry cannot be read';
  }
  if (formatBase64(await leafHash(nodeSha256, utf8(entry))) !== formatBase64(Uint8Array.from(hash)))
    return 'its entry was changed: it does not hash to what was logged';
  if (erasedAt !== null) return undefined;
  const committed = openableFields(leaf).get('rest');
  if (salt === null || committed === undefined) return 'nothing opens its entry';
  try {
    if ((await commit(nodeSha256, 'rest', { salt, value })) === committed) return undefined;
  } catch {
    // A salt that is none.
  }
  return 'what is kept of it is not what its entry commits to';
}

async function lastLeaves(db: Db | Tx, refs: readonly RecordRef[]): Promise<Map<string, LastLeaf>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<LastLeaf>`
    select asked.record_table, asked.record_key, l.index, l.entry, l.hash, o.salt, o.value, o.erased_at
    from unnest(${refs.map(({ table }) => table)}::text[], ${refs.map(({ key }) => key)}::text[])
      as asked (record_table, record_key)
    cross join lateral (
      select leaf_index from record_leaf r
      where r.record_table = asked.record_table and r.record_key = asked.record_key
      order by leaf_index desc limit 1
    ) last
    join log_leaf l on l.index = last.leaf_index
    left join leaf_opening o on o.leaf_index = last.leaf_index and o.field = 'rest'`.execute(db);
  return new Map(rows.map((row) => [recordName({ table: row.recordTable, key: row.recordKey }), row]));
}
