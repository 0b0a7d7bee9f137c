// What is done about a finding. An admin opens it, asks the technician, and decides; the technician answers. Never an
// admin who is concerned, while another admin could decide.
import { sql, type Selectable } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { findAccount } from '#app/access/queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { hasAdmitted } from '#app/visits/may-decide.server.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { daysBetween, todayIn } from '#app/platform/time/calendar.ts';
import type { FindingState, FindingStep } from '#database/pattern-tables.ts';
import type { Tables } from '#database/tables.ts';
import { mayAct, outcomeOf, type Concerned, type Outcome } from './finding.ts';
import { patternName } from './present-finding.ts';

type Acting = Pick<Services, 'db' | 'now'> & { zone: string };
type Gone = { reason: 'unknown' | 'stale' };

export type StoredFinding = Selectable<Tables['patternFinding']>;
type Row = Pick<StoredFinding, 'id' | 'pattern' | 'personId' | 'visitIds' | 'state'>;

export type StepAnswer =
  | { done: true }
  | ({ done: false } & (Gone | { reason: Concerned | 'not-asked' | 'no-access' }));

/** Notes that an admin looked, once a day: who looks at whom is known. */
export async function noteOpened({ db, now, zone }: Acting, who: SignedIn, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actorId = await actorOf(tx, who);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('patternStep')
      .values({ findingId: id, step: 'opened', actorId, onDay: todayIn(zone, now()), at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return;
    const finding = await tx.selectFrom('patternFinding').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await note(tx, 'pattern.opened', { ...finding, actorId, persons: [who.personId] });
  });
}

/** Asks the technician for an answer, on their page; the digest tells them (digest/). */
export function askTechnician(
  acting: Acting,
  who: SignedIn,
  { id, key }: { id: string; key: unknown },
): Promise<StepAnswer> {
  return step(acting, { who, kind: 'pattern.asked', id, key, values: {} }, async (tx, finding) => {
    if (finding.state !== 'open') return { done: false, reason: 'stale' };
    const concerned = await whyConcerned(tx, who, { ...finding, now: acting.now() });
    if (concerned !== undefined) return { done: false, reason: concerned };
    const account = finding.personId === null ? undefined : await findAccount(tx, finding.personId);
    if (account === undefined || finding.personId === null) return { done: false, reason: 'no-access' };
    return { step: 'asked', state: 'asked', outcome: '', words: '' };
  });
}

/** The technician's answer. A second one is added to the first. */
export function answerFinding(
  acting: Acting,
  who: SignedIn,
  { id, words, key }: { id: string; words: string; key: unknown },
): Promise<StepAnswer> {
  return step(acting, { who, kind: 'pattern.answered', id, key, values: { words } }, async (_tx, finding) => {
    if (finding.personId !== who.personId || finding.state === 'open') return { done: false, reason: 'unknown' };
    if (finding.state === 'decided') return { done: false, reason: 'stale' };
    return { step: 'answered', state: 'asked', outcome: '', words };
  });
}

export type FindingDecision = { outcome: Outcome; words: string; openedState: string };

/** What comes of it. What acts is done by its own form; here it is decided. `words`: for admins and the technician. */
export function decideFinding(
  acting: Acting,
  who: SignedIn,
  { id, outcome, words, openedState, key }: { id: string; key: unknown } & FindingDecision,
): Promise<StepAnswer> {
  const values = { outcome, words, openedState };
  return step(acting, { who, kind: 'pattern.decided', id, key, values }, async (tx, finding) => {
    if (finding.state === 'decided' || finding.state !== openedState) return { done: false, reason: 'stale' };
    const concerned = await whyConcerned(tx, who, { ...finding, now: acting.now() });
    if (concerned !== undefined) return { done: false, reason: concerned };
    if (outcomeOf(outcome)?.acts === true && !mayAct(await askedSoFar(tx, finding, acting)))
      return { done: false, reason: 'not-asked' };
    return { step: 'decided', state: 'decided', outcome, words };
  });
}

type Written = { step: FindingStep; state: FindingState; outcome: string; words: string };

