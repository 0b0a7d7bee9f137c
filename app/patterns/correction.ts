// Looking at thousands of technicians in a dozen ways, every night, finds something by chance alone. The correction
// keeps the expected share of honest ones among all that a month lists at 5 %.
//
// Each night has a level of its own; the levels of a month sum to 5 %. A night lists by Benjamini and Hochberg (J. R.
// Stat. Soc. B 57, 1995) at its level over everything that was tested that night. Why the sum is enough: let V of the R
// listed in the month be honest, Vi of Ri in night i. V is at most the sum of Vi, and R is at least every Ri, so V / R
// is at most the sum of Vi / Ri, whose expectation is at most the sum of the levels. Nothing is assumed of how one
// night's records resemble the next one's.
//
// The last night has half of it. A look of the window changes little from night to night, so a month is mostly one
// look; the rest is for finding sooner what is plain.
import { daysBetween } from '#app/platform/time/calendar.ts';

export const MONTH_LEVEL = 0.05;
const LAST_NIGHT = 0.5;

/** The level of the night of `day` ('YYYY-MM-DD'). */
export function nightLevel(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const nights = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isLast = daysBetween(`${day.slice(0, 8)}01`, day) === nights - 1;
  return isLast ? MONTH_LEVEL * LAST_NIGHT : (MONTH_LEVEL * (1 - LAST_NIGHT)) / (nights - 1);
}

/** The largest p that is listed, at this level over all of `chances`; 0: none. */
export function listedUpTo(chances: readonly number[], level: number): number {
  const sorted = chances.toSorted((a, b) => a - b);
  return sorted.findLast((p, rank) => p <= (level * (rank + 1)) / sorted.length) ?? 0;
}
