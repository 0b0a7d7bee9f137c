// The check 'seals' of a visit: whether the seals found on the unit are those left at the last visit that counts.
import { formatDay } from '#app/platform/time/calendar.ts';
import { changedSeals, sealReason, sealsIn } from '#app/readings/seals.ts';
import type { Checked, VisitFacts } from './visit-facts.ts';

/** Undefined: nothing is said of seals, now or then. */
export function judgeSeals({ seals }: VisitFacts): Checked | undefined {
  if (seals === undefined) return undefined;
  const { found, reason, before } = seals;
  if (found === '') return ['cannot be told', 'The visit does not say which seals were found.'];
  if (before === null || before.left === '')
    return ['cannot be told', 'The last visit that counts does not say which seals were left.'];
  const changed = changedSeals(sealsIn(found), sealsIn(before.left), formatDay(before.on));
  if (changed.length === 0) return ['passed', `The seals found are those left on ${formatDay(before.on)}.`];
  const why = reason === '' ? [] : [`The technician says: ${sealReason(reason)}.`];
  return ['failed', [...changed, ...why].join(' ')];
}
