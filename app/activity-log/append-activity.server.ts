// The only way into the activity log. A write takes it last in its transaction, because it locks the
// log's state row until the commit. The lock makes the index gap-free and in commit order. The commit notifies every
// node, and open pages reload.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { topicsOf, type Concerns } from './topics-of-write.ts';

/** One entry. Its topics follow from its kind and what it concerns; they decide which open pages reload. */
export type ActivityEntry = Concerns & {
  actorId: number | null;
  subjectId?: string;
  /** The specification's words for the action, if it has some. */
  action?: string;
  details?: string;
  changes?: readonly ActivityChange[];
  origin?: 'imported';
  occurredAt?: Date;
};

/** Appends one entry. Returns its index. */
export const appendActivity = (tx: Tx, entry: ActivityEntry): Promise<number> => appendActivities(tx, [entry]);

/** Appends `entries` in order, in one statement. Returns the index of the first. */
export async function appendActivities(tx: Tx, entries: readonly ActivityEntry[]): Promise<number> {
  if (entries.length === 0) throw new Error('appendActivities needs an entry');
  const rows = entries.map((entry) => ({
    kind: entry.kind,
    actor_id: entry.actorId,
    subject: entry.subject,
    subject_id: entry.subjectId,
    rego: entry.rego ?? '',
    topics: topicsOf(entry),
    action: entry.action,
    details: entry.details,
    changes: entry.changes,
    origin: entry.origin,
    occurred_at: entry.occurredAt?.toISOString(),
  }));
  const append = sql<{ first: number }>`select append_activity(${JSON.stringify(rows)}::jsonb) as first`;
  const first = (await append.execute(tx)).rows[0]?.first;
  if (first === undefined) throw new Error('append_activity gave no index');
  return first;
}
