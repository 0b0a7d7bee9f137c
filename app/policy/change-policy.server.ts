// An admin changes the policy: a new version, an entry in both logs, and a notification of every open page. A change
// that loosens the rules only becomes a proposal (decide-proposal.server.ts): else anybody who wants a visit to count
// could loosen them for a minute.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { hasOtherAdmin, noticeEnds } from '#app/people/two-people.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { proposalEvent } from '#app/transparency-log/policy-events.server.ts';
import { enterVersion, lockPolicy } from './enter-version.server.ts';
import { rulesIn, type PolicyInput } from './policy-entry.ts';
import { isLoosening, policyChanges } from './policy-fields.ts';
import type { Policy, PolicyRules } from './policy.ts';
import { columnsOf, currentPolicy, findProposal } from './queries.server.ts';

export type ChangePolicyAnswer =
  | { changed: true; version: number }
  /** It loosens the rules, and waits. */
  | { changed: false; proposed: true }
  /** `stale`: somebody changed it since the form was opened. `same`: the values are already in force. */
  | { changed: false; reason: 'stale' | 'same'; now: Policy }
  /** It loosens the rules, and another proposal is open. */
  | { changed: false; reason: 'proposal-open' };

export async function changePolicy(
  { db, now }: Pick<Services, 'db' | 'now'>,
  who: SignedIn,
  { input, key }: { input: PolicyInput; key: unknown },
): Promise<ChangePolicyAnswer> {
  return idempotent<ChangePolicyAnswer>(db, { who, kind: 'policy.changed', key, values: input }, async (tx) => {
    await lockPolicy(tx);
    const inForce = await currentPolicy(tx);
    if (inForce.version !== input.version) return { changed: false, reason: 'stale', now: inForce };
    const rules = rulesIn(input);
    if (policyChanges(inForce, rules).length === 0) return { changed: false, reason: 'same', now: inForce };
    if (isLoosening(inForce, rules)) {
      if ((await findProposal(tx)) !== undefined) return { changed: false, reason: 'proposal-open' };
      await propose(tx, who, { inForce, rules, reason: input.reason, now: now() });
      return { changed: false, proposed: true };
    }
    const actorId = await actorOf(tx, who);
    const details = input.reason === '' ? '' : `: ${input.reason}`;
    const version = await enterVersion(tx, inForce, {
      rules,
      reason: input.reason,
      changedBy: actorId,
      activity: { actorId, details, persons: [who.personId] },
    });
    return { changed: true, version };
  });
}

type Proposed = { inForce: Policy; rules: PolicyRules; reason: string; now: Date };

async function propose(tx: Tx, who: SignedIn, { inForce, rules, reason, now }: Proposed): Promise<void> {
  const actorId = await actorOf(tx, who);
  const isAlone = !(await hasOtherAdmin(tx, who.personId));
  const { version: baseVersion } = inForce;
  const { id } = await tx
    .insertInto('policyProposal')
    .values({
      ...columnsOf(rules),
      baseVersion,
      reason,
      proposedBy: actorId,
      proposedAt: now,
      takesEffectAt: isAlone ? noticeEnds(now) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await appendLeaves(tx, [proposalEvent('policy.proposed', id, { version: baseVersion, ...rules })]);
  const about = policyChanges(inForce, rules)
    .map(({ label, from, to }) => `${label}: ${to} instead of ${from}`)
    .join('; ');
  await mailAdmins(tx, { what: 'policy-proposed', about, by: who.name, path: '/settings/policy/proposal' });
  await appendActivity(tx, {
    kind: 'policy.proposed',
    actorId,
    subject: 'policy',
    subjectId: String(baseVersion),
    details: `Change of version ${baseVersion}${reason === '' ? '' : `: ${reason}`}`,
    changes: policyChanges(inForce, rules).map(({ field, from, to }) => ({ field, from, to })),
    persons: [who.personId],
  });
}
