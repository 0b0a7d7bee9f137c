// Whether records are as the log has them: the row against its last leaf, the leaf against its hash. Anybody who
// changes a row and not the log is found by anybody who opens its page; anybody who changes both is found by the tree
// that was signed.
//
// A statement over the tables that are asked for is compiled once. Buys: what the API says of a truck that nobody asked
// for before takes 0.8 ms of processor instead of 1.2, as a statement over all tables takes longer to compile and to
// start than one record to check. Deletable when that is no longer so.
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { formatBase64, utf8 } from '#app/tlog/bytes.ts';
import { canonicalJson } from '#app/tlog/canonical-json.ts';
import { commit, type Opening } from '#app/tlog/commitment.ts';
import { openableFields, readLoggedLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import { recordName, rowNow, type RecordRef, type RecordRow } from './record-snapshot.server.ts';
import { RECORDS, type RecordTable } from '#database/log-tables.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { unlikeBody } from './said-in-clear.server.ts';

/** What came of checking a record. `index`: its last leaf; `why`: half a sentence. */
export type RecordCheck =
  | { state: 'covered'; index: number }
  | { state: 'erased'; index: number; at: Date }
  | { state: 'differs'; index: number; why: string }
  | { state: 'no-leaf' }
  | { state: 'no-record'; index: number };

type Checked = { recordTable: RecordTable; recordKey: string; row: RecordRow | null };
type LastLeaf = Checked & {
  index: number;
  entry: string;
  /** In base64. */
  hash: string;
  salt: string | null;
  value: Readonly<Record<string, RecordRow>> | null;
  erasedAt: Date | string | null;
  /** What the entry commits to beside the row, the opening of that, and what the record says of it now. */
  beside: Beside | null;
};

type Beside = {
  field: string;
  salt: string | null;
  value: unknown;
  erased: boolean;
  /** Whether an entry of the log says that it was erased. */
  redacted: boolean;
  now: string | null;
};

/** Checks `refs`, by record name. */
export async function checkRecords(db: Db | Tx, refs: readonly RecordRef[]): Promise<Map<string, RecordCheck>> {
  if (refs.length === 0) return new Map();
  const tables = RECORDS.filter((known) => refs.some(({ table }) => table === known));
  const { rows } = await db.withoutPlugins().executeQuery<AskedLeaf>({
    ...statementOver(tables, db),
    parameters: [refs.map(({ table }) => table), refs.map(({ key }) => key)],
  });
  return checkLeaves(rows);
}

// By their tables.
const statements = new Map<string, CompiledQuery<AskedLeaf>>();

function statementOver(tables: readonly RecordTable[], db: Db | Tx): CompiledQuery<AskedLeaf> {
  const name = tables.join(' ');
  // Each in a query of its own: a planner that saw how few they are would plan again each time, which takes PostgreSQL
  // 1.8 ms where the statement takes 0.3.
  const asked = sql`select * from unnest((select ${[]}::text[]), (select ${[]}::text[]))`;
  const compiled = statements.get(name) ?? lastLeaves(withLastLeaf(asked), tables).compile(db.withoutPlugins());
  statements.set(name, compiled);
  return compiled;
}

/**
 * Checks the records that `asked` names by table and key, in the order of names. One statement reads them and their
 * leaves as of one moment, no matter who writes meanwhile: so a write in progress is never reported as a mismatch.
 */
export async function checkAsked(
  db: Db | Tx,
  asked: RawBuilder<unknown>,
  tables: readonly RecordTable[],
): Promise<Map<string, RecordCheck>> {
  return checkLeaves((await lastLeaves(withLastLeaf(asked), tables).execute(db.withoutPlugins())).rows);
}

/** The same of what `lastLeaves` found. */
export async function checkLeaves(found: readonly AskedLeaf[]): Promise<Map<string, RecordCheck>> {
  const checks = new Map<string, RecordCheck>();
  const opened = new Map<number, Promise<Leaf | string>>();
  for (const last of found) {
    const ref = { table: last.recordTable, key: last.recordKey };
    checks.set(recordName(ref), isLogged(last) ? await check(ref, last, opened) : { state: 'no-leaf' });
  }
  return checks;
}

/** A record of the past is what its entry holds: what is left to check is that the entry does. */
export const asLogged = (leaf: AskedLeaf): AskedLeaf =>
  isLogged(leaf) && leaf.row !== null
    ? { ...leaf, row: leaf.value?.[recordName({ table: leaf.recordTable, key: leaf.recordKey })] ?? null }
    : leaf;

export function findingsOf(checks: ReadonlyMap<string, RecordCheck>): string[] {
  return [...checks].flatMap(([name, check]) => sentenceOf(name, check) ?? []);
}

/** The sentence of a check that does not hold; undefined when it holds. */
export function findingOf(ref: RecordRef, check: RecordCheck | undefined): string | undefined {
  return sentenceOf(recordName(ref), check);
}

function sentenceOf(name: string, check: RecordCheck | undefined): string | undefined {
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
  ref: RecordRef,
  last: LastLeaf,
  opened: Map<number, Promise<Leaf | string>>,
): Promise<RecordCheck> {
  const { index, value, row } = last;
  if (row === null) return { state: 'no-record', index };
  const known = opened.get(index) ?? openLeaf(last);
  opened.set(index, known);
  const leaf = await known;
  if (typeof leaf === 'string') return { state: 'differs', index, why: leaf };
  const why = unlikeLogged(ref, row, value) ?? unlikeBody(ref, row, leaf) ?? (await unlikeBeside(last, leaf));
  if (why !== undefined) return { state: 'differs', index, why };
  // The entry about the erasing covers what is left of a person's record.
  return leaf.type === 'redaction' ? { state: 'erased', index, at: new Date(leaf.at) } : { state: 'covered', index };
}

function unlikeLogged(ref: RecordRef, row: RecordRow, value: LastLeaf['value']): string | undefined {
  const logged = value?.[recordName(ref)];
  if (logged === undefined) return 'the entry does not hold it';
  const fields = new Set([...Object.keys(logged), ...Object.keys(row)]);
  const changed = [...fields].filter(
    // Most are the same text or number, which needs no canonical form. A column that came after the entry is not in it:
    // while it is empty, the row says no more than was logged.
    (field) =>
      logged[field] !== row[field] &&
      (row[field] !== '' || field in logged) &&
      canonicalJson(logged[field] ?? null) !== canonicalJson(row[field] ?? null),
  );
  return changed.length === 0 ? undefined : `its ${changed.join(', ')} is not what was logged`;
}

const BESIDE: Partial<Record<RecordTable, string>> = {
  calibration: 'people.technician',
  calibration_set: 'people.technician',
  vehicle_file: 'certificate',
};

// A row names its technician and its file by their ids: who and what these are is logged beside it.
async function unlikeBeside({ recordTable, beside }: LastLeaf, leaf: Leaf): Promise<string | undefined> {
  const kept = BESIDE[recordTable];
  const committed = kept === undefined ? undefined : openableFields(leaf).get(kept);
  if (beside === null) return committed === undefined ? undefined : `nothing opens its ${kept}`;
  const { field, salt, value, erased, redacted, now } = beside;
  if (erased) return redacted ? undefined : `what opens its ${field} was taken away, and no entry says so`;
  if (salt === null || committed === undefined || !(await opens(field, { salt, value }, committed)))
    return `what is kept of its ${field} is not what its entry commits to`;
  return value === now ? undefined : `its ${field} is not what was logged`;
}

// Once a leaf, however many records it covers. Returns why it does not open, or the leaf.
async function openLeaf({ entry, hash, salt, value, erasedAt }: LastLeaf): Promise<Leaf | string> {
  if (formatBase64(await leafHash(nodeSha256, utf8(entry))) !== hash)
    return 'its entry was changed: it does not hash to what was logged';
  let leaf: Leaf;
  try {
    leaf = readLoggedLeaf(entry);
  } catch {
    return 'its entry cannot be read';
  }
  if (erasedAt !== null) return 'what opens its entry was taken away';
  const { rest: committed } = leaf;
  if (salt === null || committed === undefined) return 'nothing opens its entry';
  return (await opens('rest', { salt, value }, committed))
    ? leaf
    : 'what is kept of it is not what its entry commits to';
}

export async function opens(field: string, opening: Opening, commitment: string): Promise<boolean> {
  try {
    return (await commit(nodeSha256, field, opening)) === commitment;
  } catch {
    // A salt that is none.
    return false;
  }
}

const isLogged = (last: LastLeaf | NotLogged): last is LastLeaf => last.index !== null;
type NotLogged = Checked & { index: null };
/** A record that was asked for, and its last leaf, if any. */
export type AskedLeaf = LastLeaf | NotLogged;

const LAST_LEAF = named<Omit<LastLeaf, 'row'>>({
  recordTable: 'asked.record_table',
  recordKey: 'asked.record_key',
  index: 'l.index',
  entry: 'l.entry',
  hash: "encode(l.hash, 'base64')",
  salt: 'o.salt',
  value: 'o.value',
  erasedAt: 'o.erased_at',
  beside: 'b.beside',
});

// Keys made from a rego have the collation of regos, and the index over all keys has another. The collation is
// therefore explicit: else the whole log is read for each record.
/** The records that `asked` names by table and key, with `leaf_index`: the last leaf of each, if any, as SQL. */
export const withLastLeaf = (asked: RawBuilder<unknown>) => sql`
    select a.record_table, a.record_key, (
      select r.leaf_index from record_leaf r
      where r.record_table = a.record_table and r.record_key = a.record_key collate "default"
      order by r.leaf_index desc limit 1) as leaf_index
    from (${asked}) a (record_table, record_key)`;

/** What `checkLeaves` needs of the records of `asked` (see `withLastLeaf`), as SQL. `tables`: those it may name. */
export const lastLeaves = (asked: RawBuilder<unknown>, tables: readonly RecordTable[]): RawBuilder<AskedLeaf> => sql`
    with asked as materialized (${asked})
    select ${LAST_LEAF}, ${rowNow(tables)} as row from asked
    left join log_leaf l on l.index = asked.leaf_index
    left join leaf_opening o on o.leaf_index = asked.leaf_index and o.field = 'rest'
    left join lateral (
      select jsonb_build_object('field', p.field, 'salt', p.salt, 'value', p.value, 'erased', p.erased_at is not null,
        'redacted', p.erased_at is not null and exists (
          select from log_leaf r where r.entry like '%"type":"redaction"%'
            and (r.entry::jsonb -> 'body' ->> 'redacts')::bigint = l.index
            and p.field = any(string_to_array(r.entry::jsonb -> 'body' ->> 'erased', ' '))),
        'now', case
          when asked.record_table = 'calibration_set' then (
            select a.name from calibration_set s join actor a on a.id = s.technician_id
            where s.id = asked.record_key::uuid)
          when p.field = 'people.technician' then (
            select a.name from calibration c join actor a on a.id = c.technician_id
            where c.rego = split_part(asked.record_key, '/', 1) and c.id = split_part(asked.record_key, '/', 2)::bigint)
          else (
            select coalesce(s.sha256, f.external_url) from vehicle_file f left join stored_file s on s.id = f.file_id
            where f.id = asked.record_key::uuid)
          end) as beside
      from leaf_opening p where p.leaf_index = asked.leaf_index and p.field =
        ${sql.lit(JSON.stringify(BESIDE))}::jsonb ->> asked.record_table
    ) b on true
    order by asked.record_table desc, asked.record_key`;
