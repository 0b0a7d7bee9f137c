// Appends thousands of leaves at once: an import's block, and records that are older than the log. What `append_leaves()` does
// in the database is done here for all of them: the lock first, then times, chains, hashes and frontier, then the rows by
// COPY. Leaves, numbers and locks are the same.
// Buys: an import takes PostgreSQL 0.13 ms a leaf with records, indexes and all; `append_leaves()` alone takes 0.14 to 0.20
// (bench/RESULTS.md). Deletable when nobody imports a national registry any more.
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { copyRows, type CopyValue } from '#app/platform/database/copy-rows.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { mapInTurns } from '#app/platform/process/map-in-turns.server.ts';
import { draftLeaf, subjectCommitment, type LeafDraft, type LeafEvent } from './draft-leaf.server.ts';
import { MAX_LEAF_BYTES } from '#app/tlog/leaf.ts';
import { recordName, snapshotRecords, type RecordRow } from './record-snapshot.server.ts';
import { HASH_BYTES } from '#app/tlog/sha256.ts';
import { whatRests } from './what-rests.server.ts';

const LEAVES_A_CALL = 12_000;

/**
 * Appends `events` in order. From here to the commit the log is locked. `known`: rows as `snapshotRecords` would find them,
 * read in this transaction.
 */
export async function appendManyLeaves(
  tx: Tx,
  events: readonly LeafEvent[],
  known: ReadonlyMap<string, RecordRow> = new Map(),
): Promise<void> {
  for (let from = 0; from < events.length; from += LEAVES_A_CALL)
    await appendBlock(tx, events.slice(from, from + LEAVES_A_CALL), known);
}

async function appendBlock(tx: Tx, events: readonly LeafEvent[], known: ReadonlyMap<string, RecordRow>): Promise<void> {
  const records = events.flatMap((event) => event.records);
  const others = await snapshotRecords(
    tx,
    records.filter((record) => !known.has(recordName(record))),
  );
  const rows = others.size === 0 ? known : new Map([...known, ...others]);
  const rests = await whatRests(tx, records);
  const drafts = await mapInTurns(events, (event) => draftLeaf(event, rows, rests));
  const { first, at, frontier } = await lockLog(tx, drafts.length);
  const chains = await readChains(tx, drafts);
  const leaves: CopyValue[][] = [];
  const hashes: string[] = [];
  for (const draft of drafts) {
    const entry = `{"at":"${at}",${draft.before}${inChain(draft, chains)},${draft.after}}`;
    // RFC 9162 section 2.1.1: a leaf's hash begins with a zero byte.
    const leaf = hash('sha256', `\u0000${entry}`, 'hex');
    if (entry.length > MAX_LEAF_BYTES) throw new Error(`a leaf has at most ${MAX_LEAF_BYTES} bytes`);
    const chain = draft.vehicle === undefined ? undefined : chains.get(draft.vehicle.id);
    if (chain !== undefined) chain.head = Buffer.from(leaf, 'hex').toString('base64');
    leaves.push([first + leaves.length, entry, `\\x${leaf}`]);
    hashes.push(leaf);
  }
  await copyRows(tx, 'log_leaf', ['index', 'entry', 'hash'], leaves);
  await copyRows(tx, 'record_leaf', ['leaf_index', 'record_table', 'record_key'], recordRows(drafts, first));
  await copyRows(tx, 'leaf_opening', ['leaf_index', 'field', 'salt', 'value'], openingRows(drafts, first));
  await writeChains(tx, chains);
  const grown = grow(frontier, first, hashes).map((node) => `\\x${node}`);
  await sql`update activity_state set leaf_frontier = ${grown}::text[]::bytea[]`.execute(tx);
  await sql`select pg_notify('leaves', ${String(first + drafts.length)})`.execute(tx);
}

// Hashes in hexadecimal: millions of small buffers would be memory that is not given back.
type Locked = { first: number; at: string; frontier: string[] };

