// What becomes of reports with time: reporters are told after 30, 60 and 75 days, and what nobody confirmed is deleted.
import { sql } from 'kysely';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { ReportServices } from './add-step.server.ts';
import { CLOSED_AFTER_DAYS, CONFIRM_WITHIN_DAYS, TOLD_AFTER_DAYS } from './report.ts';

const DAY_MS = 86_400_000;

/** Each of those days once for each report: its mail is queued with the mark of it. */
export function keepReports({ db, config, now }: ReportServices): Promise<void> {
  const before = new Date(now().getTime() - CONFIRM_WITHIN_DAYS * DAY_MS);
  const today = todayIn(config.timeZone, now());
  return db.transaction().execute(async (tx) => {
    await sql`delete from wrong_report
      where opened_on is null and state in ('received', 'closed') and received_at < ${before}`.execute(tx);
    await sql`delete from wrong_report_link where email is not null and made_at < ${before}`.execute(tx);
    for (const days of TOLD_AFTER_DAYS) {
      const { rows } = await sql<{ id: string; email: string }>`update wrong_report set told_days = ${days}
        where state not in ('received', 'decided', 'closed') and told_days < ${days} and email is not null
          and (received_at at time zone ${config.timeZone})::date <= ${addDays(today, -days)}::date
        returning id, email`.execute(tx);
      for (const { id, email: recipient } of rows)
        await queueMail(tx, { kind: 'report-news', recipient, facts: { report: id, days: String(days) } });
    }
    await sql`update wrong_report set state = 'closed'
      where state = 'decided' and decided_on < ${addDays(today, -CLOSED_AFTER_DAYS)}::date`.execute(tx);
  });
}
