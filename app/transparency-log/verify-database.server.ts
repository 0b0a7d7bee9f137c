// The whole database against its log: every entry, every hash, every chain, every record. Finds what somebody with the
// database's own password changed, removed or put in.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database.server.ts';
import { equalBytes, formatBase64, utf8, type Bytes } from './bytes.ts';
import { checkRecords, findingOf } from './check-records.server.ts';
import { LeafRules, NO_LEAVES } from './leaf-rules.ts';
import { appendLeaf, EMPTY_FRONTIER, leafHash, rootOf } from './merkle-tree.ts';
import { RECORDS, type RecordRef, type RecordTable } from './record-snapshot.server.ts';
import { nodeSha256 } from './sha256.server.ts';
import { Tampered } from './verification.ts';

const LEAVES_A_BLOCK = 5000;
const RECORDS_A_BLOCK = 500;

export type DatabaseVerdict = { entries: number; records: number; root: Bytes; findings: number };

/** Verifies everything; each finding is told as a sentence. `signed`: a tree that this one must extend. */
export async function verifyDatabase(
  db: Db,
  tell: (finding: string) => void,
  signed?: { size: number; root: Bytes },
): Promise<DatabaseVerdict> {
  let findings = 0;
  const find = (sentence: string) => {
    findings += 1;
    tell(sentence);
  };
  const tree = await verifyEntries(db, find, signed);
  await verifyState(db, find, tree);
  let records = 0;
  for (const table of RECORDS) records += await verifyRecords(db, find, table);
  await verifyDerived(db, find);
  return { entries: tree.size, records, root: tree.root, findings };
}

type Find = (sentence: string) => void;
type Tree = { size: number; root: Bytes; hashes: readonly Bytes[]; chains: LeafRules['state']['chains'] };

async function verifyEntries(db: Db, find: Find, signed: { size: number; root: Bytes } | undefined): Promise<Tree> {
  let rules = new LeafRules(NO_LEAVES);
  let frontier = EMPTY_FRONTIER;
  let size = 0;
  const compare = async () => {
    if (signed?.size !== size || equalBytes(await rootOf(nodeSha256, frontier), signed.root)) return;
    find(`The first ${size} entries are not those that were signed: the log was rewritten.`);
  };
  await compare();
  for (;;) {
    const block = await db
      .selectFrom('logLeaf')
      .selectAll()
      .where('index', '>=', size)
      .orderBy('index')
      .limit(LEAVES_A_BLOCK)
      .execute();
    for (const { index, entry, hash } of block) {
      if (index !== size) find(`Entry ${size} is missing: the next is ${index}.`);
      const bytes = utf8(entry);
      const expected = await leafHash(nodeSha256, bytes);
      if (!equalBytes(expected, Uint8Array.from(hash))) find(`Entry ${index} was changed: its hash is another.`);
      try {
        rules.add(bytes, expected);
      } catch (error) {
        if (!(error instanceof Tampered)) throw error;
        find(error.message);
        rules = new LeafRules({ ...rules.state, size: index + 1 });
      }
      frontier = await appendLeaf(nodeSha256, frontier, expected);
      size = index + 1;
      await compare();
    }
    if (block.length < LEAVES_A_BLOCK) break;
  }
  if (signed !== undefined && signed.size > size)
    find(
      `The log has ${size} entries, and ${signed.size} were signed: entries were removed, or an old backup restored.`,
    );
  return { size, root: await rootOf(nodeSha256, frontier), hashes: frontier.hashes, chains: rules.state.chains };
}

async function verifyState(db: Db, find: Find, { size, hashes, chains }: Tree): Promise<void> {
  const state = await db.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  if (state.leafSize !== size) find(`The log counts ${state.leafSize} entries and has ${size}.`);
  const kept = state.leafFrontier.map((hash) => formatBase64(Uint8Array.from(hash))).join(' ');
  if (kept !== hashes.map((hash) => formatBase64(hash)).join(' '))
    find('The tree that the log keeps is not that of its entries.');
  const unseen = new Map(chains);
  for (const { vehicleId, commitment, length, head } of await db.selectFrom('logChain').selectAll().execute()) {
    const end = unseen.get(commitment);
    unseen.delete(commitment);
    if (end?.seq !== length || end.hash !== head) find(`The chain of vehicle ${vehicleId} is not that of its entries.`);
  }
  for (const [commitment] of unseen) find(`The entries of ${commitment} belong to no vehicle.`);
}

async function verifyRecords(db: Db, find: Find, table: RecordTable): Promise<number> {
  let checked = 0;
  let last = '';
  for (;;) {
    const keys = await recordKeys(db, table, last);
    const refs = keys.map((key): RecordRef => ({ table, key }));
    for (const [place, check] of [...(await checkRecords(db, refs)).values()].entries()) {
      const ref = refs[place];
      const finding = ref === undefined ? undefined : findingOf(ref, check);
      if (finding !== undefined) find(finding);
    }
    checked += keys.length;
    if (keys.length < RECORDS_A_BLOCK) return checked;
    last = keys.at(-1) ?? last;
  }
}

// Of records that are there and of such that an entry is about: one that is gone is among them.
async function recordKeys(db: Db, table: RecordTable, last: string): Promise<string[]> {
  const key = table === 'calibration' ? sql`(t.rego || '/' || t.id)` : sql`t.id::text`;
  const logged = table === 'vehicle_file' ? sql`t.role = 'certificate'` : sql`true`;
  const { rows } = await sql<{ key: string }>`
    select key from (
      (select ${key} collate "C" as key from ${sql.table(table)} t where ${logged} and ${key} collate "C" > ${last}
        order by 1 limit ${RECORDS_A_BLOCK})
      union
      (select distinct record_key collate "C" from record_leaf where record_table = ${table} and record_key collate "C" > ${last}
        order by 1 limit ${RECORDS_A_BLOCK})
    ) keys order by key limit ${RECORDS_A_BLOCK}`.execute(db);
  return rows.map((row) => row.key);
}

// What is not covered because it follows from what is.
async function verifyDerived(db: Db, find: Find): Promise<void> {
  const { rows } = await sql<{ rego: string; id: string }>`
    select v.rego, v.id from vehicle v
    left join (select vehicle_id, max(calibrated_at) as last from calibration group by vehicle_id) c on c.vehicle_id = v.id
    where v.last_calibrated_at is distinct from c.last order by v.rego`.execute(db);
  for (const { rego, id } of rows)
    find(`vehicle ${id}: the last calibration kept of ${rego} is not that of its entries.`);
}
