// Tells people by email what waits for them: one mail for all that is new. What is chosen at once goes within a minute,
// and then at most every ten; the rest goes from six in the registry's zone on, once a day. Where nothing is new nobody
// is mailed.
//
// The marks of what is told and the mail are written in one transaction, under the lock of the person's row: each item
// is in exactly one mail, whenever this process dies. A day that was missed is made up for at the next look.
import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { itemsAt, RECIPIENTS, type Moment } from './find-items.server.ts';
import type { Pace } from './topics.ts';

/** From this time of the day on, mails of the day leave. */
export const SIX = '06:00';
const BUNDLE = sql`interval '10 minutes'`;
/** If the last day is further ahead than this, the clock was wrong then. */
const WRONG_CLOCK_DAYS = 2;

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export const sendDigests = (services: Telling, isLost: () => boolean): Promise<number> =>
  tellEach(services, isLost, (moment, time) => {
    const { now, today } = moment;
    const atSix = digests(moment, {
      paces: ['once', 'six'],
      among: sql`${RECIPIENTS} p`,
      mark: 'digested_on',
      isDue: sql`digest.digested_on is null
        or digest.digested_on not between ${today}::date and ${today}::date + ${sql.lit(WRONG_CLOCK_DAYS)}`,
    });
    const atOnce = digests(moment, {
      paces: ['once'],
      among: sql`(${untold(['once'], moment)}) i join ${RECIPIENTS} p using (person_id)`,
      mark: 'mailed_at',
      isDue: sql`digest.mailed_at is null
        or digest.mailed_at not between ${now}::timestamptz - ${BUNDLE} and ${now}`,
    });
    return time >= SIX ? [atSix, atOnce] : [atOnce];
  });

const untold = (paces: readonly Pace[], moment: Moment) => sql`
  select i.* from ${itemsAt(paces, moment)} i left join tell_choice c using (person_id, topic)
  where coalesce(c.pace, i.usual) = any(${paces}::text[]) and not exists (
    select from told_item t where t.person_id = i.person_id and t.topic = i.topic and t.item = i.key)`;

/** `mark`: the column that says when; `isDue`: whether by it a digest is due. Nobody else tells the person then. */
type Round = {
  paces: readonly Pace[];
  among: RawBuilder<unknown>;
  mark: 'digested_on' | 'mailed_at';
  isDue: RawBuilder<unknown>;
};

const digests = (moment: Moment, { paces, among, mark, isDue }: Round): Look => ({
  whom: sql`from ${among} left join digest using (person_id) where ${isDue}`,
  async tell(tx, { personId, email }) {
    const claimed = await sql`insert into digest (person_id, ${sql.ref(mark)})
      values (${personId}::uuid, ${mark === 'mailed_at' ? moment.now : moment.today})
      on conflict (person_id) do update set ${sql.ref(mark)} = ${sql.ref(`excluded.${mark}`)} where ${isDue}
      returning person_id`.execute(tx);
    if (claimed.rows.length === 0) return false;
    const digest = randomUUID();
    const { numAffectedRows = 0n } = await sql`
      insert into told_item (person_id, topic, item, digest, told_at)
      select person_id, topic, key, ${digest}::uuid, ${moment.now} from (${untold(paces, moment)}) i
      where person_id = ${personId}::uuid on conflict do nothing`.execute(tx);
    // What is there no more may come again, and be news.
    if (paces.includes('six'))
      await sql`delete from told_item t where t.person_id = ${personId}::uuid
        and t.told_at not between ${moment.now}::timestamptz - interval '1 day' and ${moment.now} and not exists (
          select from ${itemsAt(['once', 'six'], moment)} i
          where i.person_id = t.person_id and i.topic = t.topic and i.key = t.item)`.execute(tx);
    if (numAffectedRows === 0n) return false;
    // Its words are made when it leaves: nothing of anybody waits in the outbox.
    await queueMail(tx, { kind: 'digest', recipient: email, facts: { person: personId, digest } });
    return true;
  },
});

export type Telling = Pick<Services, 'db' | 'config' | 'log' | 'now'>;
type Person = { personId: string; email: string };
/** `whom`: who may be due a mail (p), as SQL. `tell`: queues one, if it is still due; whether it did. */
export type Look = { whom: RawBuilder<unknown>; tell: (tx: Tx, person: Person) => Promise<boolean> };

/** Goes through the people who are due a mail at a `time` as '06:00', each in a transaction of their own. */
export async function tellEach(
  { db, config, log, now }: Telling,
  isLost: () => boolean,
  looksAt: (moment: Moment, time: string) => readonly Look[],
): Promise<number> {
  // The database is not what was signed: what waits may be of another day, or missing.
  if ((await openLogFolder(config).readRefusal()) !== undefined) return 0;
  const moment = { now: now(), today: todayIn(config.timeZone, now()), policy: await currentPolicy(db) };
  let mails = 0;
  for (const { whom, tell } of looksAt(moment, timeIn(config.timeZone, moment.now))) {
    const { rows } = await sql<Person>`select distinct p.person_id, p.email ${whom}`.execute(db);
    for (const person of rows) {
      if (isLost()) return mails;
      try {
        if (await db.transaction().execute((tx) => tell(tx, person))) mails += 1;
      } catch (error) {
        // The others are told all the same, and this one next time.
        log.warn({ err: error }, 'telling a person what waits');
      }
    }
  }
  return mails;
}
