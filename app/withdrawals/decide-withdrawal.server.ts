// Withdraws a weighbridge from a day to a day, and lifts that again: an admin proposes, a second one confirms
// (people/two-people). With a single admin a withdrawal takes effect at once, and says so. A lift waits seven days in
// public where no admin of 90 days can confirm it. The leader then applies it to the visits
// (apply-withdrawals.server.ts).
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { hasOtherAdmin, noticeEnds, secondPerson } from '#app/people/two-people.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { lockReference, type Reference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import {
  spanWords,
  withdrawalState,
  type Span,
  type WithdrawalReason,
  type WithdrawalState,
} from '#app/references/withdrawal.ts';
import { lockWithdrawal, type Withdrawal } from '#app/references/withdrawal-queries.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { withdrawalEvent, type WithdrawalStep } from '#app/transparency-log/reference-events.server.ts';

/** `note`: for admins. */
export type WithdrawalProposal = Span & { reason: WithdrawalReason; note: string };

export type ProposeAnswer =
  | { proposed: true; id: string; isInForce: boolean }
  | { proposed: false; reason: 'unknown' }
  /** Another proposal about the weighbridge is open. */
  | { proposed: false; reason: 'proposed-already'; id: string };

type Deciding = Pick<Services, 'db' | 'now'>;

/** Proposes to withdraw the weighbridge; with a single admin it is withdrawn. */
export function proposeWithdrawal(
  { db, now }: Deciding,
  who: SignedIn,
  { referenceId, fromOn, toOn, reason, note, key }: { referenceId: string; key: unknown } & WithdrawalProposal,
): Promise<ProposeAnswer> {
  const values = { referenceId, fromOn, toOn, reason, note };
  return idempotent<ProposeAnswer>(db, { who, kind: 'withdrawal.proposed', key, values }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const reference = await lockReference(tx, referenceId);
    if (reference === undefined) return { proposed: false, reason: 'unknown' };
    const open = await tx
      .selectFrom('referenceWithdrawal')
      .select('id')
      .where('referenceId', '=', referenceId)
      .where('confirmedAt', 'is', null)
      .where('droppedAt', 'is', null)
      .executeTakeFirst();
    if (open !== undefined) return { proposed: false, reason: 'proposed-already', id: open.id };
    const isAlone = !(await hasOtherAdmin(tx, who.personId));
    const at = now();
    const withdrawal = await tx
      .insertInto('referenceWithdrawal')
      .values({
        ...values,
        proposedBy: actorId,
        proposedAt: at,
        ...(isAlone ? { confirmedBy: actorId, confirmedAt: at, isAlone } : {}),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const step = isAlone ? 'withdrawal.confirmed' : 'withdrawal.proposed';
    await logStep(tx, who, { actorId, step, reference, withdrawal });
    return { proposed: true, id: withdrawal.id, isInForce: isAlone };
  });
}

/** What an admin decides of a withdrawal, and in which state it must be. */
export const WITHDRAWAL_DECISIONS = {
  confirm: 'proposed',
  drop: 'proposed',
  'propose-lift': 'in force',
  'confirm-lift': 'lift proposed',
  'drop-lift': 'lift proposed',
} as const satisfies Record<string, WithdrawalState>;
export type WithdrawalDecision = keyof typeof WITHDRAWAL_DECISIONS;

export type DecideWithdrawalAnswer =
  | { decided: true; isAlone: boolean }
  /**
   * `own`: the person proposed it, and another admin can confirm. `too-new`: one of 90 days can. `notice`: the lift
   * waits for the end of its seven days.
   */
  | { decided: false; reason: 'unknown' | 'own' | 'too-new' | 'notice' }
  | { decided: false; reason: 'stale'; state: WithdrawalState };

/** `isAlone`: it took effect, and no other admin could have looked. */
export function decideWithdrawal(
  { db, now }: Deciding,
  who: SignedIn,
  { id, decision, key }: { id: string; decision: WithdrawalDecision; key: unknown },
): Promise<DecideWithdrawalAnswer> {
  const on = { kind: 'withdrawal.decided', key, values: { id, decision } } as const;
  return idempotent<DecideWithdrawalAnswer>(db, { who, ...on }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const withdrawal = await lockWithdrawal(tx, id);
    // Then the weighbridge: anybody who records a visit there has committed, or will see the decision.
    const reference = withdrawal === undefined ? undefined : await lockReference(tx, withdrawal.referenceId);
    if (withdrawal === undefined || reference === undefined) return { decided: false, reason: 'unknown' };
    const state = withdrawalState(withdrawal);
    if (WITHDRAWAL_DECISIONS[decision] !== state) return { decided: false, reason: 'stale', state };
    const at = now();
    const isConfirming = decision === 'confirm' || decision === 'confirm-lift';
    const proposer = decision === 'confirm' ? withdrawal.proposedBy : withdrawal.liftProposedBy;
    const second = await secondPerson(tx, who.personId, { parts: [await personOf(tx, proposer)], now: at });
    if (isConfirming && !second.may) return { decided: false, reason: second.reason };
    const isAlone = second.may && second.isAlone;
    const waitsNotice = isAlone || (second.may && second.addedDays !== null);
    if (decision === 'confirm-lift' && waitsNotice && at < noticeEnds(withdrawal.liftProposedAt ?? at))
      return { decided: false, reason: 'notice' };
    const { columns, step } = effectOf(decision, { at, actorId, isAlone });
    await tx.updateTable('referenceWithdrawal').set(columns).where('id', '=', id).execute();
    await logStep(tx, who, { actorId, step, reference, withdrawal });
    return { decided: true, isAlone: isAlone && step.endsWith('.confirmed') };
  });
}

