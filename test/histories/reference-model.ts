// The rules of one weighbridge's withdrawals, as the product states them: one admin proposes, another confirms; so does
// a lift.
import { WITHDRAWAL_DECISIONS } from '#app/withdrawals/decide-withdrawal.server.ts';
import { NOTICE_DAYS } from '#app/people/two-people.server.ts';
import { spanWords, type WithdrawalState } from '#app/references/withdrawal.ts';
import type { Step } from './linearize.ts';
import type { Call, Client, Outcome, ReferenceOperation } from './operation.ts';
import { entryBy } from './vehicle-state.ts';

type Withdrawal = {
  mark: string;
  fromOn: string;
  toOn: string;
  state: WithdrawalState;
  by: string;
  liftBy: string | null;
  liftAt: number | null;
};
/** `kept`: the answers to forms that had an effect, by their key. */
export type ReferenceState = { withdrawals: readonly Withdrawal[]; kept: Readonly<Record<string, Outcome>> };
type Move = Step<ReferenceState>;
/** `line`: what the weighbridge is called. `isAlone`: its admin is the only one. */
type World = { line: string; isAlone: boolean };

export function referenceModel(
  state: ReferenceState,
  { by, operation }: Pick<Call<ReferenceOperation>, 'by' | 'operation'>,
  world: World,
): Move {
  const kept = state.kept[operation.key];
  if (kept !== undefined) return { state, outcome: kept };
  const move =
    operation.do === 'withdraw' ? withdraw(state, by, operation, world) : decide(state, by, operation, world);
  return 'reason' in move.outcome
    ? move
    : { ...move, state: { ...move.state, kept: { ...move.state.kept, [operation.key]: move.outcome } } };
}

type Of<Name extends ReferenceOperation['do']> = Extract<ReferenceOperation, { do: Name }>;

function withdraw(state: ReferenceState, by: Client, { mark, fromOn, toOn }: Of<'withdraw'>, world: World): Move {
  if (state.withdrawals.some((one) => one.state === 'proposed'))
    return { state, outcome: { proposed: false, reason: 'proposed-already' } };
  const { isAlone } = world;
  const added = {
    mark,
    fromOn,
    toOn,
    state: isAlone ? 'in force' : 'proposed',
    by: by.email,
    liftBy: null,
    liftAt: null,
  } as const;
  return {
    state: { ...state, withdrawals: [...state.withdrawals, added] },
    outcome: { proposed: true, isInForce: isAlone },
    entries: [stepEntry(by, isAlone ? 'withdrawal.confirmed' : 'withdrawal.proposed', added, world)],
  };
}

function decide(
  state: ReferenceState,
  by: Client,
  { mark, decision, at }: Of<'decide withdrawal'>,
  world: World,
): Move {
  const refused = (outcome: Outcome): Move => ({ state, outcome: { decided: false, ...outcome } });
  const found = state.withdrawals.find((one) => one.mark === mark);
  if (found === undefined) return refused({ reason: 'unknown' });
  if (WITHDRAWAL_DECISIONS[decision] !== found.state) return refused({ reason: 'stale', state: found.state });
  const { isAlone } = world;
  const isConfirming = decision === 'confirm' || decision === 'confirm-lift';
  if (isConfirming && !isAlone && by.email === (decision === 'confirm' ? found.by : found.liftBy))
    return refused({ reason: 'own' });
  // Nobody else could look: the lift waits for the end of its seven days.
  if (decision === 'confirm-lift' && isAlone && at < (found.liftAt ?? at) + NOTICE_DAYS * 86_400_000)
    return refused({ reason: 'notice' });
  const { step, ...changed } = effectOf(decision, by, at);
  const decided = { ...found, ...changed };
  return {
    state: { ...state, withdrawals: state.withdrawals.map((one) => (one === found ? decided : one)) },
    outcome: { decided: true, isAlone: isAlone && step.endsWith('.confirmed') },
    entries: [stepEntry(by, step, decided, world)],
  };
}

function effectOf(decision: Of<'decide withdrawal'>['decision'], by: Client, at: number) {
  switch (decision) {
    case 'confirm':
      return { step: 'withdrawal.confirmed', state: 'in force' } as const;
    case 'drop':
      return { step: 'withdrawal.dropped', state: 'dropped' } as const;
    case 'propose-lift':
      return { step: 'lift.proposed', state: 'lift proposed', liftBy: by.email, liftAt: at } as const;
    case 'confirm-lift':
      return { step: 'lift.confirmed', state: 'lifted' } as const;
    case 'drop-lift':
      return { step: 'lift.dropped', state: 'in force', liftBy: null, liftAt: null } as const;
  }
}

const stepEntry = (by: Client, kind: string, { fromOn, toOn }: Withdrawal, { line }: World) =>
  entryBy(by, {
    kind,
    details: `${line}: ${spanWords({ fromOn, toOn })}, out of tolerance`,
    changes: [],
    leaves: [{ type: kind }],
  });
