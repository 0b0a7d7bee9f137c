// Finds the followers who are due a mail and queues it: 30 and 14 days before the due date, on the day, and when the
// verdict or the due date changes. Deletes followers who never confirmed or whose vehicle was removed long ago.
//
// `look_on` is the next day on which a follower may be due a mail. An index finds the rows whose day has come, whatever
// the registry's size. Triggers on `vehicle` and `policy` set it to now in each transaction that may change a verdict,
// so imports and future kinds of writes are covered.
//
// One transaction handles a hundred followers and queues at most one mail for each. No mail is repeated: a dated one
// has a unique key, and a verdict is compared with the last one sent, under the follower's row lock. The day of the run
// does not go back when the clock is set back.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { KEPT_AFTER_REMOVAL_DAYS, CONFIRM_WITHIN_DAYS, nextLook, occasionOn, type Occasion } from './follower.ts';
import { dueCause } from './due-cause.server.ts';
import { judgeFollowed } from './judge-followed.server.ts';

const BATCH = 100;
/** If today is further back than this, the clock was wrong before, and today is right. */
const WRONG_CLOCK_DAYS = 2;

type FollowerServices = Pick<Services, 'db' | 'config' | 'now'>;
type Due = {
  id: string;
  email: string;
  vehicleId: string;
  confirmedOn: string;
  toldVerdict: string;
  toldDueOn: string | null;
};

/** Queues all mails that are due. Returns how many. Stops when `isLost`: another node holds the lease then. */
export async function notifyFollowers({ db, config, now }: FollowerServices, isLost: () => boolean): Promise<number> {
  let mails = 0;
  while (!isLost()) {
    const batch = await db.transaction().execute(async (tx) => {
      const today = await dayOfLooking(tx, todayIn(config.timeZone, now()));
      const { rows } = await sql<Due>`select id, email, vehicle_id, confirmed_on, told_verdict, told_due_on
        from follower
        where confirmed_on is not null and look_on is not null and look_on <= ${today}
        order by look_on limit ${BATCH} for update skip locked`.execute(tx);
      let queued = 0;
      for (const follower of rows) if (await notify(tx, follower, today, config.timeZone)) queued += 1;
      return { looked: rows.length, queued };
    });
    mails += batch.queued;
    if (batch.looked < BATCH) break;
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

// Queues one mail at most: the mail about a changed verdict states the due date too. What is removed has none.
async function notify(tx: Tx, follower: Due, today: string, zone: string): Promise<boolean> {
  const { id, email, vehicleId, confirmedOn, toldVerdict, toldDueOn } = follower;
  const found = await judgeFollowed(tx, vehicleId, today, zone);
  const hasChanged = found.state !== toldVerdict;
  const hasMoved = found.state !== 'removed' && found.nextDueOn !== toldDueOn;
  const occasion = occasionOn(today, found.nextDueOn, confirmedOn);
  const isNew = occasion !== undefined && found.nextDueOn !== null && (await note(tx, id, occasion, found.nextDueOn));
  await tx
    .updateTable('follower')
    .set({
      toldVerdict: found.state,
      ...(hasMoved ? { toldDueOn: found.nextDueOn } : {}),
      lookOn: nextLook(today, found.nextDueOn, found.policy.dueSoonDays),
    })
    .where('id', '=', id)
    .execute();
  if (!hasChanged && !hasMoved && !isNew) return false;
  await queueMail(tx, {
    kind: 'follower-told',
    recipient: email,
    facts: {
      follower: id,
      rego: found.rego,
      why: hasChanged ? 'changed' : hasMoved ? 'moved' : 'due',
      ...((hasChanged || hasMoved) && found.state !== 'no-match' ? { cause: await dueCause(tx, vehicleId) } : {}),
      state: found.state,
      word: found.word,
      sentence: found.sentence,
      asAt: formatDay(today),
      policy: String(found.policy.version),
    },
  });
  return true;
}

// Records a dated mail. False when it was recorded before: the unique key allows one for each occasion and due date.
async function note(tx: Tx, followerId: string, occasion: Occasion, dueOn: string): Promise<boolean> {
  const noted = await tx
    .insertInto('followerNotice')
    .values({ followerId, occasion, dueOn })
    .onConflict((conflict) => conflict.doNothing())
    .returning('occasion')
    .executeTakeFirst();
  return noted !== undefined;
}

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
