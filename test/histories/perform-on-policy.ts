// One operation on the policy, carried out by the product's own functions.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { confirmProposal, withdrawProposal } from '#app/policy/decide-proposal.server.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import { policyInput } from '#test/policy.ts';
import type { PolicyOperation } from './operation.ts';
import type { Answer } from './perform.ts';

export async function onPolicy(services: Services, who: SignedIn, operation: PolicyOperation): Promise<Answer> {
  const { db } = services;
  switch (operation.do) {
    case 'open rules': {
      const { policy, proposal } = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => ({ policy: await currentPolicy(tx), proposal: await findProposal(tx) }));
      const { version, everyVisitWaits, checks } = policy;
      const outcome = { version, everyVisitWaits, plausible: checks.plausible, proposal: proposal?.reason ?? null };
      return { outcome: { state: 'live', ...outcome }, ...(proposal === undefined ? {} : { id: proposal.id }) };
    }
    case 'change rules': {
      const { rules, version, mark, key } = operation;
      const input = policyInput(await currentPolicy(db), {
        check_plausible: rules.plausible,
        every_visit_waits: rules.everyVisitWaits ? 'yes' : 'no',
        version: String(version),
        reason: mark,
      });
      const answer = await changePolicy(services, who, { input, key });
      return { outcome: 'reason' in answer ? { changed: false, reason: answer.reason } : { ...answer } };
    }
    case 'confirm rules':
      return { outcome: { ...(await confirmProposal(services, who, { id: operation.id, key: operation.key })) } };
    case 'withdraw rules':
      return { outcome: { ...(await withdrawProposal(services, who, { id: operation.id, key: operation.key })) } };
  }
}
