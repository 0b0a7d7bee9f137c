// Mails the technician that an admin decided about their visit. Only who still has access is told, and nobody about
// their own decision. The note for admins is not in the mail.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { reasonWords, type Decision, type DecisionReason } from './visit.ts';
import type { VisitRow } from './visit-queries.server.ts';

/** Queues the mail in the transaction of the decision. `dueOn`: the truck's due date after it. */
export async function mailTechnician(
  tx: Tx,
  who: Pick<SignedIn, 'personId'>,
  {
    visit,
    rego,
    decision,
    reason,
    dueOn,
  }: {
    visit: Pick<VisitRow, 'personId' | 'visitedOn'>;
    rego: string;
    decision: Decision;
    reason: DecisionReason | '';
    dueOn: string | null;
  },
): Promise<void> {
  if (visit.personId === null || visit.personId === who.personId) return;
  const { rows } = await sql<{ email: string }>`select email from person p
    where p.id = ${visit.personId}::uuid and p.email is not null and (
      exists (select from technician t where t.person_id = p.id and t.deleted_at is null)
      or exists (select from admin a where a.person_id = p.id and a.deleted_at is null))`.execute(tx);
  for (const { email: recipient } of rows)
    await queueMail(tx, {
      kind: 'visit-decided',
      recipient,
      facts: {
        rego,
        day: formatDay(visit.visitedOn),
        decision,
        reason: reasonWords(reason),
        due: dueOn === null ? '' : formatDay(dueOn),
      },
    });
}
