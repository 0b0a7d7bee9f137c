// Tells people by email what waits for them: one mail for all that is new. What is chosen at once goes within a minute,
// and then at most every ten; the rest goes from six in the registry's zone on, once a day. Where nothing is new nobody
// is mailed.
//
// The marks of what is told and the mail are written in one transaction, under the lock of the person's row: each item
// is in exactly one mail, whenever this process dies. A day that was missed is made up for at the next look.
import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { itemsAt, RECIPIENTS } from './find-items.server.ts';
import { tellEach, type Look, type Moment, type Telling } from './tell-each.server.ts';
import type { Pace } from './topics.ts';

const BUNDLE = sql`interval '10 minutes'`;
/** If the last day is further ahead than this, the clock was wrong then. */
const WRONG_CLOCK_DAYS = 2;

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export const sendDigests = (services: Telling, isLost: () => boolean): Promise<number> =>
  tellEach(services, isLost, (moment) => [...(moment.isPastSix ? [atSix(moment)] : []), atOnce(moment)]);

function atSix(moment: Moment): Look {
  const isDue = (row: string) =>
    sql.raw(`${row}.digested_on is null or ${row}.digested_on not between '${moment.today}'
      and date '${moment.today}' + ${WRONG_CLOCK_DAYS}`);
  const claim = sql`(person_id, digested_on) = (excluded.person_id, ${moment.today}::date) where ${isDue('digest')}`;
  return {
    whom: sql`from ${RECIPIENTS} p left join digest d using (person_id) where ${isDue('d')}`,
    tell: tellNew(claim, ['once', 'six'], moment),
  };
}

function atOnce(moment: Moment): Look {
  const isDue = (row: string) => sql`(${sql.raw(row)}.mailed_at is null
    or ${sql.raw(row)}.mailed_at not between ${moment.now}::timestamptz - ${BUNDLE} and ${moment.now})`;
  const claim = sql`(person_id, mailed_at) = (excluded.person_id, ${moment.now}::timestamptz) where ${isDue('digest')}`;
  return {
    whom: sql`from (${untold(['once'], moment)}) i join ${RECIPIENTS} p using (person_id)
      left join digest d using (person_id) where ${isDue('d')}`,
    tell: tellNew(claim, ['once'], moment),
  };
}

const untold = (paces: readonly Pace[], moment: Moment) => sql`
  select i.* from ${itemsAt(paces, moment)} i left join tell_choice c using (person_id, topic)
  where coalesce(c.pace, i.usual) = any(${paces}::text[]) and not exists (
    select from told_item t where t.person_id = i.person_id and t.topic = i.topic and t.item = i.key)`;

// `claim`: on conflict, whether it is still due; nobody else tells the person then.
const tellNew =
  (claim: RawBuilder<unknown>, paces: readonly Pace[], moment: Moment): Look['tell'] =>
  async (tx, { personId, email }) => {
    await sql`insert into digest (person_id) values (${personId}::uuid) on conflict do nothing`.execute(tx);
    const claimed = await sql`insert into digest (person_id) values (${personId}::uuid)
      on conflict (person_id) do update set ${claim} returning person_id`.execute(tx);
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
  };
