// Lists the log's entries page by page, with exact totals. They are ordered by when each action happened, newest first,
// so that imported entries appear at their original time.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { logSize } from '#app/activity-log/queries.server.ts';

export const ACTIVITIES_PER_PAGE = 20;

/** An entry, with who acted (the name at the time; null: no person), its words, and the record that it concerns. */
export type LoggedActivity = {
  index: number;
  at: Date;
  occurredAt: Date;
  kind: string;
  origin: 'recorded' | 'imported';
  subject: string;
  subjectId: string;
  rego: string | null;
  /** The address of the person or application that the entry concerns, else an address in its details. */
  address: string | null;
  /** Whether that person still has access, or that application is undecided. */
  isOpen: boolean;
  name: string | null;
  email: string | null;
  action: string;
  details: string;
  changes: ActivityChange[] | null;
  erasedAt: Date | null;
};

/** One page of the entries that match `where` (undefined: all). A number beyond the last page gives the last page. */
export const listActivities = (
  db: Db,
  where: RawBuilder<unknown> | undefined,
  page: number,
): Promise<ListPage<LoggedActivity>> =>
  listPage(
    { page, perPage: ACTIVITIES_PER_PAGE },
    () => (where === undefined ? logSize(db) : count(db, where)),
    async (limit, offset) => {
      const { rows } = await sql<{ index: number }>`select index from activity_log where ${where ?? sql`true`}
        order by occurred_at desc, index desc limit ${limit} offset ${offset}`.execute(db);
      return findActivities(
        db,
        rows.map(({ index }) => index),
      );
    },
  );

async function count(db: Db, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from activity_log where ${where}`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * At most `limit` entries that match `where` and follow the entry `last` in the list (undefined: from the beginning).
 * Only the first `size` entries of the log count: entries that are added meanwhile are left out, whatever their time.
 */
export async function listActivitiesAfter(
  db: Db,
  where: RawBuilder<unknown> | undefined,
  { last, size, limit }: { last: number | undefined; size: number; limit: number },
): Promise<LoggedActivity[]> {
  // The position is the entry's index, not its time, because a JavaScript Date has no microseconds.
  const following =
    last === undefined
      ? sql`true`
      : sql`(occurred_at, index) < (select occurred_at, index from activity_log where index = ${last})`;
  const { rows } = await sql<{ index: number }>`select index from activity_log
    where index < ${size} and ${following} and ${where ?? sql`true`}
    order by occurred_at desc, index desc limit ${limit}`.execute(db);
  return findActivities(
    db,
    rows.map(({ index }) => index),
  );
}

async function findActivities(db: Db, indexes: readonly number[]): Promise<LoggedActivity[]> {
  if (indexes.length === 0) return [];
  const { rows } = await sql<LoggedActivity>`
    select l.index, l.at, l.occurred_at, l.kind, l.origin, l.subject, l.subject_id, activity_vehicle(l.rego, l.topics) as rego,
      coalesce(p.email, activity_address(d.details)) as address, coalesce(p.is_open, false) as is_open,
      a.name, a.email, coalesce(d.action, '') as action, coalesce(d.details, '') as details, d.changes, d.erased_at
    from unnest(${indexes}::bigint[]) with ordinality k (index, place)
    join activity_log l using (index)
    left join actor a on a.id = l.actor_id
    left join activity_detail d using (index)
    left join lateral (
      select case when l.subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.subject_id::uuid end as id
    ) s on true
    left join lateral (
      select email, deleted_at is null as is_open from staff where l.subject = role and id = s.id
      union all
      select email, deleted_at is null from technician where l.subject = 'technician' and id = s.id
      union all
      select email, decision is null from application where l.subject = 'application' and id = s.id
    ) p on true
    order by k.place`.execute(db);
  return rows;
}
