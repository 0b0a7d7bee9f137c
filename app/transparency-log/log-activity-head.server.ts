// Seals the activity log: its last hash enters the public log, so that from then on nobody changes unseen who did what.
// The leader does it each hour, when there is something new.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from './append-leaves.server.ts';
import { adminEvent } from './events.server.ts';

/** Returns whether there was something new. */
export const logActivityHead = (db: Db): Promise<boolean> => db.transaction().execute(sealActivities);

/** The same in the caller's transaction. */
export async function sealActivities(tx: Tx): Promise<boolean> {
  // The first update takes the lock of the log; what it sees is as of then.
  const { rows } = await sql<{ activities: number; hash: string; isFirst: boolean }>`
    with before as (select head_logged from activity_state for update)
    update activity_state s set head_logged = s.size from before
    where s.size > coalesce(before.head_logged, -1)
    returning s.size as activities, encode(s.head, 'base64') as hash, before.head_logged is null as is_first`.execute(
    tx,
  );
  const [head] = rows;
  if (head === undefined) return false;
  const { activities, hash: activityHead, isFirst } = head;
  // Nobody older than the log's heads enters it after the first: verify-entries.server.ts.
  const admins = isFirst ? await adminsBeforeLog(tx) : [];
  await appendLeaves(tx, [
    ...admins.map(({ deleted, ...admin }) =>
      adminEvent(deleted ? 'admin.removed' : 'admin.added', admin, 'before-log'),
    ),
    { type: 'activity.head', body: { activities, activityHead }, records: [] },
  ]);
  return true;
}

async function adminsBeforeLog(tx: Tx): Promise<{ id: string; name: string; deleted: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; deleted: boolean }>`
    select id, coalesce(nullif(name, ''), email) as name, deleted_at is not null as deleted from admin a
    where not exists (select from record_leaf where record_table = 'admin' and record_key = a.id::text)
    order by id for update`.execute(tx);
  return rows;
}
