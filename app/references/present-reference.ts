// A weighbridge and its verifications in words.
import { daysBetween, formatDay } from '#app/platform/time/calendar.ts';
import { days } from '#app/policy/policy.ts';
import type { ShownCoverage } from './coverage-badge.tsx';
import { coverageState, type Coverage } from './reference.ts';

/** `isWithdrawn`: for today. */
export function presentCoverage(
  { coveredTo, isWithdrawn = false }: Pick<Coverage, 'coveredTo'> & { isWithdrawn?: boolean },
  today: string,
): ShownCoverage {
  if (isWithdrawn) return { state: 'withdrawn', words: 'Withdrawn' };
  const state = coverageState({ coveredTo }, today);
  if (state !== 'ends-soon' || coveredTo === null)
    return { state, words: state === 'not-covered' ? 'Not covered' : 'Current' };
  const left = daysBetween(today, coveredTo);
  return { state, words: left === 0 ? 'Ends today' : `Ends in ${days(left)}` };
}

/** The sentence below a weighbridge's name, in two parts: the answer for today, and how far it reaches. */
export function coverageSentence({ coveredTo, verifiedTo }: Coverage, today: string): { answer: string; more: string } {
  if (coveredTo !== null) return { answer: 'A verification covers today', more: `recorded to ${formatDay(coveredTo)}` };
  const answer = 'No verification covers today';
  if (verifiedTo === null) return { answer, more: 'none has been recorded' };
  return verifiedTo < today
    ? { answer, more: `the last one ended on ${formatDay(verifiedTo)}` }
    : { answer, more: 'the next one begins later' };
}
