// When a follower gets a mail: some days before a due date, and when a verdict or a due date has changed.
import { addDays } from '#app/platform/time/calendar.ts';

/** In days before the due date. The follower of a list hears on the day after it that the verdict has changed. */
export const DAYS_BEFORE = { truck: [0, 14, 30], list: [14, 30] } as const;

/**
 * Some of `days` before `dueOn` came after the day `since`, up to `today`: the nearest. A missed day is thus made up
 * for.
 */
export function dayReached(
  dueOn: string | null,
  days: readonly number[],
  { since, today }: { since: string; today: string },
): number | undefined {
  if (dueOn === null || today > dueOn) return undefined;
  return days.find((before) => {
    const day = addDays(dueOn, -before);
    return since < day && day <= today;
  });
}

/** The next day after `today` on which a mail about a truck may be due even if nobody changes it or the policy. */
export function nextLook(today: string, dueOn: string | null, dueSoonDays: number): string | null {
  if (dueOn === null) return null;
  const days = [...DAYS_BEFORE.truck, dueSoonDays, -1].map((before) => addDays(dueOn, -before));
  return days.filter((day) => day > today).toSorted()[0] ?? null;
}

/** An unconfirmed follower is deleted after this time, and the links in the mail expire. */
export const CONFIRM_WITHIN_DAYS = 3;
/** Followers of a removed vehicle are deleted after this time. Until then it may be restored. */
export const KEPT_AFTER_REMOVAL_DAYS = 90;
