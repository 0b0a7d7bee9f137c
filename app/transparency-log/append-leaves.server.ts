// Appends to the log: called in the transaction of the event, after its rows are written. From there to the commit the
// log's state row is locked, so leaves are numbered without gaps and in the order of their commits.
//
// The leaf commits to the whole rows that its event left (events.server.ts names the events), and a constraint trigger
// refuses a commit with a record and no leaf. A page checks what it shows against the last leaves
// (check-records.server.ts), with what a row names by its id (its technician, its file); verify-database.server.ts does
// it for everything as of one moment, and compares each leaf's openings and records, so that no older leaf passes for
// the last. Erasing a person deletes what opens the commitments, with a `redaction` leaf; no record of the trade can be
// erased.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { draftLeaf, subjectCommitment, type LeafEvent } from './draft-leaf.server.ts';
import { snapshotRecords } from './record-snapshot.server.ts';

// Of one call of the function. An import has thousands in a block.
const LEAVES_A_CALL = 1000;

/** Appends `events` in order. Returns the index of the first. */
export async function appendLeaves(tx: Tx, events: readonly LeafEvent[]): Promise<number> {
  const records = events.flatMap((event) => event.records);
  const { rows, said } = await snapshotRecords(tx, records);
  const leaves = events.map((event) => {
    const { vehicle, ...draft } = draftLeaf(event, rows, said);
    return { ...draft, ...(vehicle === undefined ? {} : { vehicle: vehicle.id, ...subjectCommitment(vehicle) }) };
  });
  let first: number | undefined;
  for (let from = 0; from < leaves.length; from += LEAVES_A_CALL) {
    const block = JSON.stringify(leaves.slice(from, from + LEAVES_A_CALL));
    const append = tx.selectNoFrom(sql<number>`append_leaves(${block}::jsonb)`.as('first'));
    const appended = await append.executeTakeFirstOrThrow();
    first ??= appended.first;
  }
  if (first === undefined) throw new Error('appendLeaves needs an event');
  return first;
}
