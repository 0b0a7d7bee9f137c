// The day that somebody asks for: now, or the end of one that is over.
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { pastDay, type PastDay } from '#app/transparency-log/log-of-day.server.ts';

/** To read how a truck stood takes ten times as long as how it stands. */
export const LINES_OF_PAST = 1000;
export const TOO_MANY_OF_PAST = `Ask for at most ${LINES_OF_PAST.toLocaleString('en-AU')} lines of a day that is over.`;

/** `words`: 'As at …'. */
export type AskedDay = { at: string | PastDay; words: string; isPast: boolean };

/** Or why there is no answer for it. `on`: as typed; '': today. */
export async function askedDay(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  on: string,
): Promise<AskedDay | { refusal: string }> {
  const moment = services.now();
  const { timeZone } = services.config;
  const today = todayIn(timeZone, moment);
  if (on === '' || on === today) return { at: today, words: formatMoment(moment, timeZone), isPast: false };
  const over = await pastDay(services, on);
  return over.state === 'none'
    ? { refusal: `${over.title}. ${over.sentence}` }
    : { at: over, words: `the end of ${formatDay(on)}: the past, not today’s answer`, isPast: true };
}
