// What a truck's verdict rests on: the visit that rules, or what was taken over; and the visits that change nothing
// yet.
import type { CheckResult } from './visit-facts.ts';
import type { Decision, VisitState } from './visit.ts';

export type DecisionOfVisit = {
  decision: Decision;
  reason: string;
  /** No other admin could have looked. */
  isAlone: boolean;
  /** For how many days the admin had been one, where less than 90. */
  addedDays: number | null;
  /** The admin's name: for signed-in people only. */
  by: string;
  at: Date;
};

export type VisitOfTruck = {
  id: string;
  state: VisitState;
  /** It takes part in the rule for the due date. */
  isCounting: boolean;
  visitedOn: string;
  closedAt: Date | null;
  dueOn: string | null;
  /** Set by an admin instead of `dueOn`, or kept. */
  handDueOn: string | null;
  /** `handDueOn` is that of a newer visit, which was corrected and counts no more. */
  isDueKept: boolean;
  policyVersion: number | null;
  /** The weighbridge, if it is one of the register. */
  referenceId: string | null;
  /** A late correction moved its due date later, and nobody decided yet. */
  isStretched: boolean;
  isHeldByWithdrawal: boolean;
  /** Of visits that wait, are partial, or have the truck's due date; else empty. */
  checks: CheckResult[];
  /** The oldest first. */
  decisions: DecisionOfVisit[];
};

/** `ruling`: a visit that counts or was accepted. `takenOver`: without one, what stood before keeps its effect. */
export type Evidence = {
  ruling: VisitOfTruck | null;
  takenOver: { visit: VisitOfTruck | null; on: string | null; origin: Origin } | null;
  /** The newest first. */
  waiting: VisitOfTruck[];
  /** A visit after the ruling one that neither counts nor waits. */
  newest: VisitOfTruck | null;
};

/**
 * The readings that make the truck's lines, by which a driver may load it: not those of visits that were set aside, nor
 * of such as wait while there are others. `of`: the visit that a page is about.
 */
export function readingsOfLines<Reading extends { visitId: string | null }>(
  readings: readonly Reading[],
  visits: readonly Pick<VisitOfTruck, 'id' | 'state'>[],
  of: string | null = null,
): Reading[] {
  const without = (...left: VisitState[]) => {
    const ids = new Set(visits.flatMap(({ id, state }) => (left.includes(state) && id !== of ? [id] : [])));
    return readings.filter(({ visitId }) => visitId === null || !ids.has(visitId));
  };
  const settled = without('set-aside', 'waits');
  return settled.length > 0 ? settled : without('set-aside');
}

type Origin = 'recorded' | 'imported' | null;
type RecordOfTruck = { restsOn: string; lastCalibratedAt: Date | null };

/**
 * `visits` in the order of the rule: at least the one that rules, those that wait and the newest. `before`: where the
 * newest reading without a visit is from, if there is one. `dayOf`: the day of an instant in the registry's zone.
 */
export function evidenceOf(
  { restsOn, lastCalibratedAt }: RecordOfTruck,
  { visits, before }: { visits: readonly VisitOfTruck[]; before: Origin },
  dayOf: (instant: Date) => string,
): Evidence {
  const rules = visits.find(({ isCounting }) => isCounting) ?? null;
  // While nothing but what was taken over counts, the last calibration is one of it.
  const last = restsOn === '' ? lastCalibratedAt : null;
  const isTakenOver = rules === null ? last !== null : rules.state === 'taken-over';
  const [first] = visits;
  return {
    ruling: isTakenOver ? null : rules,
    takenOver: isTakenOver
      ? {
          visit: rules,
          on: rules?.visitedOn ?? (last === null ? null : dayOf(last)),
          origin: before,
        }
      : null,
    waiting: visits.filter(({ state }) => state === 'waits'),
    newest: first === undefined || first.isCounting || first.state === 'waits' ? null : first,
  };
}

/** The decision that a visit's state is of; null: it has another state. */
export const decisionOf = ({ state, decisions }: VisitOfTruck): DecisionOfVisit | null => {
  const last = decisions.at(-1);
  return last?.decision === state ? last : null;
};

/** What the history shows of these visits: their states, and the public reasons of decisions. */
export const statesOf = (visits: readonly VisitOfTruck[]) =>
  visits.map((visit) => ({ id: visit.id, state: visit.state, reason: decisionOf(visit)?.reason ?? '' }));
