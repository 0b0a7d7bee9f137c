// What becomes of a proposed loosening of the policy. A second admin confirms it; any admin withdraws it; and if it was
// proposed while there was no second one, it takes effect by itself after its public notice, unless one has come since.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { addedWords } from '#app/people/newcomer.ts';
import { hasOtherAdmin, noticeEnds, secondPerson } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { proposalEvent } from '#app/transparency-log/policy-events.server.ts';
import { enterVersion, lockPolicy } from './enter-version.server.ts';
import type { Policy } from './policy.ts';
import { currentPolicy, findProposal, type Proposal } from './queries.server.ts';

/** `gone`: it has ended, or another version came into force, so it can no longer take effect. */
type Gone = { reason: 'gone' };
/**
 * `own`: the person proposed it. `too-new`: somebody who has been an admin for 90 days could confirm it. `notice`:
 * nobody has been, and its public notice has not ended: a second account made for it must not be quicker than waiting
 * alone.
 */
export type ConfirmAnswer =
  | { confirmed: true; version: number }
  | ({ confirmed: false } & (Gone | { reason: 'own' | 'too-new' | 'notice' }));
export type WithdrawAnswer = { withdrawn: true } | ({ withdrawn: false } & Gone);

type Deciding = Pick<Services, 'db' | 'now'>;

/** Lets the proposal take effect at once. Never by its proposer, in whatever session. */
export function confirmProposal(
  { db, now }: Deciding,
  who: SignedIn,
  { id, key }: { id: string; key: unknown },
): Promise<ConfirmAnswer> {
  return idempotent<ConfirmAnswer>(db, { who, kind: 'policy.confirmed', key, values: { id } }, async (tx) => {
    await lockPolicy(tx);
    const inForce = await currentPolicy(tx);
    const proposal = await findProposal(tx);
    if (proposal?.id !== id) return { confirmed: false, reason: 'gone' };
    if (await isDue(tx, proposal, now()))
      return { confirmed: true, version: await takeEffect(tx, inForce, { proposal, now: now() }) };
    if (isOwnProposal(proposal, who)) return { confirmed: false, reason: 'own' };
    const second = await secondPerson(tx, who.personId, { parts: [proposal.personId], now: now() });
    if (!second.may) return { confirmed: false, reason: second.reason };
    const { addedDays } = second;
    if (addedDays !== null && now() < noticeEnds(proposal.proposedAt)) return { confirmed: false, reason: 'notice' };
    const actorId = await actorOf(tx, who);
    const by = addedDays === null ? '' : ` by an administrator ${addedWords(addedDays)}`;
    await endProposal(tx, proposal, { outcome: 'confirmed', endedAt: now(), endedBy: actorId });
    await mailAdminsOf(tx, proposal, `${who.name}${by === '' ? '' : `, ${addedWords(addedDays ?? 0)}`}`);
    const version = await enterVersion(tx, inForce, {
      rules: proposal.rules,
      reason: proposal.reason,
      changedBy: actorId,
      activity: {
        actorId,
        details: ` confirmed${by}, as ${proposal.by} proposed${withReason(proposal)}`,
        persons: [who.personId, proposal.personId],
      },
      proposal: id,
    });
    return { confirmed: true, version };
  });
}

/** Any admin withdraws a proposal, their own too. */
export function withdrawProposal(
  { db, now }: Deciding,
  who: SignedIn,
  { id, key }: { id: string; key: unknown },
): Promise<WithdrawAnswer> {
  return idempotent<WithdrawAnswer>(db, { who, kind: 'policy.withdrawn', key, values: { id } }, async (tx) => {
    await lockPolicy(tx);
    const proposal = await findProposal(tx);
    if (proposal?.id !== id) return { withdrawn: false, reason: 'gone' };
    const { baseVersion, rules } = proposal;
    const actorId = await actorOf(tx, who);
    await endProposal(tx, proposal, { outcome: 'withdrawn', endedAt: now(), endedBy: actorId });
    await appendLeaves(tx, [proposalEvent('policy.withdrawn', id, { version: baseVersion, ...rules })]);
    await appendActivity(tx, {
      kind: 'policy.withdrawn',
      actorId,
      subject: 'policy',
      subjectId: String(baseVersion),
      details: `Change of version ${baseVersion} that ${proposal.by} proposed${withReason(proposal)}`,
      persons: [who.personId, proposal.personId],
    });
    return { withdrawn: true };
  });
}

/** Lets a proposal take effect whose notice has ended. Returns the new version's number, or undefined. */
export async function enterDueProposal({ db, now }: Deciding): Promise<number | undefined> {
  // Without a lock, as there is hardly ever one.
  const open = await findProposal(db);
  if (open === undefined || !(await isDue(db, open, now()))) return undefined;
  return db.transaction().execute(async (tx) => {
    await lockPolicy(tx);
    const inForce = await currentPolicy(tx);
    const proposal = await findProposal(tx);
    if (proposal === undefined || !(await isDue(tx, proposal, now()))) return undefined;
    return takeEffect(tx, inForce, { proposal, now: now() });
  });
}

// An admin who came since the proposal can confirm it, so it waits for that.
const isDue = async (db: Db | Tx, { takesEffectAt, personId }: Proposal, now: Date): Promise<boolean> =>
  takesEffectAt !== null && takesEffectAt <= now && !(await hasOtherAdmin(db, personId));

async function takeEffect(
  tx: Tx,
  inForce: Policy,
  { proposal, now }: { proposal: Proposal; now: Date },
): Promise<number> {
  const { id, rules, reason, proposedBy, personId } = proposal;
  await endProposal(tx, proposal, { outcome: 'took-effect', endedAt: now, endedBy: null });
  await mailAdminsOf(tx, proposal, 'The end of the public notice');
  return enterVersion(tx, inForce, {
    rules,
    reason,
    changedBy: proposedBy,
    activity: {
      actorId: null,
      details: `, as ${proposal.by} proposed, after its notice${withReason(proposal)}`,
      persons: [personId],
    },
    proposal: id,
  });
}

const mailAdminsOf = (tx: Tx, { baseVersion, by }: Proposal, who: string) =>
  mailAdmins(tx, {
    what: 'policy-confirmed',
    about: `version ${baseVersion + 1}, as ${by} proposed`,
    by: who,
    path: '/settings',
  });

/** Whether `who` proposed it, under whatever name and in whatever session. */
export const isOwnProposal = ({ personId, email }: Proposal, who: SignedIn): boolean =>
  personId === who.personId || (email !== '' && email === who.email);

type End = { outcome: 'confirmed' | 'took-effect' | 'withdrawn'; endedAt: Date; endedBy: number | null };

const endProposal = (tx: Tx, { id }: Proposal, end: End) =>
  tx.updateTable('policyProposal').set(end).where('id', '=', id).execute();

const withReason = ({ reason }: Proposal): string => (reason === '' ? '' : `: ${reason}`);
