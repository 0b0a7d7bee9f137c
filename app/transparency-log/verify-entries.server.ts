// The log's own tables: every entry against its hash, the rules and what was signed; what opens it; which records it
// names.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { equalBytes, utf8, type Bytes } from '#app/tlog/bytes.ts';
import { opens } from './check-records.server.ts';
import { openableFields, parseLeaf, type Leaf } from '#app/tlog/leaf.ts';
import { LeafRules, NO_LEAVES } from '#app/tlog/leaf-rules.ts';
import { appendLeaf, EMPTY_FRONTIER, leafHash, rootOf } from '#app/tlog/merkle-tree.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { Tampered } from '#app/tlog/verification.ts';

export type Find = (sentence: string) => void;
export type SignedTree = { size: number; root: Bytes };
export type VerifiedEntries = {
  size: number;
  root: Bytes;
  hashes: readonly Bytes[];
  chains: LeafRules['state']['chains'];
  /** Whether an entry is of something that happened since there was a log. */
  hasBegun: boolean;
  /** What the entries say of the activity log. */
  heads: readonly ActivityHead[];
};
/** The last hash, in base64, of the first `activities` entries of the activity log. `index`: where it is said. */
export type ActivityHead = { index: number; activities: number; hash: string };

type Opening = { leafIndex: number; field: string; salt: string | null; value: unknown; erasedAt: Date | null };
type Beside = { openings: readonly Opening[]; names: readonly string[] };

// A block has at most 4 kB an entry, and as much again of what opens it.
const LEAVES_A_BLOCK = 2000;

