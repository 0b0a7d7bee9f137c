// Erases a person's data on request. Names and texts are erased, with the salts that open the public log's commitments
// to them. Calibrations, log entries and the tree stay as they are, so every proof still holds. The log says what was
// erased.
import { sql } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { ERASED_ENTRIES } from '#app/transparency-log/verify-activities.server.ts';
import { appendRedactions, erasePersonOpenings } from '#app/transparency-log/redact-person.server.ts';
import { findAccount } from '#app/access/queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { eraseReporter, eraseWordsInReports } from './erase-reporter.server.ts';
import { removedForNow } from './lock-person.server.ts';

/** The name shown in place of an erased one. */
export const ERASED_NAME = 'Erased person';

export type EraseAnswer =
  | { erased: true; entries: number }
  | { erased: false; reason: 'unknown' }
  /** They still have access: remove them first. */
  | { erased: false; reason: 'still-active' }
  /** Their removal may still be refused. */
  | { erased: false; reason: 'removal-open' }
  /** They applied again, and the application is undecided. */
  | { erased: false; reason: 'application-open' }
  | { erased: false; reason: 'erased-already' };

/** Erases the data of a person who was removed. `reason` is kept in the activity log. */
export function erasePerson(
  { db }: Pick<Services, 'db'>,
  who: SignedIn,
  { personId, reason }: { personId: string; reason: string },
): Promise<EraseAnswer> {
  return db.transaction().execute(async (tx) => {
    if (!isUuid(personId)) return { erased: false, reason: 'unknown' };
    const person = await tx
      .selectFrom('person')
      .select(['id', 'email'])
      .where('id', '=', personId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (person === undefined) return { erased: false, reason: 'unknown' };
    if ((await findAccount(tx, personId)) !== undefined) return { erased: false, reason: 'still-active' };
    if ((await removedForNow(tx, personId)) !== undefined) return { erased: false, reason: 'removal-open' };
    const applied = await tx
      .selectFrom('application')
      .select('id')
      .where('email', '=', person.email)
      .where('decision', 'is', null)
      .executeTakeFirst();
    if (applied !== undefined) return { erased: false, reason: 'application-open' };
    const open = await tx
      .selectFrom('actor')
      .select('id')
      .where('personId', '=', personId)
      .where('erasedAt', 'is', null)
      .execute();
    if (open.length === 0 && person.email === null) return { erased: false, reason: 'erased-already' };
    const actorId = await actorOf(tx, who);
    const redacted = await erasePersonOpenings(tx, personId);
    const words = await eraseWords(tx, personId);
    await eraseNames(tx, personId, person.email);
    await eraseTraces(tx, personId);
    await appendRedactions(tx, redacted);
    await appendActivity(tx, {
      kind: 'person.erased',
      actorId,
      subject: 'person',
      subjectId: personId,
      details: `Personal data erased: ${reason}`,
      ...(words.length === 0 ? {} : { changes: [{ field: ERASED_ENTRIES, from: null, to: words.join(' ') }] }),
      persons: [who.personId],
    });
    return { erased: true, entries: redacted.leaves.length };
  });
}

// Erases the texts of activities about them, and of those whose details begin with their address. Activities by them
// stay: those name them through the actor row only. Returns their numbers.
async function eraseWords(tx: Tx, personId: string): Promise<number[]> {
  const { rows } = await sql<{
    index: number;
  }>`update activity_detail d set action = '', details = '', changes = null, erased_at = now()
    from activity_log l where l.index = d.index and d.erased_at is null and (
      (l.subject = 'technician' and l.subject_id in (select id::text from technician where person_id = ${personId}))
      or (l.subject, l.subject_id) in (select role, id::text from staff where person_id = ${personId})
      or (l.subject = 'application' and l.subject_id in
        (select a.id::text from application a join person p on p.email = a.email where p.id = ${personId}))
      or activity_address(d.details) = (select email from person where id = ${personId}))
    returning d.index`.execute(tx);
  return rows.map(({ index }) => index).toSorted((a, b) => a - b);
}

async function eraseNames(tx: Tx, personId: string, email: string | null): Promise<void> {
  const erasedEmail = sql<string>`'erased-' || id || '@erased.invalid'`;
  const contact = { email: erasedEmail, address: '' };
  const company = { ...contact, companyName: '', abn: '', tradeLicenceNum: '', repContact: '' };
  const own = { gender: '', notes: '', bornOn: null, imageId: null, legacyUid: '' };
  await tx
    .updateTable('technician')
    .set({ ...company, ...own, repName: ERASED_NAME, licenceEndsOn: null })
    .where('personId', '=', personId)
    .execute();
  await tx
    .updateTable('suspension')
    .set({ reason: '' })
    .where('technicianId', 'in', tx.selectFrom('technician').select('id').where('personId', '=', personId))
    .execute();
  await tx
    .updateTable('checkVisit')
    .set({ note: '' })
    .where('note', '<>', '')
    .where('visitId', 'in', (eb) =>
      eb
        .selectFrom('visit')
        .innerJoin('actor', 'actor.id', 'visit.technicianId')
        .select('visit.id')
        .where('actor.personId', '=', personId),
    )
    .execute();
  await tx
    .updateTable('staff')
    .set({ ...contact, ...own, name: ERASED_NAME, phone: '', roleLabel: '', imageUrl: '' })
    .where('personId', '=', personId)
    .execute();
  // A person may have several actor rows, one for each name. Numbered names keep the rows distinct.
  await sql`update actor a set name = ${ERASED_NAME} || case when n.place = 1 then '' else ' ' || n.place end, email = '',
      erased_at = now()
    from (select id, row_number() over (order by id) as place from actor where person_id = ${personId}) n
    where a.id = n.id and a.erased_at is null`.execute(tx);
  await sql`update "user" set name = ${ERASED_NAME}, email = 'erased-' || id || '@erased.invalid', image = null
    where id = ${personId}`.execute(tx);
  if (email === null) return;
  await tx
    .updateTable('application')
    .set({ ...company, repName: '', decisionReason: '' })
    .where('email', '=', email)
    .execute();
  await tx.deleteFrom('follower').where('email', '=', email).execute();
  await eraseReporter(tx, sql`email = ${email}`);
  await tx.deleteFrom('keptList').where('personId', '=', personId).execute();
  for (const table of ['weeklyMailLink', 'weeklyMail', 'tellChoice', 'toldItem', 'digest'] as const)
    await tx.deleteFrom(table).where('personId', '=', personId).execute();
  // Queued mails to them and about them.
  await sql`delete from mail where recipient = ${email} or facts ->> 'email' = ${email}`.execute(tx);
  await tx.updateTable('person').set({ email: null }).where('id', '=', personId).execute();
}

// Erases data that no page shows: unmapped fields of the former database, stored form outcomes, temporary uploads. The
// import record itself stays, so that another import does not bring the person back.
async function eraseTraces(tx: Tx, personId: string): Promise<void> {
  await sql`update import_record set unplaced = null where target_id in (
    select id::text from technician where person_id = ${personId}
    union all select id::text from staff where person_id = ${personId})`.execute(tx);
  await tx
    .updateTable('patternStep')
    .set({ words: '' })
    .where('findingId', 'in', tx.selectFrom('patternFinding').select('id').where('personId', '=', personId))
    .execute();
  // That something was looked at stays, and what came of it.
  await sql`update pattern_finding set person_id = null, key = id::text, facts = '{}', visit_ids = '{}'
    where person_id = ${personId}`.execute(tx);
  await eraseWordsInReports(tx, personId);
  await tx.deleteFrom('formSubmission').where('personId', '=', personId).execute();
  await tx.deleteFrom('stagedUpload').where('personId', '=', personId).execute();
}
