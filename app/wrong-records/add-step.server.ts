// One step of a report, by the reporter, the technician or an admin: in one transaction with the leaf, the activity and
// the mail that follow from it. Idempotent by the step's form key, as the reporter is no person with an account.
import { sql, type Insertable } from 'kysely';
import { findAccount } from '#app/access/queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotencyKeyOf } from '#app/platform/database/idempotency-key.server.ts';
import { queueMail } from '#app/platform/mail/mail.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { reportEvent } from '#app/transparency-log/events.server.ts';
import type { ReportDecision, ReportStep } from '#database/report-tables.ts';
import type { Tables } from '#database/tables.ts';
import { actsSince, findReport, mayAct, partsIn, stepsOf, type StoredReport } from './queries.server.ts';
import { actBehind, CLOSED_AFTER_DAYS, DECISIONS, numberWords, refusalOf, stateOf, type Refused } from './report.ts';

export type ReportServices = Pick<Services, 'db' | 'config' | 'now'>;
/** Who takes the step, or reads. The reporter is who has a secret address; only one that was mailed confirms. */
export type Reader = { as: 'reporter'; byMail: boolean } | { as: 'technician' | 'office'; who: SignedIn };
export type StoredAttachment = { fileId: string; name: string };
export type AskedStep = {
  step: Exclude<ReportStep, 'received'>;
  words: string;
  decision?: ReportDecision | undefined;
  files: readonly StoredAttachment[];
  key: unknown;
};
export type StepAnswer = { done: true } | { done: false; reason: Refused };

export function addStep(
  { db, config, now }: ReportServices,
  by: Reader,
  { id, step, words, decision, files, key }: AskedStep & { id: string },
): Promise<StepAnswer> {
  const values = { id, words, decision, names: files.map(({ name }) => name) };
  const formKey = idempotencyKeyOf({ kind: `report.${step}`, key, values }) ?? null;
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('wrongReport').select('id').where('id', '=', id).forUpdate().execute();
    const report = await findReport(tx, id);
    if (report === undefined) return { done: false, reason: 'unknown' };
    const steps = await stepsOf(tx, id);
    if (formKey !== null && steps.some((one) => one.formKey === formKey)) return { done: true };
    const today = todayIn(config.timeZone, now());
    const { isAlone, ...standing } = await standingOf(tx, by, { report, step });
    const reason = standing.reason ?? refusalOf(steps, { step, by: by.as, today });
    if (reason !== undefined) return { done: false, reason };
    const chosen = DECISIONS.find(({ value }) => value === decision);
    const act = chosen && actBehind(chosen, await actsSince(tx, report));
    if (chosen !== undefined && chosen.acts.length > 0 && act === undefined) return { done: false, reason: 'no-act' };
    const taken = step === 'asked' && !(await canAnswer(tx, report)) ? 'opened' : step;
    const actorId = by.as === 'reporter' ? null : await actorOf(tx, by.who);
    const row = { reportId: id, step: taken, by: by.as, actorId, words, isAlone, formKey };
    await insertStep(tx, { ...row, actIndex: act?.index ?? null, onDay: today, at: now() }, files);
    const state = stateOf([...steps, { step: taken, onDay: today }], today);
    await tx.updateTable('wrongReport').set({ state }).where('id', '=', id).execute();
    await enter(tx, report, { step: taken, today, decision: decision ?? 'taken-back' });
    await note(tx, report, { step: taken, actorId, by });
    if (by.as === 'office' && report.email !== null && taken !== 'spam')
      await queueMail(tx, { kind: 'report-news', recipient: report.email, facts: { report: id, step: taken } });
    return { done: true };
  });
}

// The technician who is asked, and an admin without a part; where no admin is without one, also who had one.
async function standingOf(
  tx: Tx,
  by: Reader,
  { report, step }: { report: StoredReport; step: ReportStep },
): Promise<{ reason?: Refused; isAlone: boolean }> {
  if (by.as === 'office') {
    const { may, isAlone } = await mayAct(tx, by.who.personId, await partsIn(tx, report));
    return { isAlone, ...(may ? {} : { reason: 'not-yours' }) };
  }
  const isOwn = by.as === 'reporter' ? by.byMail || step !== 'confirmed' : report.personId === by.who.personId;
  return { isAlone: false, ...(isOwn ? {} : { reason: 'unknown' }) };
}

const canAnswer = async (tx: Tx, { personId }: StoredReport): Promise<boolean> =>
  personId !== null && (await findAccount(tx, personId)) !== undefined;

export async function insertStep(
  tx: Tx,
  step: Insertable<Tables['wrongReportStep']>,
  files: readonly StoredAttachment[],
): Promise<void> {
  const { id } = await tx.insertInto('wrongReportStep').values(step).returning('id').executeTakeFirstOrThrow();
  const rows = files.map((file) => ({ ...file, stepId: id }));
  if (rows.length > 0) await tx.insertInto('wrongReportFile').values(rows).execute();
}

// What is public of it, with the leaf: that a report is open, and what was decided.
async function enter(
  tx: Tx,
  report: StoredReport,
  { step, today, decision }: { step: ReportStep; today: string; decision: ReportDecision | 'taken-back' },
): Promise<void> {
  const of = tx.updateTable('wrongReport').where('id', '=', report.id);
  const again = addDays(today, CLOSED_AFTER_DAYS);
  if (step === 'second-look' && again > report.dueOn) await of.set({ dueOn: again }).execute();
  const isOpening = report.openedOn === null && (step === 'opened' || step === 'asked');
  const isEnd = step === 'decided' || (step === 'taken-back' && report.openedOn !== null);
  if (!isOpening && !isEnd) return;
  await of.set(isOpening ? { openedOn: today } : { decision, decidedOn: today }).execute();
  const said = { vehicle: await truckOf(tx, report), day: today, ...(isOpening ? {} : { decision }) };
  const leaf = reportEvent(isOpening ? 'report.opened' : 'report.decided', report, said);
  await of.set({ leafIndex: await appendLeaves(tx, [leaf]) }).execute();
}

const truckOf = (tx: Tx, { vehicleId }: StoredReport): Promise<{ id: string; rego: string } | undefined> => {
  const live = sql<string>`joined_truck(${vehicleId}::uuid)`;
  return tx.selectFrom('vehicle').select(['id', 'rego']).where('id', '=', live).executeTakeFirst();
};

// Its number, and nothing of who sent it. The record's page reloads where it says that a report is open.
async function note(
  tx: Tx,
  report: StoredReport,
  { step, actorId, by }: { step: AskedStep['step']; actorId: number | null; by: Reader },
): Promise<void> {
  const isPublic = report.openedOn !== null || step === 'opened' || step === 'asked';
  const truck = isPublic ? await truckOf(tx, report) : undefined;
  await appendActivity(tx, {
    kind: `report.${step}`,
    actorId,
    subject: 'report',
    subjectId: report.id,
    details: numberWords(report),
    ...(truck === undefined ? {} : { rego: truck.rego }),
    persons: [by.as === 'reporter' ? null : by.who.personId, report.personId].filter((one) => one !== null),
  });
}
