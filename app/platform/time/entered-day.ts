// Which days may be entered, in every form, file and API. What was done (a visit, a capture, a reading, a verification)
// was done from 2000 to tomorrow, as east of the registry's zone it may be tomorrow already; every other day lies
// between 1900 and 2100. A year that was mistyped would stay in the log for ever. What is stored already is shown
// whatever it is.
import { addDays, isDay } from './calendar.ts';

export const NO_DAY = 'Enter a date such as 14 May 2027.';
const FIRST_DONE = '2000-01-01';
const LAST = '2100-12-31';

/** Why `text` cannot be entered as a day; undefined when it can. `none`: the sentence for what is no day at all. */
export function dayRefusal(text: string, none = NO_DAY): string | undefined {
  if (isDay(text) && text <= LAST) return undefined;
  // The leap year 2000 has every day that a year has.
  return isDay(`2000${text.slice(4)}`) && /^\d{4}/.test(text) ? 'Enter a day from 1900 to 2100. Check the year.' : none;
}

export const isEntered = (text: string): boolean => dayRefusal(text) === undefined;

/** The same for the day on which something was done. `today` is in the registry's zone. */
export function doneRefusal(
  text: string,
  { today, none = NO_DAY, future = 'This day is in the future. Check the date.' }: Done,
): string | undefined {
  const refusal = dayRefusal(text, none);
  if (refusal !== undefined) return refusal;
  if (text > addDays(today, 1)) return future;
  return text < FIRST_DONE ? 'Enter a day from 2000 on. Check the year.' : undefined;
}
type Done = { today: string; none?: string; future?: string };
