// Erases what is kept of the senders of reports: their address, words, files and secret addresses. That there was a
// report, and what was decided, stays, as it stands in the public log.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';

/** `which`: a condition on `wrong_report`. Files without a reference are swept after a day. */
export async function eraseReporter(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  const reports = sql`select id from wrong_report where email is not null and ${which}`;
  const steps = sql`select id from wrong_report_step where by = 'reporter' and report_id in (${reports})`;
  await sql`delete from wrong_report_file where step_id in (${steps})`.execute(tx);
  await sql`update wrong_report_step set words = '', form_key = null where id in (${steps})`.execute(tx);
  await sql`delete from wrong_report_link where report_id in (${reports})
    or email in (select email from wrong_report where id in (${reports}))`.execute(tx);
  await sql`delete from mail where facts ->> 'report' in (select id::text from (${reports}) r)
    or kind = 'reports-mine' and recipient in (select email from wrong_report where id in (${reports}))`.execute(tx);
  await sql`update wrong_report set email = null where id in (${reports})`.execute(tx);
}

/**
 * All words and files of the reports about a person, which may say what they did, and their own in other reports. That
 * such a report was opened, and what was decided, stays.
 */
export async function eraseWordsInReports(tx: Tx, personId: string): Promise<void> {
  const steps = sql`select s.id from wrong_report_step s join wrong_report r on r.id = s.report_id
    left join actor a on a.id = s.actor_id where a.person_id = ${personId} or r.person_id = ${personId}`;
  await sql`delete from wrong_report_file where step_id in (${steps})`.execute(tx);
  await sql`update wrong_report_step set words = '' where id in (${steps})`.execute(tx);
  await sql`update wrong_report set person_id = null where person_id = ${personId}`.execute(tx);
}
