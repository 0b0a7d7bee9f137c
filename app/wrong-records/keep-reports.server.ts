// What becomes of reports with time: reporters are told after 30, 60 and 75 days, and what nobody confirmed is deleted.
import { sql } from 'kysely';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { ReportServices } from './add-step.server.ts';
import { eraseReporter } from '#app/people/erase-reporter.server.ts';
import { CLOSED_AFTER_DAYS, CONFIRM_WITHIN_DAYS, KEPT_AFTER_DAYS, TOLD_AFTER_DAYS } from './report.ts';

const DAY_MS = 86_400_000;

/** Each day once for each report: its mail is queued with the mark of it. */
export function keepReports({ db, config, now }: ReportServices): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const before = new Date(now().getTime() - CONFIRM_WITHIN_DAYS * DAY_MS);
    await tx
      .deleteFrom('wrongReport')
      .where('openedOn', 'is', null)
      .where('state', 'in', ['received', 'closed'])
      .where('receivedAt', '<', before)
      .execute();
    await sql`delete from wrong_report_link where email is not null and made_at < ${before}`.execute(tx);
    const today = todayIn(config.timeZone, now());
    for (const days of TOLD_AFTER_DAYS) {
      const told = await tx
        .updateTable('wrongReport')
        .set({ toldDays: days })
        .where('state', 'not in', ['received', 'decided', 'closed'])
        .where('toldDays', '<', days)
        .where(sql<string>`(received_at at time zone ${config.timeZone})::date`, '<=', addDays(today, -days))
        .returning(['id', 'email'])
        .execute();
      for (const { id, email } of told)
        if (email !== null)
          await queueMail(tx, { kind: 'report-news', recipient: email, facts: { report: id, days: String(days) } });
    }
    await tx
      .updateTable('wrongReport')
      .set({ state: 'closed' })
      .where('state', '=', 'decided')
      .where('decidedOn', '<', addDays(today, -CLOSED_AFTER_DAYS))
      .execute();
    await eraseReporter(tx, sql`state = 'closed' and decided_on < ${addDays(today, -KEPT_AFTER_DAYS)}::date`);
  });
}
