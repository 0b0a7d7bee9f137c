// A day that somebody asks for, which must be over: what was said at its end is what the log had then.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, endOfDay, formatDay, instantOf, instantOfDay, isDay, todayIn } from '#app/platform/time/calendar.ts';

/** A day that is over. `moment`: its last; `size`: how many entries the log had then. */
export type PastDay = { day: string; moment: Date; size: number };
/** Why there is no answer, in a sentence. `firstDay`: of the log, where that began later. */
export type NoPast = { none: string; firstDay?: string };

/** The day that is asked for, if the registry can answer for it. */
export async function pastDay(
  { db, config: { timeZone }, now }: Pick<Services, 'db' | 'config' | 'now'>,
  day: string,
): Promise<PastDay | NoPast> {
  if (!isDay(day)) return { none: 'This is no day. Ask for one such as 2026-03-12.' };
  if (day >= todayIn(timeZone, now())) return { none: 'That day is not over yet.' };
  const end = instantOfDay(addDays(day, 1), timeZone);
  const { rows } = await sql<{ began: string; size: number }>`
    select log_size_at(${end.toISOString()}) as size, entry::jsonb ->> 'at' as began from log_leaf where index = 0`.execute(
    db,
  );
  const [first] = rows;
  if (first === undefined) return { none: 'The registry’s log has not begun.' };
  if (first.size > 0) return { day, moment: endOfDay(day, timeZone), size: first.size };
  const firstDay = todayIn(timeZone, instantOf(first.began));
  return {
    none: `The registry’s log began on ${formatDay(firstDay)}. What was said before cannot be proved.`,
    firstDay,
  };
}