/** Reads block by block. `signed`: a tree that this one must extend. */
export async function verifyEntries(tx: Tx, find: Find, signed: SignedTree | undefined): Promise<VerifiedEntries> {
  let rules = new LeafRules(NO_LEAVES);
  let frontier = EMPTY_FRONTIER;
  let size = 0;
  let hasBegun = false;
  const heads: ActivityHead[] = [];
  const erasing = new Erasing();
  const compare = async () => {
    if (signed?.size !== size || equalBytes(await rootOf(nodeSha256, frontier), signed.root)) return;
    find(`The first ${size} entries are not those that were signed: the log was rewritten.`);
  };
  await compare();
  for (;;) {
    const block = await tx
      .selectFrom('logLeaf')
      .selectAll()
      .where('index', '>=', size)
      .orderBy('index')
      .limit(LEAVES_A_BLOCK)
      .execute();
    const besideOf = await readBeside(tx, size, block.at(-1)?.index ?? size);
    for (const { index, entry, hash } of block) {
      if (index !== size) find(`Entry ${size} is missing: the next is ${index}.`);
      const bytes = utf8(entry);
      const expected = await leafHash(nodeSha256, bytes);
      if (!equalBytes(expected, Uint8Array.from(hash))) find(`Entry ${index} was changed: its hash is another.`);
      try {
        rules.add(bytes, expected);
        const leaf = parseLeaf(bytes);
        if (leaf.origin !== 'before-log') hasBegun ||= leaf.type !== 'log.key';
        else if (heads.length > 0 || (hasBegun && !leaf.type.startsWith('admin.')))
          find(`Entry ${index} says that it is older than the log, which had begun.`);
        const { activities, activityHead: hash = '' } = leaf.body;
        if (leaf.type === 'activity.head' && activities !== undefined) heads.push({ index, activities, hash });
        await verifyBeside(find, { index, leaf, ...besideOf(index) }, erasing);
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
  erasing.tell(find);
  await verifyNothingElse(tx, find);
  if (signed !== undefined && signed.size > size)
    find(
      `The log has ${size} entries, and ${signed.size} were signed: entries were removed, or an old backup restored.`,
    );
  const root = await rootOf(nodeSha256, frontier);
  return { size, root, hashes: frontier.hashes, chains: rules.state.chains, hasBegun, heads };
}

async function readBeside(tx: Tx, from: number, to: number): Promise<(index: number) => Beside> {
  const openings = await tx
    .selectFrom('leafOpening')
    .selectAll()
    .where('leafIndex', '>=', from)
    .where('leafIndex', '<=', to)
    .execute();
  const records = await tx
    .selectFrom('recordLeaf')
    .selectAll()
    .where('leafIndex', '>=', from)
    .where('leafIndex', '<=', to)
    .execute();
  const openingsOf = Map.groupBy(openings, ({ leafIndex }) => leafIndex);
  const recordsOf = Map.groupBy(records, ({ leafIndex }) => leafIndex);
  return (index) => ({
    openings: openingsOf.get(index) ?? [],
    names: (recordsOf.get(index) ?? []).map(({ recordTable, recordKey }) => `${recordTable} ${recordKey}`),
  });
}

// Each commitment but the vehicle's (its chain opens that) has an opening, or an entry says that it was erased. The
// records that an entry is said to cover are those that it commits to: else an older entry could pass for the last.
async function verifyBeside(
  find: Find,
  { index, leaf, openings, names }: Beside & { index: number; leaf: Leaf },
  erasing: Erasing,
): Promise<void> {
  const committed = openableFields(leaf);
  committed.delete('subject');
  let covers: string[] = [];
  let isRestErased = false;
  for (const { field, salt, value, erasedAt } of openings) {
    const commitment = committed.get(field);
    committed.delete(field);
    if (field === 'rest') {
      isRestErased = erasedAt !== null;
      covers = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    }
    if (commitment === undefined) find(`Entry ${index} has no ${field}, and something is kept to open it.`);
    else if (erasedAt !== null) erasing.isErased(index, field);
    else if (salt === null || !(await opens(field, { salt, value }, commitment)))
      find(`What is kept of entry ${index}, ${field}, is not what it commits to.`);
  }
  for (const field of committed.keys()) find(`Entry ${index} has ${field}, and nothing is kept to open it.`);
  // What an erased one covered is a person's record and a technician's suspensions: nothing else is erased.
  const isAsSaid = isRestErased
    ? names.every((name) => /^(admin|technician|suspension) /.test(name))
    : names.toSorted().join('\n') === covers.toSorted().join('\n');
  if (!isAsSaid)
    find(`Entry ${index} is not about the records that are said to be in it: ${names.join(', ') || 'none'}.`);
  const { redacts, erased } = leaf.body;
  if (leaf.type === 'redaction' && redacts !== undefined) erasing.isRedacted(redacts, erased ?? '', index);
}

/** What was erased, and what entries say was. */
class Erasing {
  readonly #erased = new Set<string>();
  readonly #redacted = new Map<string, number>();

  isErased(index: number, field: string): void {
    this.#erased.add(`${index} ${field}`);
  }
  isRedacted(index: number, fields: string, by: number): void {
    for (const field of fields.split(' ')) this.#redacted.set(`${index} ${field}`, by);
  }
  tell(find: Find): void {
    for (const what of this.#erased)
      if (!this.#redacted.has(what)) find(`What opens entry ${what} was taken away, and no entry says so.`);
    for (const [what, by] of this.#redacted)
      if (!this.#erased.has(what)) find(`Entry ${by} says that entry ${what} was erased, and it was not.`);
  }
}

// Openings of entries that do not exist: a trigger prevents them, unless the owner of the tables removed it.
async function verifyNothingElse(tx: Tx, find: Find): Promise<void> {
  for (const table of ['record_leaf', 'leaf_opening']) {
    const { rows } = await sql<{ leafIndex: number }>`select distinct leaf_index from ${sql.table(table)} t
      where not exists (select from log_leaf where index = leaf_index) order by leaf_index limit 100`.execute(tx);
    for (const { leafIndex } of rows) find(`Something is kept of entry ${leafIndex}, which is not in the log.`);
  }
}
