// Looks which followers there is something to tell, and queues their mails: a few at a time, each batch whole. Only those
// whose day has come are read, by an index, whatever the registry's size.
//
// Whoever confirmed by mail hears 30 and 14 days before the due date, on the day, and when the verdict changes. `look_on` is the
// next day on which there may be something to tell; triggers on `vehicle` and `policy` set it to now in the transaction that
// may change a verdict, so the importer and every future write are heard too. A transaction takes a hundred, and queues at most
// one mail for each: a dated one behind its unique key, a changed verdict against the one told last, under the follower's row
// lock. The day of looking never goes back by a clock that is set back.
import { sql } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { addDays, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { KEPT_AFTER_REMOVAL_DAYS, CONFIRM_WITHIN_DAYS, nextLook, occasionOn, OCCASIONS } from './follower.ts';
import { judgeFollowed } from './judge-followed.server.ts';

const BATCH = 100;
/** A day that far behind the last one is no clock set back, but one that had been wrong. */
const WRONG_CLOCK_DAYS = 2;

type Given = Pick<Services, 'db' | 'config' | 'now'>;
type Due = { id: string; email: string; vehicleId: string; confirmedOn: string; toldVerdict: string };

/** Tells all for whom there is something today. Returns how many mails that made. `isOver`: another node goes on. */
export async function tellFollowers({ db, config, now }: Given, isOver: () => boolean): Promise<number> {
  let mails = 0;
  while (!isOver()) {
    const batch = await db.transaction().execute(async (tx) => {
      const today = await dayOfLooking(tx, todayIn(config.timeZone, now()));
      const { rows } = await sql<Due>`select id, email, vehicle_id, confirmed_on, told_verdict from follower
        where confirmed_on is not null and look_on is not null and look_on <= ${today}
        order by look_on limit ${BATCH} for update skip locked`.execute(tx);
      let queued = 0;
      for (const follower of rows) if (await tell(tx, follower, today, config.timeZone)) queued += 1;
      return { looked: rows.length, queued };
    });
    mails += batch.queued;
    if (batch.looked < BATCH) break;
  }
  return mails;
}

// Never earlier than the day before: what was told of a day is not told again when the clock is set back over midnight.
async function dayOfLooking(tx: Tx, today: string): Promise<string> {
  const { lookedOn } = await tx.selectFrom('followerDay').select('lookedOn').forUpdate().executeTakeFirstOrThrow();
  const isBack = lookedOn !== null && today < lookedOn && today >= addDays(lookedOn, -WRONG_CLOCK_DAYS);
  if (isBack) return lookedOn;
  if (lookedOn !== today) await tx.updateTable('followerDay').set({ lookedOn: today }).execute();
  return today;
}

// One mail at most: a changed verdict says the due date too.
async function tell(tx: Tx, follower: Due, today: string, zone: string): Promise<boolean> {
  const { id, email, vehicleId, confirmedOn, toldVerdict } = follower;
  const state = await judgeFollowed(tx, vehicleId, today, zone);
  const hasChanged = state.told !== toldVerdict;
  const occasion = occasionOn(today, state.nextDueOn, confirmedOn);
  const isNew = occasion !== undefined && state.nextDueOn !== null && (await note(tx, id, occasion, state.nextDueOn));
  await tx
    .updateTable('follower')
    .set({ toldVerdict: state.told, lookOn: nextLook(today, state.nextDueOn, state.policy.dueSoonDays) })
    .where('id', '=', id)
    .execute();
  if (!hasChanged && !isNew) return false;
  await queueMail(tx, {
    kind: 'follower-told',
    recipient: email,
    facts: {
      follower: id,
      rego: state.rego,
      why: hasChanged ? 'changed' : 'due',
      state: state.told,
      word: state.word,
      sentence: state.sentence,
      asAt: formatDay(today),
      policy: String(state.policy.version),
    },
  });
  return true;
}

async function note(
  tx: Tx,
  followerId: string,
  occasion: (typeof OCCASIONS)[number]['occasion'],
  dueOn: string,
): Promise<boolean> {
  const noted = await tx
    .insertInto('followerNotice')
    .values({ followerId, occasion, dueOn })
    .onConflict((conflict) => conflict.doNothing())
    .returning('occasion')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Forgets who never confirmed, and who follows what was removed long ago. */
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
