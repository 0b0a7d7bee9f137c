// Once a week, from Monday at six in the registry's zone on, each technician gets one mail of those of their vehicles
// that are due soon or overdue, until they stop it. Nothing is sent when nothing is due.
//
// The day and the mail are written in one transaction, which only one look can make: a mail is queued exactly once,
// whenever this process dies. A Monday that was missed is made up for within its week.
import { sql } from 'kysely';
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { leaveHeaders } from '#app/following/letters.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { letter, type LetterContext, type Letters } from '#app/platform/mail/letter.ts';
import { queueMail, type MailText, type QueuedMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay, timeIn, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { openLogFolder } from '#app/transparency-log/log-folder.server.ts';
import { counted } from '#app/ui/counted.ts';
import { ownHref } from '#app/vehicles/list-query.ts';
import { isOf } from '#app/vehicles/own-vehicles.server.ts';
import { hasVerdict } from '#app/vehicles/verdict-sql.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';
import { dueKey } from './find-items.server.ts';
import { makeStopLink } from './letters.server.ts';
import { SIX } from './send-digests.server.ts';

/** A truck that is overdue for longer was sold, or goes to somebody else. The list has it. */
const OVERDUE_DAYS = 90;
/** So many are in a mail, the first due first. */
const LINES_IN_MAIL = 100;

export const WEEKLY_LETTERS: Letters = { 'weekly-due': weeklyDue };

type Weekly = Pick<Services, 'db' | 'config' | 'log' | 'now'>;

/** Returns how many mails it queued. Stops when `isLost`: another node holds the lease then. */
export async function sendWeeklyMails({ db, config, log, now }: Weekly, isLost: () => boolean): Promise<number> {
  if (timeIn(config.timeZone, now()) < SIX) return 0;
  // The database is not what was signed: what it says of a truck may be of another day, or missing.
  if ((await openLogFolder(config).readRefusal()) !== undefined) return 0;
  const today = todayIn(config.timeZone, now());
  const waiting = await db
    .selectFrom('technician')
    .leftJoin('weeklyMail', 'weeklyMail.personId', 'technician.personId')
    .select(['technician.personId', 'technician.email'])
    .where('technician.deletedAt', 'is', null)
    .where((eb) => eb.or([eb('isStopped', 'is', null), eb('isStopped', '=', false)]))
    .where((eb) => eb.or([eb('lookedOn', 'is', null), eb('lookedOn', '<', mondayOf(today))]))
    .orderBy('technician.personId')
    .execute();
  if (waiting.length === 0) return 0;
  const policy = await currentPolicy(db);
  let mails = 0;
  for (const technician of waiting) {
    if (isLost()) break;
    try {
      if (await lookFor(db, technician, { today, policy })) mails += 1;
    } catch (error) {
      // The others are looked for all the same, and this one next time.
      log.warn({ err: error }, 'looking for the due vehicles of a technician');
    }
  }
  return mails;
}

const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

async function lookFor(
  db: Db,
  { personId, email }: { personId: string; email: string },
  { today, policy }: { today: string; policy: VerdictPolicy },
): Promise<boolean> {
  const { rows } = await sql<{ rego: string; dueOn: string; total: number; key: string }>`
    select rego, next_calibration_due_on as due_on, count(*) over () as total, ${dueKey('vehicle', today)} as key
    from vehicle
    where deleted_at is null and ${isOf(personId)} and ${hasVerdict(['overdue', 'due-soon'], today, policy)}
      and next_calibration_due_on >= ${addDays(today, -OVERDUE_DAYS)}::date
    order by next_calibration_due_on, rego limit ${LINES_IN_MAIL}`.execute(db);
  return db.transaction().execute(async (tx) => {
    const { rows: looked } = await sql`
      insert into weekly_mail (person_id, looked_on) values (${personId}::uuid, ${today}::date)
      on conflict (person_id) do update set looked_on = excluded.looked_on
        where not weekly_mail.is_stopped
          and (weekly_mail.looked_on is null or weekly_mail.looked_on < ${mondayOf(today)}::date)
      returning person_id`.execute(tx);
    if (looked.length === 0 || rows.length === 0) return false;
    const lines = rows.map(
      ({ rego, dueOn }) => `${rego}: ${dueOn < today ? 'overdue since' : 'due on'} ${formatDay(dueOn)}`,
    );
    const total = String(rows[0]?.total ?? rows.length);
    const facts = { person: personId, lines: lines.join('\n'), total, asAt: formatDay(today) };
    // The digest does not tell them again.
    await sql`insert into told_item (person_id, topic, item, digest, told_at)
      select ${personId}::uuid, 'due', key, gen_random_uuid(), now() from unnest(${rows.map(({ key }) => key)}::text[]) key
      on conflict do nothing`.execute(tx);
    await queueMail(tx, { kind: 'weekly-due', recipient: email, facts });
    return true;
  });
}

async function weeklyDue({ config, now }: LetterContext, tx: Tx, { facts }: QueuedMail): Promise<MailText | null> {
  const { person = '', lines = '', total = '', asAt = '' } = facts;
  if (
    (await tx.selectFrom('weeklyMail').select('isStopped').where('personId', '=', person).executeTakeFirst())
      ?.isStopped !== false
  )
    return null;
  const origin = publicOrigin(config);
  const stop = `${origin}/follow/mine/${await makeStopLink(tx, person, { stops: 'weekly', madeAt: now() })}`;
  const shown = lines.split('\n');
  const more = Number(total) - shown.length;
  return letter(config.registryName, `${counted(Number(total), 'truck', 'trucks')} of yours due`, {
    parts: [
      `These trucks, which you have calibrated before, are due soon or overdue as at ${asAt}.`,
      { lines: more > 0 ? [...shown, `and ${more.toLocaleString('en-AU')} more`] : shown },
      'See all your trucks by their due date:',
      { link: `${origin}${ownHref(person)}` },
      'This mail comes once a week while trucks of yours are due. To stop it, here or in your settings:',
      { link: stop },
    ],
    headers: leaveHeaders(stop),
  });
}

/** Whether the person gets the mail. */
export async function hasWeeklyMail(db: Db, personId: string): Promise<boolean> {
  const found = await db
    .selectFrom('weeklyMail')
    .select('isStopped')
    .where('personId', '=', personId)
    .executeTakeFirst();
  return found?.isStopped !== true;
}

/** Idempotent. What waits in the outbox is not sent after a stop. */
export async function chooseWeeklyMail(db: Db, personId: string, choice: 'sent' | 'stopped'): Promise<void> {
  const isStopped = choice === 'stopped';
  await db
    .insertInto('weeklyMail')
    .values({ personId, isStopped })
    .onConflict((conflict) => conflict.column('personId').doUpdateSet({ isStopped }))
    .execute();
}
