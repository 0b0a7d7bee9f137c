// Looks at every list that is followed once a day, and queues one mail for each that has news. Deletes what nobody confirmed.
//
// What is told, the day and the mail are written in one transaction, which only one look can make: a mail is queued exactly
// once, whenever this process dies. A day that was missed is made up for: news are what differs from what was told.
import type { Selectable } from 'kysely';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay, timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { CONFIRM_WITHIN_DAYS } from '#app/followers/follower.ts';
import { dayOfLooking } from '#app/followers/notify-followers.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Tables } from '#database/tables.ts';
import { isNews, lookAtTrucks, newsOf, type News } from './watched-trucks.server.ts';

/** Nobody wants the mail at midnight, and at work it is there. In the registry's zone. */
const LOOK_FROM = '06:00';
/** So many lines of a kind are in a mail. The list's page and its CSV have all. */
const LINES_IN_MAIL = 100;

const OF_LIST = ['id', 'email', 'list', 'told', 'version', 'confirmedOn', 'lookedOn'] as const;
type Followed = Pick<Selectable<Tables['watchList']>, (typeof OF_LIST)[number]>;

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export async function lookAtLists(
  { db, config, log, now }: Pick<Services, 'db' | 'config' | 'log' | 'now'>,
  isLost: () => boolean,
): Promise<number> {
  if (timeIn(config.timeZone, now()) < LOOK_FROM) return 0;
  // The database is not what was signed: what it says of a truck may be of another day, or missing.
  if ((await openLogFolder(config).readRefusal()) !== undefined) return 0;
  const today = await db.transaction().execute((tx) => dayOfLooking(tx, todayIn(config.timeZone, now())));
  let mails = 0;
  for (let last = '00000000-0000-0000-0000-000000000000'; !isLost();) {
    const list = await db
      .selectFrom('watchList')
      .select(OF_LIST)
      .where('confirmedOn', 'is not', null)
      .where((eb) => eb('lookedOn', 'is distinct from', today))
      .where('id', '>', last)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (list === undefined) break;
    last = list.id;
    try {
      if (await lookAt(list)) mails += 1;
    } catch (error) {
      // The others are looked at all the same, and this one next time.
      log.warn({ err: error }, 'looking at a followed list');
    }
  }
  return mails;

  async function lookAt(list: Followed): Promise<boolean> {
    const found = await lookAtTrucks(db, list.list, today);
    const since = list.lookedOn ?? addDays(list.confirmedOn ?? today, -1);
    const news = newsOf(list.told, found, { since, today });
    return db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('watchList')
        .set({ lookedOn: today, told: JSON.stringify(found) })
        .where('id', '=', list.id)
        .where('version', '=', list.version)
        .where((eb) => eb('lookedOn', 'is not distinct from', list.lookedOn))
        .executeTakeFirst();
      if (numUpdatedRows === 0n || !isNews(news)) return false;
      const facts = { list: list.id, asAt: formatDay(today), ...factsOf(news) };
      await queueMail(tx, { kind: 'list-told', recipient: list.email, facts });
      return true;
    });
  }
}

const factsOf = (news: News): Record<string, string> => ({
  changed: shortened(news.changed),
  in30: shortened(news.in30),
  in14: shortened(news.in14),
  changedCount: String(news.changed.length),
  dueCount: String(news.in30.length + news.in14.length),
});

function shortened(lines: readonly string[]): string {
  const more = lines.length - LINES_IN_MAIL;
  const shown = lines.slice(0, LINES_IN_MAIL).join('\n');
  return more > 0 ? `${shown}\nand ${more.toLocaleString('en-AU')} more` : shown;
}

/** Deletes lists that nobody confirmed in time. */
export async function sweepLists({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('watchList')
    .where('confirmedOn', 'is', null)
    .where('askedAt', '<', new Date(now().getTime() - CONFIRM_WITHIN_DAYS * 86_400_000))
    .execute();
}
