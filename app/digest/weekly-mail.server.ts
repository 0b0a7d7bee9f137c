// Once a week, from Monday at six in the registry's zone on, each technician gets one mail of those of their vehicles
// that are due soon or overdue, until they stop it. Nothing is sent when nothing is due.
//
// The day and the mail are written in one transaction, which only one look can make: a mail is queued exactly once,
// whenever this process dies. A Monday that was missed is made up for within its week.
import { sql } from 'kysely';
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { leaveHeaders } from '#app/following/letters.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import { queueMail, type MailText, type QueuedMail } from '#app/platform/mail/mail.server.ts';
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import { ownHref } from '#app/vehicles/list-query.ts';
import { isOf } from '#app/vehicles/own-vehicles.server.ts';
import { hasVerdict } from '#app/vehicles/verdict-sql.server.ts';
import { listChoices, makeStopLink } from './choose-told.server.ts';
import { dueKey, type Moment } from './find-items.server.ts';
import { SIX, tellEach, type Look, type Telling } from './send-digests.server.ts';
import { countOf } from './topics.ts';

/** A truck that is overdue for longer was sold, or goes to somebody else. The list has it. */
const OVERDUE_DAYS = 90;
/** So many are in a mail, the first due first. */
const LINES_IN_MAIL = 100;

export const WEEKLY_LETTERS: Letters = { 'weekly-due': weeklyDue };

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export const sendWeeklyMails = (services: Telling, isLost: () => boolean): Promise<number> =>
  tellEach(services, isLost, (moment, time) => (time >= SIX ? [onMonday(moment)] : []));

const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

function onMonday({ now, today, policy }: Moment): Look {
  const isDue = sql`(weekly_mail.looked_on is null or weekly_mail.looked_on < ${mondayOf(today)}::date)`;
  return {
    whom: sql`from technician p left join weekly_mail using (person_id)
      where p.deleted_at is null and ${isDue} and not exists (
        select from tell_choice c where c.person_id = p.person_id and c.topic = 'weekly' and c.pace = 'never')`,
    async tell(tx, { personId, email }) {
      const { rows: looked } = await sql`
        insert into weekly_mail (person_id, looked_on) values (${personId}::uuid, ${today}::date)
        on conflict (person_id) do update set looked_on = excluded.looked_on where ${isDue}
        returning person_id`.execute(tx);
      if (looked.length === 0) return false;
      const { rows } = await sql<{ rego: string; dueOn: string; total: number; key: string }>`
        select rego, next_calibration_due_on as due_on, count(*) over () as total, ${dueKey(today)} as key
        from vehicle
        where deleted_at is null and ${isOf(personId)} and ${hasVerdict(['overdue', 'due-soon'], today, policy)}
          and next_calibration_due_on >= ${addDays(today, -OVERDUE_DAYS)}::date
        order by next_calibration_due_on, rego limit ${LINES_IN_MAIL}`.execute(tx);
      const [first] = rows;
      if (first === undefined) return false;
      const lines = rows.map(
        ({ rego, dueOn }) => `${rego}: ${dueOn < today ? 'overdue since' : 'due on'} ${formatDay(dueOn)}`,
      );
      // The digest does not tell them again.
      await sql`insert into told_item (person_id, topic, item, digest, told_at)
        select ${personId}::uuid, 'due', key, gen_random_uuid(), ${now}
        from unnest(${rows.map(({ key }) => key)}::text[]) key on conflict do nothing`.execute(tx);
      const facts = { person: personId, lines: lines.join('\n'), total: String(first.total), asAt: formatDay(today) };
      await queueMail(tx, { kind: 'weekly-due', recipient: email, facts });
      return true;
    },
  };
}

async function weeklyDue(context: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const { person = '', lines = '', total = '', asAt = '' } = facts;
  if ((await listChoices(tx, person, 'technician'))['weekly'] === 'never') return null;
  const { config } = context;
  const stop = await makeStopLink(tx, context, { personId: person, stops: 'weekly' });
  const shown = lines.split('\n');
  const more = Number(total) - shown.length;
  return letter(config.registryName, countOf('weekly', Number(total)), {
    parts: [
      `These trucks, which you have calibrated before, are due soon or overdue as at ${asAt}.`,
      { lines: more > 0 ? [...shown, `and ${more.toLocaleString('en-AU')} more`] : shown },
      'See all your trucks by their due date:',
      { link: `${publicOrigin(config)}${ownHref(person)}` },
      'This mail comes once a week while trucks of yours are due. To stop it, here or in your settings:',
      { link: stop },
    ],
    headers: leaveHeaders(stop),
  });
}
