// A sentence for admins about an application that was decided.
import { formatInstant } from '#app/platform/time/calendar.ts';

/** 'already approved by Mia Kowalski on 3 November 2026, 9:41 am.', for an admin who decides too late. */
export function decidedWords(
  { decision, decidedAt, by }: { decision: 'approved' | 'deleted'; decidedAt: Date; by: string },
  timeZone: string,
): string {
  return `already ${decision} by ${by} on ${formatInstant(decidedAt, timeZone)}.`;
}
