// A verdict has to be earned: along an order of what was done, each truck's verdict improves only by a visit that
// counts or was accepted, or by what else may improve it.
import { addDays, daysBetween } from '#app/platform/time/calendar.ts';
import type { Placed } from './linearize.ts';
import type { Call, VehicleOperation } from './operation.ts';
import { dayOf, recordIn, VERDICTS, verdictOf, type InForce, type VehicleState } from './vehicle-state.ts';
import { LONGEST_DAYS, rulingOf, statesUnder } from './visit-rules.ts';

/** Says which step improved a verdict that it must not. */
export function findImprovement(
  order: readonly Placed<VehicleState, VehicleOperation>[],
  begin: VehicleState,
): string | undefined {
  for (const [nth, { call, state }] of order.entries()) {
    const before = order[nth - 1]?.state ?? begin;
    for (const { mark } of before.records)
      if (hasImproved(before, state, mark) && !mayImprove(call, before, state, mark))
        return `The verdict of ${mark} improved by step ${nth + 1} of the order, and may not: ${JSON.stringify(call.operation)}`;
  }
  return undefined;
}

/**
 * Says which visit is not as the withdrawals in force leave it, when all are applied. An admin's acceptance is kept.
 */
export function findUnwithdrawn(state: VehicleState, inForce: readonly InForce[]): string | undefined {
  const left = statesUnder(state, inForce).find(({ now, isSame }) => !isSame && now.decided !== 'accepted');
  return left === undefined
    ? undefined
    : `A withdrawal, or a lift, left a visit that it makes: ${JSON.stringify(left.now)}`;
}

// On some day from now to the latest due date: today's verdict says nothing of a date that moved.
function hasImproved(before: VehicleState, after: VehicleState, mark: string): boolean {
  const [was, is] = [recordIn(before, mark), recordIn(after, mark)];
  const days = [was, is].flatMap(({ dueOn }) =>
    dueOn === null ? [] : [dueOn, addDays(dueOn, 1), addDays(dueOn, -31)],
  );
  return ['2000-01-01', '2100-01-01', ...days].some((day) => {
    const [rank, now] = [verdictOf(before, was, day), verdictOf(after, is, day)].map((one) => VERDICTS.indexOf(one));
    return (now ?? 0) > Math.max(rank ?? 0, VERDICTS.indexOf('not-validated'));
  });
}

function mayImprove({ operation }: Call<VehicleOperation>, before: VehicleState, after: VehicleState, mark: string) {
  const [was, is] = [recordIn(before, mark), recordIn(after, mark)];
  const ruling = rulingOf(after, mark);
  const ruled = before.visits.find(({ visit }) => visit === ruling?.visit);
  const isTicked = is.validated && !was.validated;
  const hasBegun = ruling !== undefined && ruled?.state !== ruling.state;
  switch (operation.do) {
    case 'record':
    case 'record set':
    case 'finish':
    case 'expire':
      return hasBegun && ruling?.state === 'counts';
    case 'decide visit':
      return operation.decision === 'set-aside' || isTicked || (hasBegun && ruling?.state === 'accepted');
    case 'decide':
      return isTicked && was.dueOn === is.dueOn;
    case 'restore':
    case 'apply withdrawal':
      return true;
    case 'update': {
      const isWithin = ruling !== undefined && is.dueOn !== null && is.dueOn <= addDays(ruling.day, LONGEST_DAYS);
      return isTicked || (isWithin && operation.reason !== '');
    }
    // Of the visit that rules, in time; or late, and not beyond the due date that it stated.
    case 'correct': {
      if (ruling === undefined) return false;
      const own = after.readings.find(({ corrects }) => corrects === operation.id);
      const isLate = daysBetween(ruling.day, dayOf(operation.at)) > 7;
      const isLater = (ruling.dueOn ?? '9999') > (ruled?.dueOn ?? '9999');
      return own?.visit === ruling.visit && ruling.state === 'counts' && !(isLate && isLater);
    }
    // As it stands in the export, while no visit was recorded here.
    case 'import':
      return !before.visits.some(({ of }) => of === mark);
    case 'open':
    case 'register':
    case 'remove':
      return false;
  }
}
