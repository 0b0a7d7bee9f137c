// What the follower of a list does with it, by a link in a mail: confirms it, changes it, ends it.
import { sql } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { counted } from '#app/ui/counted.ts';
import { findList } from './links.server.ts';
import { lookAtTrucks } from './watched-trucks.server.ts';

type ListServices = Pick<Services, 'db' | 'config' | 'now'>;

/** Mails begin from then on. Idempotent. False: the link does not work any more. */
export async function confirmList({ db, config, now }: ListServices, token: string): Promise<boolean> {
  const found = await findList(db, token, now());
  if (found === undefined || found.isConfirmed) return found !== undefined;
  const today = todayIn(config.timeZone, now());
  const told = JSON.stringify(await lookAtTrucks(db, found.list, today));
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('watchList')
      .set({ confirmedOn: today, told })
      .where('id', '=', found.id)
      .where('confirmedOn', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await log(tx, 'list.followed', 'one more is followed', found.list);
  });
  return true;
}

/**
 * `list`: from `namesOf`. What was told of the trucks that stay is kept, so that none of their news is lost; of those that
 * are added the follower is told from now on. `version`: as it was opened. 'changed-meanwhile': it is not as it was opened.
 */
export async function changeList(
  { db, config, now }: ListServices,
  token: string,
  { list, version }: { list: string; version: number },
): Promise<'changed-meanwhile' | 'no-such-list' | 'saved'> {
  const found = await findList(db, token, now());
  if (found === undefined) return 'no-such-list';
  if (list === found.list) return 'saved';
  const trucks = JSON.stringify(await lookAtTrucks(db, list, todayIn(config.timeZone, now())));
  const { numUpdatedRows } = await db
    .updateTable('watchList')
    .set({
      list,
      version: sql`version + 1`,
      // What is told may have changed since it was read, by the look of the day.
      told: sql<string>`(select coalesce(jsonb_object_agg(key, coalesce(watch_list.told -> key, value)), '{}')
        from jsonb_each(${trucks}::jsonb))`,
    })
    .where('id', '=', found.id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? 'saved' : 'changed-meanwhile';
}

/** The address, the list, its links and all queued mails are deleted at once. Idempotent: an unknown token does nothing. */
export async function endList({ db, now }: Pick<Services, 'db' | 'now'>, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await findList(tx, token, now());
    if (found === undefined) return;
    const { numDeletedRows } = await tx.deleteFrom('watchList').where('id', '=', found.id).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    await sql`delete from mail where facts ->> 'list' = ${found.id}`.execute(tx);
    if (found.isConfirmed) await log(tx, 'list.unfollowed', 'one fewer is followed', found.list);
  });
}

const log = (tx: Tx, kind: 'list.followed' | 'list.unfollowed', what: string, list: string) => {
  const details = `Lists of trucks: ${what}, with ${counted(list.split('\n').length, 'truck', 'trucks')}`;
  return appendActivities(tx, [{ kind, actorId: null, subject: 'follower', details }]);
};
