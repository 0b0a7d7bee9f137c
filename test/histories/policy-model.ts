// The rules of the policy, as the product states them: a version by which a stale form is refused, and a proposal where
// a change would loosen them.
import { CHECK_RULES } from '#app/policy/policy.ts';
import type { Step } from './linearize.ts';
import type { Call, Change, Client, Outcome, PolicyOperation, Rules } from './operation.ts';
import { entryBy } from './vehicle-state.ts';

type Proposal = { mark: string; by: string; byName: string; rules: Rules };
/** `kept`: the answers to forms that had an effect, by their key. */
export type PolicyState = {
  version: number;
  rules: Rules;
  proposal: Proposal | null;
  kept: Readonly<Record<string, Outcome>>;
};
type Move = Step<PolicyState>;

export function policyModel(
  state: PolicyState,
  { by, operation }: Pick<Call<PolicyOperation>, 'by' | 'operation'>,
): Move {
  const kept = 'key' in operation ? state.kept[operation.key] : undefined;
  if (kept !== undefined) return { state, outcome: kept };
  const move = stepOf(state, by, operation);
  return 'key' in operation && !('reason' in move.outcome)
    ? { ...move, state: { ...move.state, kept: { ...move.state.kept, [operation.key]: move.outcome } } }
    : move;
}

function stepOf(state: PolicyState, by: Client, operation: PolicyOperation): Move {
  const { version, rules: inForce, proposal } = state;
  const nothing = (outcome: Outcome): Move => ({ state, outcome });
  switch (operation.do) {
    case 'open rules':
      return nothing({ state: 'live', version, ...inForce, proposal: proposal?.mark ?? null });
    case 'change rules': {
      const { rules, mark } = operation;
      const refused = (reason: string): Move => nothing({ changed: false, reason });
      if (operation.version !== version) return refused('stale');
      if (changesOf(inForce, rules).length === 0) return refused('same');
      if (!isLoosening(inForce, rules)) {
        const entered = enter(state, by, rules, `: ${mark}`);
        return { ...entered, outcome: { changed: true, version: version + 1 } };
      }
      if (proposal !== null) return refused('proposal-open');
      return {
        state: { ...state, proposal: { mark, by: by.email, byName: by.name, rules } },
        outcome: { changed: false, proposed: true },
        entries: [
          entryBy(by, {
            kind: 'policy.proposed',
            details: `Change of version ${version}: ${mark}`,
            changes: changesOf(inForce, rules),
            leaves: [{ type: 'policy.proposed' }],
          }),
        ],
      };
    }
    case 'confirm rules': {
      if (proposal === null || proposal.mark !== operation.mark) return nothing({ confirmed: false, reason: 'gone' });
      if (proposal.by === by.email) return nothing({ confirmed: false, reason: 'own' });
      const words = ` confirmed, as ${proposal.byName} proposed: ${proposal.mark}`;
      return { ...enter(state, by, proposal.rules, words), outcome: { confirmed: true, version: version + 1 } };
    }
    case 'withdraw rules': {
      if (proposal === null || proposal.mark !== operation.mark) return nothing({ withdrawn: false, reason: 'gone' });
      const details = `Change of version ${version} that ${proposal.byName} proposed: ${proposal.mark}`;
      const entry = { kind: 'policy.withdrawn', details, changes: [], leaves: [{ type: 'policy.withdrawn' }] };
      return { state: { ...state, proposal: null }, outcome: { withdrawn: true }, entries: [entryBy(by, entry)] };
    }
  }
}

// A proposal about another version than that in force can take effect no more.
function enter(state: PolicyState, by: Client, rules: Rules, words: string) {
  const version = state.version + 1;
  const details = `Version ${version}${words}`;
  const entry = {
    kind: 'policy.changed',
    details,
    changes: changesOf(state.rules, rules),
    leaves: [{ type: 'policy.changed' }],
  };
  return { state: { ...state, version, rules, proposal: null }, entries: [entryBy(by, entry)] };
}

const yesNo = (is: boolean) => (is ? 'yes' : 'no');
const changesOf = (from: Rules, to: Rules): Change[] =>
  [
    { field: 'every_visit_waits', from: yesNo(from.everyVisitWaits), to: yesNo(to.everyVisitWaits) },
    { field: 'check_plausible', from: from.plausible, to: to.plausible },
  ].filter((change) => change.from !== change.to);

const isLoosening = (from: Rules, to: Rules): boolean =>
  (from.everyVisitWaits && !to.everyVisitWaits) ||
  CHECK_RULES.indexOf(to.plausible) > CHECK_RULES.indexOf(from.plausible);
