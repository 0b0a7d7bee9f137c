// The day that somebody asks for: now, or the end of one that is over.
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { pastDay, type PastDay } from '#app/transparency-log/past-day.server.ts';

/** To read how a truck stood takes ten times as long as how it stands. */
const LINES_OF_PAST = 1000;

/** `on`: the day that is over; else ''. `moment`: as at which it is answered; `words`: the same. */
export type AskedDay = { on: string; at: string | PastDay; moment: Date; words: string };

/** Or why there is no answer for it. `on`: as typed; '': today. */
export async function askedDay(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  on: string,
  lines: number,
): Promise<AskedDay | { refusal: string }> {
  const now = services.now();
  const { timeZone } = services.config;
  const today = todayIn(timeZone, now);
  if (on === '' || on === today) return { on: '', at: today, moment: now, words: formatMoment(now, timeZone) };
  const at = await pastDay(services, on);
  if ('none' in at) return { refusal: at.none };
  if (lines > LINES_OF_PAST) return { refusal: `Of a day that is over ask for at most ${LINES_OF_PAST} lines.` };
  return { on, at, moment: at.moment, words: `the end of ${formatDay(on)}: the past, not today’s answer` };
}
