// One operation on the weighbridge of a history, carried out by the product's own functions.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import type { ReferenceOperation } from './operation.ts';
import type { Answer } from './perform.ts';

export async function onReference(services: Services, who: SignedIn, operation: ReferenceOperation): Promise<Answer> {
  const { at, key } = operation;
  const then = { ...services, now: () => new Date(at) };
  if (operation.do === 'withdraw') {
    const { reference, fromOn, toOn, mark: note } = operation;
    const proposal = { fromOn, toOn, reason: 'out of tolerance', note } as const;
    const answer = await proposeWithdrawal(then, who, { referenceId: reference, ...proposal, key });
    if (!answer.proposed) return { outcome: { proposed: false, reason: answer.reason } };
    return { outcome: { proposed: true, isInForce: answer.isInForce }, id: answer.id };
  }
  return {
    outcome: { ...(await decideWithdrawal(then, who, { id: operation.id, decision: operation.decision, key })) },
  };
}
