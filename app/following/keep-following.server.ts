// What followers do by a link in a mail: they confirm what they follow, change their list, or end it.
import { sql } from 'kysely';
import { linkTokenHash } from '#app/access/one-time-link.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { lookAtTrucks, toldOf } from './followed-trucks.server.ts';
import { judgeFollowed } from './judge-followed.server.ts';
import { findByLink, type Following } from './links.server.ts';

type FollowerServices = Pick<Services, 'db' | 'config' | 'now'>;

/** Mails begin from then on. Idempotent. False: the link does not work any more. */
export async function confirmFollowing({ db, config, now }: FollowerServices, token: string): Promise<boolean> {
  const found = await findByLink(db, token, now());
  if (found === undefined || found.isConfirmed) return found !== undefined;
  const today = todayIn(config.timeZone, now());
  const told =
    found.vehicleId === null
      ? await lookAtTrucks(db, found.list ?? '', today)
      : toldOf(await judgeFollowed(db, found.vehicleId, { today, zone: config.timeZone }));
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('follower')
      .set({ confirmedOn: today, told: JSON.stringify(told), lookOn: sql`'-infinity'` })
      .where('id', '=', found.id)
      .where('confirmedOn', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await log(tx, found, 'followed');
  });
  return true;
}

/**
 * `list`: from `namesOf`. What was told of the trucks that stay is kept, so that none of their news is lost; of those
 * that are added the follower is told from now on. `version`: as it was opened. 'changed-meanwhile': it is not as it
 * was opened.
 */
export async function changeList(
  { db, config, now }: FollowerServices,
  token: string,
  { list, version }: { list: string; version: number },
): Promise<'changed-meanwhile' | 'no-such-list' | 'saved'> {
  const found = await findByLink(db, token, now());
  if (found === undefined || found.list === null) return 'no-such-list';
  if (list === found.list) return 'saved';
  const trucks = JSON.stringify(await lookAtTrucks(db, list, todayIn(config.timeZone, now())));
  const { numUpdatedRows } = await db
    .updateTable('follower')
    .set({
      list,
      version: sql`version + 1`,
      // What is told may have changed since it was read, by the look of the day.
      told: sql<string>`(select coalesce(jsonb_object_agg(key, coalesce(follower.told -> key, value)), '{}')
        from jsonb_each(${trucks}::jsonb))`,
    })
    .where('id', '=', found.id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? 'saved' : 'changed-meanwhile';
}

/**
 * No mail leaves any more. The address, what it follows and its links are deleted a minute later, if nobody undoes it.
 * Idempotent: an unknown token does nothing.
 */
export async function endFollowing({ db, now }: Pick<Services, 'db' | 'now'>, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await findByLink(tx, token, now());
    if (found === undefined) return;
    const { numUpdatedRows } = await tx
      .updateTable('follower')
      .set({ endedAt: now() })
      .where('id', '=', found.id)
      .where('endedAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await sql`delete from mail where facts ->> 'follower' = ${found.id}`.execute(tx);
    if (found.isConfirmed) await log(tx, found, 'unfollowed');
  });
}

/** Takes an end back. Idempotent; too late it does nothing. */
export async function undoEnding({ db, now }: Pick<Services, 'db' | 'now'>, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`update follower f set ended_at = null from follower_link l
      where l.follower_id = f.id and l.token_hash = ${linkTokenHash(token) ?? ''} and f.ended_at is not null
      returning f.id`.execute(tx);
    const found = await findByLink(tx, token, now());
    if (rows.length > 0 && found?.isConfirmed === true) await log(tx, found, 'followed');
  });
}

function log(tx: Tx, { rego, trucks }: Following, what: 'followed' | 'unfollowed'): Promise<unknown> {
  const change = what === 'followed' ? 'one more' : 'one fewer';
  const entry =
    rego === null
      ? ({ kind: `list.${what}`, details: `Lists of trucks: ${change} is followed, with ${trucks}` } as const)
      : ({ kind: `vehicle.${what}`, details: `${rego}: ${change} follows it` } as const);
  return appendActivity(tx, { ...entry, actorId: null, subject: 'follower' });
}
