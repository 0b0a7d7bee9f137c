import { formatInstant } from '#app/platform/time/calendar.ts';
import type { Decision } from './queries.server.ts';

/** 'It was already approved by Mia Kowalski on 3 November 2026, 9:41 am.', for an admin who decides too late. */
export const decidedWords = ({ decision, decidedAt, by }: Decision, timeZone: string): string =>
  `It was already ${decision} by ${by} on ${formatInstant(decidedAt, timeZone)}.`;
