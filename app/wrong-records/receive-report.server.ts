// A report comes in: from anybody, without an account. Nothing of it is read by the office, or public, before its
// address is confirmed by the link that is mailed to it.
import { sql } from 'kysely';
import { displayName } from '#app/files/display-name.ts';
import type { ReceivedFile } from '#app/files/read-multipart.server.ts';
import { storeUpload } from '#app/files/store-upload.server.ts';
import { mailboxOf } from '#app/people/email-key.ts';
import { idempotencyKeyOf } from '#app/platform/database/idempotency-key.server.ts';
import { takeHit, type Hit, type Limit } from '#app/platform/database/rate-limit.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { ReportKind } from '#database/report-tables.ts';
import { insertStep, type ReportServices, type StoredAttachment } from './add-step.server.ts';
import { makeLink, type About } from './queries.server.ts';
import { DECIDE_WITHIN_DAYS, FILES_MAX } from './report.ts';

const HOUR_MS = 3_600_000;
export const PER_CLIENT: Limit = { max: 20, windowMs: HOUR_MS };
export const PER_ADDRESS: Limit = { max: 10, windowMs: HOUR_MS };

/** A try of a client to send something, and of an address to be written to. Refused alike, so neither is revealed. */
export async function takeTry({ db, config, now }: ReportServices, client: string, email?: string): Promise<Hit> {
  if (!config.rateLimits) return { allowed: true };
  const hit = await takeHit(db, ['wrong-report', client], { limit: PER_CLIENT, now: now() });
  if (!hit.allowed || email === undefined) return hit;
  return takeHit(db, ['wrong-report-address', mailboxOf(email)], { limit: PER_ADDRESS, now: now() });
}

/** The record that a form is about. `personId`: who recorded it, and is asked. */
export type Target = About & { personId: string | null };

/** `asked`: `vehicle`, of itself with its newest `visit`, or a `weighbridge`. Undefined: there is no such record. */
export async function findTarget({ db }: Pick<Services, 'db'>, asked: URLSearchParams): Promise<Target | undefined> {
  const id = (name: string) => sql`${isUuid(asked.get(name)) ? asked.get(name) : null}::uuid`;
  const newest = sql`(select id from visit where vehicle_id = v.id order by visited_at desc, id limit 1)`;
  const { rows } = await sql<Target>`
    select v.rego as name, t.visited_on, v.id as vehicle_id, t.id as visit_id, null as reference_id, a.person_id
    from vehicle v left join visit t on t.vehicle_id = v.id and t.id = ${asked.has('visit') ? id('visit') : newest}
      left join actor a on a.id = coalesce(t.technician_id, v.added_by)
    where v.rego = ${asked.get('vehicle') ?? ''} and v.deleted_at is null
    union all
    select name, null, null, null, id, null from reference where id = ${id('weighbridge')} limit 1`.execute(db);
  return rows[0];
}

/** Stores the files of a form, or says why one is refused. */
export async function storeAttachments(
  { db, files }: Pick<Services, 'db' | 'files'>,
  attached: readonly ReceivedFile[],
): Promise<StoredAttachment[] | string> {
  if (attached.length > FILES_MAX) return `At most ${FILES_MAX} files at once.`;
  const stored: StoredAttachment[] = [];
  for (const { name: uploaded, bytes } of attached) {
    const role = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-' ? 'certificate' : 'image';
    const upload = await storeUpload(db, files, { role, prefix: 'reports', bytes });
    const name = displayName(uploaded);
    if (!upload.stored) return `${name}: ${upload.reason}`;
    stored.push({ fileId: upload.fileId, name });
  }
  return stored;
}

const RECEIVING_LOCK = 5_823_191;
type Received = { input: { kind: ReportKind; words: string; email: string }; files: readonly StoredAttachment[] };

/** The token of the report's secret address. Sent twice, it is one report, with one more address. */
export function receiveReport(
  { db, config, now }: ReportServices,
  { vehicleId, visitId, referenceId, personId }: Target,
  { input: { kind, words, email }, files, key }: Received & { key: unknown },
): Promise<string> {
  const report = { vehicleId, visitId, referenceId, kind, email };
  const formKey = idempotencyKeyOf({ kind: 'report.received', key, values: { ...report, words } }) ?? null;
  const today = todayIn(config.timeZone, now());
  return db.transaction().execute(async (tx) => {
    // Of two that are sent at once with one key, the second finds the first.
    await sql`select pg_advisory_xact_lock(${RECEIVING_LOCK})`.execute(tx);
    const known = tx.selectFrom('wrongReportStep').select('reportId').where('formKey', '=', formKey);
    const sent = await known.executeTakeFirst();
    if (sent !== undefined) return makeLink(tx, { ...sent, byMail: false }, now());
    const since = sql<number>`(select size from activity_state)`;
    const year = Number(today.slice(0, 4));
    const dates = { year, since, receivedAt: now(), dueOn: addDays(today, DECIDE_WITHIN_DAYS) };
    const values = { ...report, ...dates, personId };
    const { id } = await tx.insertInto('wrongReport').values(values).returning('id').executeTakeFirstOrThrow();
    const step = { reportId: id, step: 'received', by: 'reporter', words, formKey, onDay: today, at: now() } as const;
    await insertStep(tx, step, files);
    await queueMail(tx, { kind: 'report-news', recipient: email, facts: { report: id, step: 'received' } });
    return makeLink(tx, { reportId: id, byMail: false }, now());
  });
}
