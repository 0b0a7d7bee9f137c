// What an admin's decision about a visit, and a withdrawal of its weighbridge, do to the records of a rego.
import type { Step } from './linearize.ts';
import type { Client, Outcome, VehicleOperation } from './operation.ts';
import {
  decisionLeaf,
  entryBy,
  recordIn,
  withDecision,
  withRecord,
  withVisit,
  type VehicleState,
  type Visit,
} from './vehicle-state.ts';
import type { World } from './visit-model.ts';
import { applyRule, heldBack, ownReadings, statesUnder, stateChanges } from './visit-rules.ts';

type Move = Step<VehicleState>;
type Of<Name extends VehicleOperation['do']> = Extract<VehicleOperation, { do: Name }>;

const ACCEPTED_FROM: readonly Visit['state'][] = ['waits', 'partial', 'set-aside'];
const SET_ASIDE_FROM: readonly Visit['state'][] = ['waits', 'counts', 'accepted'];

export function decide(state: VehicleState, by: Client, operation: Of<'decide visit'>, world: World): Move {
  const { rego, decision, reason, openedState, at } = operation;
  const refused = (why: string, more: Outcome = {}): Move => ({
    state,
    outcome: { decided: false, reason: why, ...more },
  });
  const visit = state.visits.find((one) => one.visit === operation.visit);
  if (visit === undefined) return refused('unknown');
  const record = recordIn(state, visit.of);
  if (!record.live) return refused('removed');
  const isAccepting = decision === 'accepted';
  if (visit.state !== openedState || !(isAccepting ? ACCEPTED_FROM : SET_ASIDE_FROM).includes(visit.state))
    return refused('stale', { state: visit.state });
  const isOwn = visit.by === by.email || state.readings.some((one) => one.visit === visit.visit && one.by === by.email);
  if (isOwn && !world.isAlone) return refused('own-visit');
  if (reason === '' && (!isAccepting || isHeld(state, visit))) return refused('reason-missing');
  if (isAccepting && heldIn(state, visit).includes('interval')) return refused('due-date');
  const decided = {
    ...visit,
    state: decision,
    decided: decision,
    decidedAt: at,
    acceptedAt: visit.acceptedAt ?? (isAccepting ? at : null),
    isStretched: false,
    beforeRecall: null,
  };
  const isTicked = isAccepting && !record.validated;
  const ticked = isTicked ? { ...record, validated: true, version: record.version + 1 } : record;
  const ruled = applyRule(withRecord(withVisit(state, decided), ticked), visit.of);
  const now = recordIn(ruled.state, visit.of);
  return {
    state: isTicked ? withDecision(ruled.state, now, by, 'visit accepted') : ruled.state,
    outcome: { decided: true },
    entries: [
      entryBy(by, {
        kind: `visit.${decision}`,
        details: rego,
        changes: [
          ...stateChanges(visit, decided),
          ...(reason === '' ? [] : [{ field: 'reason', from: null, to: reason }]),
          ...(isTicked ? [{ field: 'calibration_validated', from: false, to: true }] : []),
          ...ruled.changes,
        ],
        leaves: [
          { type: `visit.${decision}`, visitState: decision, visitDueOn: visit.dueOn },
          ...(isTicked ? [decisionLeaf(now)] : []),
        ],
      }),
    ],
  };
}

const heldIn = (state: VehicleState, visit: Visit): string[] =>
  visit.rules === null ? [] : heldBack(visit, ownReadings(state, visit), visit.rules).held;
const isHeld = (state: VehicleState, visit: Visit): boolean =>
  visit.isStretched || visit.isWithdrawn || heldIn(state, visit).length > 0;

/**
 * A block of a withdrawal of the weighbridge, or of its lift, reaches visits under this rego, of removed trucks too.
 */
export function applyWithdrawal(
  state: VehicleState,
  { visits, kind, email }: Of<'apply withdrawal'>,
  { inForce }: World,
): Move {
  // A visit that is held already may come to name another of two withdrawals.
  const moved = statesUnder(state, inForce)
    .filter(({ now, isSame }) => visits.includes(now.visit) && (!isSame || now.isWithdrawn))
    .map(({ now }) => now);
  if (moved.length === 0) return { state, outcome: {} };
  const written = moved.reduce(withVisit, state);
  const marks = [...new Set(moved.map(({ of }) => of))];
  const leaves = moved.map(({ visit, state: visitState, dueOn: visitDueOn, isWithdrawn }) => {
    const type = isWithdrawn ? 'visit.recalled' : 'visit.reinstated';
    return { type, visit, visitState, visitDueOn };
  });
  return {
    state: marks.reduce((now, mark) => applyRule(now, mark).state, written),
    outcome: {},
    entries: [{ kind, by: email, details: '', changes: [], leaves }],
  };
}
