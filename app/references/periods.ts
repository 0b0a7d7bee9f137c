// Verification periods as a page shows them: in their order, the days between them that none covers, and a bar.
import { addDays, daysBetween, formatDay, formatMonth } from '#app/platform/time/calendar.ts';

/** Both days are covered. */
export type Period = { fromOn: string; toOn: string };

/** The days that no period covers, between the first day and the last that one does. */
export function gapsOf(periods: readonly Period[]): Period[] {
  const gaps: Period[] = [];
  let covered: string | undefined;
  for (const { fromOn, toOn } of periods.toSorted((a, b) => (a.fromOn < b.fromOn ? -1 : 1))) {
    if (covered !== undefined && fromOn > addDays(covered, 1))
      gaps.push({ fromOn: addDays(covered, 1), toOn: addDays(fromOn, -1) });
    if (covered === undefined || toOn > covered) covered = toOn;
  }
  return gaps;
}

/** '26 days from 12 February 2025 to 9 March 2025 are not covered by a verification.' */
export function gapSentence({ fromOn, toOn }: Period): string {
  const days = daysBetween(fromOn, toOn) + 1;
  return days === 1
    ? `${formatDay(fromOn)} is not covered by a verification.`
    : `${days.toLocaleString('en-AU')} days from ${formatDay(fromOn)} to ${formatDay(toOn)} are not covered by a verification.`;
}

/** A bar from the first covered day to the last: each period in thousandths of its length. */
export type PeriodBar = { from: string; to: string; parts: { at: number; length: number; isCurrent: boolean }[] };

const THOUSANDTHS = 1000;
/** The line between two periods that touch. */
const SEAM = 2;

export function periodBar(periods: readonly Period[], today: string): PeriodBar | null {
  const first = periods.map(({ fromOn }) => fromOn).toSorted()[0];
  const last = periods
    .map(({ toOn }) => toOn)
    .toSorted()
    .at(-1);
  if (first === undefined || last === undefined) return null;
  const days = daysBetween(first, last) + 1;
  const placeOf = (day: string) => Math.round((daysBetween(first, day) * THOUSANDTHS) / days);
  const parts = periods
    .map(({ fromOn, toOn }) => ({
      at: placeOf(fromOn),
      length: Math.max(SEAM, placeOf(addDays(toOn, 1)) - placeOf(fromOn) - SEAM),
      isCurrent: fromOn <= today && today <= toOn,
    }))
    // Where two periods overlap, the current one is drawn over the other.
    .toSorted((a, b) => Number(a.isCurrent) - Number(b.isCurrent));
  return { from: formatMonth(first), to: formatMonth(last), parts };
}
