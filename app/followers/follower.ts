// The days on which a follower gets a mail: 30 and 14 days before the due date, and on it. (A changed verdict also
// sends one: notify-followers.server.ts.)
import { addDays } from '#app/platform/time/calendar.ts';

/** In order of time. `days`: before the due date. */
export const OCCASIONS = [
  { occasion: 'in-30-days', days: 30 },
  { occasion: 'in-14-days', days: 14 },
  { occasion: 'today', days: 0 },
] as const;
export type Occasion = (typeof OCCASIONS)[number]['occasion'];

/**
 * The latest occasion on or before `today`, up to the due date; undefined if there is none. A missed day is thus made
 * up for until the next occasion. An occasion before `followsSince` does not count.
 */
export function occasionOn(today: string, dueOn: string | null, followsSince: string): Occasion | undefined {
  if (dueOn === null || today > dueOn) return undefined;
  const latest = OCCASIONS.findLast(({ days }) => addDays(dueOn, -days) <= today);
  return latest !== undefined && addDays(dueOn, -latest.days) >= followsSince ? latest.occasion : undefined;
}

/** The next day after `today` on which a mail may be due even if nobody changes the vehicle or the policy. */
export function nextLook(today: string, dueOn: string | null, dueSoonDays: number): string | null {
  if (dueOn === null) return null;
  const days = [...OCCASIONS.map(({ days: before }) => -before), -dueSoonDays, 1].map((count) => addDays(dueOn, count));
  return days.filter((day) => day > today).toSorted()[0] ?? null;
}

/** An unconfirmed follower is deleted after this time, and the link in the mail expires. */
export const CONFIRM_WITHIN_DAYS = 3;
/** Followers of a removed vehicle are deleted after this time. Until then it may be restored. */
export const KEPT_AFTER_REMOVAL_DAYS = 90;
