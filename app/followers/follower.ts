// When somebody who follows a vehicle hears of it: 30 and 14 days before the due date, on the day, and when the verdict
// changes.
import { addDays } from '#app/platform/time/calendar.ts';

/** In their order; `days` before the due day. */
export const OCCASIONS = [
  { occasion: 'in-30-days', days: 30 },
  { occasion: 'in-14-days', days: 14 },
  { occasion: 'today', days: 0 },
] as const;
export type Occasion = (typeof OCCASIONS)[number]['occasion'];

/**
 * The occasion that `today` is, if any: also some days after it, when nobody looked that day, as long as no later one has
 * come. None that was past when somebody began to follow (`followsSince`).
 */
export function occasionOn(today: string, dueOn: string | null, followsSince: string): Occasion | undefined {
  if (dueOn === null || today > dueOn) return undefined;
  const latest = OCCASIONS.findLast(({ days }) => addDays(dueOn, -days) <= today);
  return latest !== undefined && addDays(dueOn, -latest.days) >= followsSince ? latest.occasion : undefined;
}

/** The next day after `today` on which there may be something to tell, while nobody writes. */
export function nextLook(today: string, dueOn: string | null, dueSoonDays: number): string | null {
  if (dueOn === null) return null;
  const days = [...OCCASIONS.map(({ days: before }) => -before), -dueSoonDays, 1].map((count) => addDays(dueOn, count));
  return days.filter((day) => day > today).toSorted()[0] ?? null;
}

/** An unconfirmed one is forgotten after so long. */
export const CONFIRM_WITHIN_DAYS = 3;
/** Of a removed vehicle: it may be restored. */
export const KEPT_AFTER_REMOVAL_DAYS = 90;
