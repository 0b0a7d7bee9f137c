// When something on the phone was true.
import { formatDay, formatInstant, todayIn } from '#app/platform/time/calendar.ts';

/** 'as at 7:40 am', 'as at 23 November, 5:40 am'. `now`: by the same clock. */
export function asAtWords(instant: Date, now: Date, zone: string): string {
  const [, time = ''] = formatInstant(instant, zone).split(', ');
  const day = todayIn(zone, instant);
  return day === todayIn(zone, now) ? `as at ${time}` : `as at ${formatDay(day).replace(/ \d{4}$/, '')}, ${time}`;
}
