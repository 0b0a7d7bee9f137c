// What withdrawals of its weighbridge make of a visit, and what it is without them. One pure rule, which applies a
// withdrawal and its lift alike: whatever comes in whatever order (overlapping withdrawals, decisions and corrections
// in between, a stop after any block), a visit ends as if those that were lifted had never been.
import { CHECKS } from '#app/policy/checks.ts';
import type { EvidenceRules } from '#app/policy/policy.ts';
import { withdrawnSentence } from '#app/references/withdrawal.ts';
import { stateAtClose } from './visit-checks.ts';
import type { CheckResult } from './visit-facts.ts';
import type { Decision, VisitState } from './visit.ts';

/** A withdrawal in force. */
type Withdrawn = { fromOn: string; toOn: string; confirmedAt: Date };

/** A closed visit without withdrawals. `decision`: the last one. */
export type Unwithdrawn = {
  checks: readonly CheckResult[];
  isStretched: boolean;
  decision: { decision: Decision; at: Date } | null;
};

/** As the visit's row has it. */
export type ClosedState = {
  state: Extract<VisitState, 'counts' | 'partial' | 'waits' | Decision>;
  judged: 'counts' | 'partial' | 'waits';
  checks: CheckResult[];
  withoutRecall: CheckResult[] | null;
  beforeRecall: 'counts' | 'accepted' | null;
};

/**
 * `withdrawals`: those in force that cover the visit, the first confirmed first. A decision since a withdrawal is kept:
 * it holds back what was accepted before it, and what the checks alone let count.
 */
export function stateUnder(
  withdrawals: readonly Withdrawn[],
  { checks: own, isStretched, decision }: Unwithdrawn,
  policy: Pick<EvidenceRules, 'everyVisitWaits'>,
): ClosedState {
  const judged = stateAtClose(own, policy);
  const free = decision?.decision ?? (isStretched ? 'waits' : judged);
  const [first] = withdrawals;
  if (first === undefined) return { state: free, judged, checks: [...own], withoutRecall: null, beforeRecall: null };
  const isHeld =
    decision === null ||
    (decision.decision === 'accepted' && withdrawals.some(({ confirmedAt }) => decision.at <= confirmedAt));
  const checks = replaceReference(own, [withdrawnCheck(first)]);
  return {
    state: isHeld ? 'waits' : free,
    judged: stateAtClose(checks, policy),
    checks,
    withoutRecall: own.filter(isReference),
    beforeRecall: isHeld && (free === 'counts' || free === 'accepted') ? free : null,
  };
}

/** The checks of a visit without withdrawals, from what its row has. */
export const withoutWithdrawals = (
  checks: readonly CheckResult[],
  stored: readonly CheckResult[] | null,
): readonly CheckResult[] => (stored === null ? checks : replaceReference(checks, stored));

const withdrawnCheck = (span: Withdrawn): CheckResult => ({
  check: 'reference',
  rule: 'must',
  answer: 'failed',
  sentence: withdrawnSentence(span),
});

const isReference = ({ check }: CheckResult): boolean => check === 'reference';

function replaceReference(checks: readonly CheckResult[], by: readonly CheckResult[]): CheckResult[] {
  const others = checks.filter((result) => !isReference(result));
  return CHECKS.flatMap(({ check }) =>
    check === 'reference' ? by : others.filter((result) => result.check === check),
  );
}