async function lockLog(tx: Tx, count: number): Promise<Locked> {
  const { rows } = await sql<Locked>`
    update activity_state set leaf_size = leaf_size + ${count},
      leaf_at = greatest(date_trunc('milliseconds', clock_timestamp()), leaf_at)
    returning leaf_size - ${count} as first,
      array(select encode(node, 'hex') from unnest(leaf_frontier) node) as frontier,
      to_char(leaf_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`.execute(tx);
  const [locked] = rows;
  if (locked === undefined) throw new Error('the log has no state');
  return locked;
}

type Chain = { salt: string; commitment: string; length: number; head: string; isNew: boolean };

async function readChains(tx: Tx, drafts: readonly LeafDraft[]): Promise<Map<string, Chain>> {
  const vehicles = new Map(drafts.flatMap(({ vehicle }) => (vehicle === undefined ? [] : [[vehicle.id, vehicle]])));
  const { rows } = await sql<Chain & { vehicleId: string }>`
    select vehicle_id, salt, commitment, length, head from log_chain
    where vehicle_id = any(${[...vehicles.keys()]}::uuid[])`.execute(tx);
  const chains = new Map(rows.map(({ vehicleId, ...chain }) => [vehicleId, { ...chain, isNew: false }]));
  for (const [id, vehicle] of vehicles)
    if (!chains.has(id)) chains.set(id, { ...subjectCommitment(vehicle), length: 0, head: '', isNew: true });
  return chains;
}

// The members from `prev` to `subjectSeq`; the chain is one longer then.
function inChain({ vehicle, rest }: LeafDraft, chains: ReadonlyMap<string, Chain>): string {
  const chain = vehicle === undefined ? undefined : chains.get(vehicle.id);
  if (chain === undefined) return rest;
  const prev = chain.length === 0 ? '' : `,"prev":"${chain.head}"`;
  chain.length += 1;
  return `${prev}${rest},"subject":"${chain.commitment}","subjectSeq":${chain.length}`;
}

async function writeChains(tx: Tx, chains: ReadonlyMap<string, Chain>): Promise<void> {
  const isNew = [...chains].filter(([, chain]) => chain.isNew);
  await copyRows(
    tx,
    'log_chain',
    ['vehicle_id', 'salt', 'commitment', 'length', 'head'],
    isNew.map(([vehicle, { salt, commitment, length, head }]) => [vehicle, salt, commitment, length, head]),
  );
  const grown = [...chains].filter(([, chain]) => !chain.isNew);
  if (grown.length === 0) return;
  await sql`update log_chain c set length = g.length, head = g.head
    from unnest(${grown.map(([vehicle]) => vehicle)}::uuid[], ${grown.map(([, { length }]) => length)}::int[],
      ${grown.map(([, { head }]) => head)}::text[]) as g (vehicle_id, length, head)
    where c.vehicle_id = g.vehicle_id`.execute(tx);
}

const recordRows = (drafts: readonly LeafDraft[], first: number): CopyValue[][] =>
  drafts.flatMap(({ records }, place) => records.map(({ table, key }) => [first + place, table, key]));

const openingRows = (drafts: readonly LeafDraft[], first: number): CopyValue[][] =>
  drafts.flatMap(({ openings }, place) => openings.map(({ field, salt, text }) => [first + place, field, salt, text]));

// RFC 9162 section 2.1.1, kept as the roots of complete subtrees.
function grow(frontier: readonly string[], size: number, leaves: readonly string[]): string[] {
  const nodes = [...frontier];
  const pair = Buffer.alloc(1 + 2 * HASH_BYTES, INNER_NODE);
  let at = size;
  for (const leaf of leaves) {
    let node = leaf;
    for (let level = at; level % 2 === 1; level = (level - 1) / 2) {
      const left = nodes.pop();
      if (left === undefined) throw new Error('the frontier has too few hashes for its size');
      pair.write(left, 1, 'hex');
      pair.write(node, 1 + HASH_BYTES, 'hex');
      node = hash('sha256', pair, 'hex');
    }
    nodes.push(node);
    at += 1;
  }
  return nodes;
}

const INNER_NODE = 1;