type Effect = { columns: Partial<Omit<Withdrawal, 'id'>>; step: WithdrawalStep };

function effectOf(
  decision: WithdrawalDecision,
  { at, actorId, isAlone }: { at: Date; actorId: number; isAlone: boolean },
): Effect {
  // The lift goes through the visits from the beginning.
  const lifted = { liftedBy: actorId, liftedAt: at, isLiftAlone: isAlone, appliedOn: null, appliedThrough: null };
  const proposed = { liftProposedBy: actorId, liftProposedAt: at };
  switch (decision) {
    case 'confirm':
      return { columns: { confirmedBy: actorId, confirmedAt: at, isAlone }, step: 'withdrawal.confirmed' };
    case 'drop':
      return { columns: { droppedBy: actorId, droppedAt: at }, step: 'withdrawal.dropped' };
    case 'propose-lift':
      return { columns: proposed, step: 'lift.proposed' };
    case 'confirm-lift':
      return { columns: lifted, step: 'lift.confirmed' };
    case 'drop-lift':
      return { columns: { liftProposedBy: null, liftProposedAt: null }, step: 'lift.dropped' };
  }
}

/** Lifts what a single admin proposed to lift seven days ago. Where another one has come since, it waits for them. */
export async function liftDue({ db, now }: Deciding): Promise<void> {
  const open = await db
    .selectFrom('referenceWithdrawal')
    .select('id')
    .where('liftProposedAt', 'is not', null)
    .where('liftedAt', 'is', null)
    .execute();
  for (const { id } of open)
    await db.transaction().execute(async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id);
      const { liftProposedAt, liftProposedBy } = withdrawal ?? { liftProposedAt: null, liftProposedBy: null };
      if (withdrawal === undefined || liftProposedAt === null || liftProposedBy === null) return;
      const isOver = withdrawal.liftedAt === null && noticeEnds(liftProposedAt) <= now();
      const proposer = await personOf(tx, liftProposedBy);
      if (!isOver || proposer === null || (await hasOtherAdmin(tx, proposer))) return;
      const reference = await lockReference(tx, withdrawal.referenceId);
      if (reference === undefined) return;
      const { columns } = effectOf('confirm-lift', { at: now(), actorId: liftProposedBy, isAlone: true });
      await tx.updateTable('referenceWithdrawal').set(columns).where('id', '=', id).execute();
      await logStep(tx, null, { actorId: null, step: 'lift.confirmed', reference, withdrawal });
    });
}

async function personOf(tx: Tx, actorId: number | null): Promise<string | null> {
  if (actorId === null) return null;
  const actor = await tx.selectFrom('actor').select('personId').where('id', '=', actorId).executeTakeFirst();
  return actor?.personId ?? null;
}

async function logStep(
  tx: Tx,
  who: SignedIn | null,
  {
    actorId,
    step,
    reference,
    withdrawal,
  }: { actorId: number | null; step: WithdrawalStep; reference: Reference; withdrawal: Withdrawal },
): Promise<void> {
  const about = `${referenceLine(reference)}: ${spanWords(withdrawal)}, ${withdrawal.reason}`;
  await appendLeaves(tx, [withdrawalEvent(step, reference, withdrawal)]);
  await appendActivity(tx, {
    kind: step,
    actorId,
    subject: 'reference',
    subjectId: reference.id,
    details: about,
    persons: who === null ? [] : [who.personId],
  });
  if (step === 'withdrawal.dropped' || step === 'lift.dropped') return;
  const by = who?.name ?? 'The end of the public notice';
  await mailAdmins(tx, { what: TOLD[step], about, by, path: `/references/recalls/${withdrawal.id}` });
}

const TOLD = {
  'withdrawal.proposed': 'withdrawal-proposed',
  'withdrawal.confirmed': 'withdrawal-confirmed',
  'lift.proposed': 'lift-proposed',
  'lift.confirmed': 'lift-confirmed',
} as const;