function step(
  { db, now, zone }: Acting,
  {
    who,
    kind,
    id,
    key,
    values,
  }: { who: SignedIn; kind: ActivityKind & `pattern.${string}`; id: string; key: unknown; values: object },
  write: (tx: Tx, finding: Row) => Promise<Written | (StepAnswer & { done: false })>,
): Promise<StepAnswer> {
  return idempotent<StepAnswer>(db, { who, kind, key, values: { id, ...values } }, async (tx) => {
    const finding = await lockFinding(tx, id);
    if (finding === undefined) return { done: false, reason: 'unknown' };
    const written = await write(tx, finding);
    if ('done' in written) return written;
    const { state, ...row } = written;
    const actorId = await actorOf(tx, who);
    const isAlone = row.step === 'decided' && !(await hasOtherAdmin(tx, who.personId));
    await tx
      .insertInto('patternStep')
      .values({ findingId: id, ...row, isAlone, actorId, onDay: todayIn(zone, now()), at: now() })
      .execute();
    await tx.updateTable('patternFinding').set({ state, outcome: row.outcome }).where('id', '=', id).execute();
    const persons = [who.personId, ...(finding.personId === null ? [] : [finding.personId])];
    await note(tx, kind, { ...finding, actorId, persons, outcome: row.outcome });
    return { done: true };
  });
}

async function lockFinding(tx: Tx, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined;
  return tx
    .selectFrom('patternFinding')
    .select(['id', 'pattern', 'personId', 'visitIds', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

// Without a name: who is meant stands behind the finding, for admins.
async function note(
  tx: Tx,
  kind: ActivityKind,
  {
    id,
    pattern,
    actorId,
    persons,
    outcome = '',
  }: { actorId: number; persons: readonly string[]; outcome?: string } & Pick<Row, 'id' | 'pattern'>,
): Promise<void> {
  const words = outcomeOf(outcome)?.words;
  const name = patternName(pattern);
  const details = words === undefined ? name : `${name}: ${words}`;
  await appendActivity(tx, { kind, actorId, subject: 'pattern', subjectId: id, details, persons });
}

/** Since when an answer is waited for, in days; null: the technician can no longer be asked. */
export async function askedSoFar(
  db: Db | Tx,
  { id, personId }: Pick<Row, 'id' | 'personId'>,
  { now, zone }: Pick<Acting, 'now' | 'zone'>,
): Promise<{ askedDays: number | null | undefined; isAnswered: boolean }> {
  const steps = await db
    .selectFrom('patternStep')
    .select(['step', 'onDay'])
    .where('findingId', '=', id)
    .where('step', 'in', ['asked', 'answered'])
    .execute();
  const isAnswered = steps.some((one) => one.step === 'answered');
  const asked = steps.find((one) => one.step === 'asked');
  if (asked !== undefined) return { askedDays: daysBetween(asked.onDay, todayIn(zone, now())), isAnswered };
  const canBeAsked = personId !== null && (await findAccount(db, personId)) !== undefined;
  return { askedDays: canBeAsked ? undefined : null, isAnswered };
}

/** Why `who` may not decide about the finding while another admin could; undefined if they may. */
export async function whyConcerned(
  db: Db | Tx,
  who: Pick<SignedIn, 'personId'>,
  { personId, visitIds, now }: { now: Date } & Pick<Row, 'personId' | 'visitIds'>,
): Promise<Concerned | undefined> {
  if (!(await hasOtherAdmin(db, who.personId))) return undefined;
  if (personId === who.personId) return 'own-visits';
  const { rows } = await sql<{ recorded: boolean; accepted: boolean }>`select
    exists (select from calibration c join actor a on a.id = c.technician_id join visit v on v.id = c.visit_id
      where c.vehicle_id = v.vehicle_id and v.id = any(${visitIds}::uuid[]) and c.visit_id = any(${visitIds}::uuid[])
        and a.person_id = ${who.personId})
    or exists (select from calibration_set s join actor a on a.id = s.captured_by
      where s.id = any(${visitIds}::uuid[]) and a.person_id = ${who.personId}) as recorded,
    exists (select from visit_decision d join actor a on a.id = d.decided_by
      where d.visit_id = any(${visitIds}::uuid[]) and d.decision = 'accepted' and a.person_id = ${who.personId}) as accepted`.execute(
    db,
  );
  if (rows[0]?.recorded === true) return 'own-visits';
  if (rows[0]?.accepted === true) return 'accepted-by-you';
  return (await hasAdmitted(db, who, { technician: personId, now })) ? 'admitted-by-you' : undefined;
}
