// Finds the followers who are due a mail and queues it. The follower of a vehicle hears 30 and 14 days before the due
// date, on the day, and at once when the verdict or the due date changes; the follower of a list once a day of all that
// is new. Deletes followers who never confirmed or whose vehicle was removed long ago.
//
// `look_on` is the next day on which a follower may be due a mail. An index finds the rows whose day has come, whatever
// the registry's size. Triggers on `vehicle` and `policy` set it to now in each transaction that may change a verdict,
// so imports and future kinds of writes are covered.
//
// What is told, the day and the mail are written in one transaction under the follower's lock: a mail is queued exactly
// once, whenever this process dies. A day that was missed is made up for: news are what differs from what was told. The
// day of the run does not go back when the clock is set back.
import { sql } from 'kysely';
import { UNDO_MS } from '#app/forms/flash-messages.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay, timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { lookAtTrucks, newsOf, toldOf, type ToldTrucks } from './followed-trucks.server.ts';
import { CONFIRM_WITHIN_DAYS, DAYS_BEFORE, KEPT_AFTER_REMOVAL_DAYS, nextLook } from './follower.ts';
import { judgeFollowed } from './judge-followed.server.ts';
import { listWords, truckWords } from './news-words.server.ts';

/** Nobody wants the mail about a list at midnight, and at work it is there. In the registry's zone. */
const LISTS_FROM = '06:00';
/** If today is further back than this, the clock was wrong before, and today is right. */
const WRONG_CLOCK_DAYS = 2;

/** Queues all mails that are due. Returns how many. Stops when `isLost`: another node holds the lease then. */
export async function notifyFollowers(
  { db, config, log, now }: Pick<Services, 'db' | 'config' | 'log' | 'now'>,
  isLost: () => boolean,
): Promise<number> {
  const ended = new Date(now().getTime() - UNDO_MS);
  await db.deleteFrom('follower').where('endedAt', '<', ended).execute();
  // The database is not what was signed: what it says of a truck may be of another day, or missing.
  if ((await openLogFolder(config).readRefusal()) !== undefined) return 0;
  const zone = config.timeZone;
  const today = await db.transaction().execute((tx) => dayOfLooking(tx, todayIn(zone, now())));
  const isTimeOfLists = timeIn(zone, now()) >= LISTS_FROM;
  const { rows } = await sql<{ id: string }>`select id from follower
    where confirmed_on is not null and ended_at is null and look_on <= ${today}
      and (list is null or (${isTimeOfLists} and looked_on is distinct from ${today}))
    order by look_on`.execute(db);
  let mails = 0;
  for (const { id } of rows) {
    if (isLost()) break;
    try {
      if (await notify(db, id, { today, zone })) mails += 1;
    } catch (error) {
      // The others are looked at all the same, and this one next time.
      log.warn({ err: error }, 'looking at what is followed');
    }
  }
  return mails;
}

/** Never goes back: when the clock is set back over midnight, the mails of a day are not sent again. */
export async function dayOfLooking(tx: Tx, today: string): Promise<string> {
  const { lookedOn } = await tx.selectFrom('followerDay').select('lookedOn').forUpdate().executeTakeFirstOrThrow();
  const isBack = lookedOn !== null && today < lookedOn && today >= addDays(lookedOn, -WRONG_CLOCK_DAYS);
  if (isBack) return lookedOn;
  if (lookedOn !== today) await tx.updateTable('followerDay').set({ lookedOn: today }).execute();
  return today;
}

// Queues one mail at most.
async function notify(db: Db, id: string, { today, zone }: { today: string; zone: string }): Promise<boolean> {
  // Of a list this takes seconds, so it is read before the lock. A list that is changed meanwhile is looked at next
  // time.
  const { list = null } =
    (await db.selectFrom('follower').select('list').where('id', '=', id).executeTakeFirst()) ?? {};
  const trucks = list === null ? {} : await lookAtTrucks(db, list, today);
  return db.transaction().execute(async (tx) => {
    const follower = await tx
      .selectFrom('follower')
      .selectAll()
      .where('id', '=', id)
      .where('list', 'is not distinct from', list)
      .where('lookOn', '<=', today)
      .where('endedAt', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (follower === undefined) return false;
    const { email, vehicleId, told, confirmedOn, lookedOn } = follower;
    const followed = vehicleId === null ? undefined : await judgeFollowed(tx, vehicleId, { today, zone });
    const found = followed === undefined ? trucks : toldOf(followed);
    const news = newsOf(followed === undefined ? told : underRego(told, followed.rego), found, {
      since: lookedOn ?? addDays(confirmedOn ?? today, -1),
      today,
      daysBefore: DAYS_BEFORE[followed === undefined ? 'list' : 'truck'],
    });
    const lookOn =
      followed === undefined ? addDays(today, 1) : nextLook(today, followed.nextDueOn, followed.policy.dueSoonDays);
    await tx
      .updateTable('follower')
      .set({ told: JSON.stringify(found), lookedOn: today, lookOn })
      .where('id', '=', id)
      .execute();
    if (news.changed.length + news.due.length === 0) return false;
    const asAt = formatDay(today);
    const words =
      followed === undefined
        ? listWords(news, { list: list ?? '', asAt })
        : await truckWords(tx, news, { id: vehicleId ?? '', followed, asAt });
    await queueMail(tx, { kind: 'follower-told', recipient: email, facts: { follower: id, ...words } });
    return true;
  });
}

// What was told of the one truck, which may have had another plate then.
const underRego = (told: ToldTrucks, rego: string): ToldTrucks =>
  Object.fromEntries(Object.values(told).map((truck) => [rego, truck]));

/** Deletes followers who never confirmed, and those of vehicles removed long ago. */
export async function sweepFollowers({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * 86_400_000);
  await db
    .deleteFrom('follower')
    .where('confirmedOn', 'is', null)
    .where('askedAt', '<', before(CONFIRM_WITHIN_DAYS))
    .execute();
  await sql`delete from follower f using vehicle v
    where v.id = f.vehicle_id and v.deleted_at < ${before(KEPT_AFTER_REMOVAL_DAYS)}`.execute(db);
}
