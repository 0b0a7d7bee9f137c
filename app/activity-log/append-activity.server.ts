// The activity log's only way in. Called last in the transaction of the write it describes: it locks the log's state
// row until the commit, which makes the index gap-free and in commit order, and tells every open page on every node.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database.server.ts';
import { leavesInJson } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import type { RecordRow } from '#app/transparency-log/record-snapshot.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import type { ActivityKind } from './activity.ts';

/** One entry. `topics` name the open pages it concerns, as `vehicle:ABC123`; the log's own, `logs`, always. */
export type ActivityEntry = {
  kind: ActivityKind;
  actorId: number | null;
  subject?: string;
  subjectId?: string;
  topics?: readonly string[];
  /** The specification's words, where it gives them. */
  action?: string;
  details?: string;
  changes?: readonly ActivityChange[];
  origin?: 'imported';
  occurredAt?: Date;
};

/** Appends `entries` in order, in one statement. Returns the index of the first. */
export async function appendActivities(tx: Tx, entries: readonly ActivityEntry[]): Promise<number> {
  const { rows: answer } = await sql<{
    first: number;
  }>`select append_activity(${entriesInJson(entries)}::jsonb) as first`.execute(tx);
  const first = answer[0]?.first;
  if (first === undefined) throw new Error('append_activity gave no index');
  return first;
}

/**
 * The same, and before it the leaves of `events` (appendLeaves), as one statement: while a transaction waits for the next,
 * all others wait for the logs.
 */
export async function appendToBothLogs(
  tx: Tx,
  { events, known }: { events: readonly LeafEvent[]; known: ReadonlyMap<string, RecordRow> },
  entries: readonly ActivityEntry[],
): Promise<void> {
  const leaves = await leavesInJson(tx, events, known);
  await sql`with leaf as materialized (select append_leaves(${leaves}::jsonb) as first)
    select leaf.first, append_activity(${entriesInJson(entries)}::jsonb) from leaf`.execute(tx);
}

function entriesInJson(entries: readonly ActivityEntry[]): string {
  if (entries.length === 0) throw new Error('the activity log’s way in needs an entry');
  return JSON.stringify(
    entries.map((entry) => ({
      kind: entry.kind,
      actor_id: entry.actorId,
      subject: entry.subject,
      subject_id: entry.subjectId,
      topics: entry.topics,
      action: entry.action,
      details: entry.details,
      changes: entry.changes,
      origin: entry.origin,
      occurred_at: entry.occurredAt?.toISOString(),
    })),
  );
}
