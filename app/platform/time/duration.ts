// How long something took or is ago, in words.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** '2 hours', '1 day 4 hours', '3 days'. Less than nothing is nothing. */
export function durationWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 24) return counted(hours, 'hour');
  const days = Math.floor(ms / DAY_MS);
  const rest = hours - days * 24;
  return days > 1 || rest === 0 ? counted(days, 'day') : `${counted(days, 'day')} ${counted(rest, 'hour')}`;
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en-AU')} ${word}${count === 1 ? '' : 's'}`;
