// The log's only way in: called in the transaction of the event, after its rows are written. From there to the commit the
// log's state row is locked, so leaves are numbered without gaps and in the order of their commits.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database.server.ts';
import { draftLeaf, type LeafEvent } from './draft-leaf.server.ts';
import { snapshotRecords } from './record-snapshot.server.ts';

/** Appends `events` in order. Returns the index of the first. */
export async function appendLeaves(tx: Tx, events: readonly LeafEvent[]): Promise<number> {
  if (events.length === 0) throw new Error('appendLeaves needs an event');
  const rows = await snapshotRecords(
    tx,
    events.flatMap(({ records }) => records),
  );
  const leaves = events.map((event) => {
    const { openings, ...draft } = draftLeaf(event, rows);
    // The function takes values, not their text.
    return { ...draft, openings: openings.map(({ text, ...opening }) => ({ ...opening, value: JSON.parse(text) })) };
  });
  const { rows: answer } = await sql<{
    first: number;
  }>`select append_leaves(${JSON.stringify(leaves)}::jsonb) as first`.execute(tx);
  const first = answer[0]?.first;
  if (first === undefined) throw new Error('append_leaves gave no index');
  return first;
}
