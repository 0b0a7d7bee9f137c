// An event's place in the public log, as its page shows it.
import { sql } from 'kysely';
import { formatInstant, zoneName, daysBetween } from '#app/platform/calendar.ts';
import type { Services } from '#app/platform/services.server.ts';
import type { LogBadge } from './proof-check.tsx';
import type { Shown } from './check-shown.ts';
import { parseLeaf } from './leaf.ts';
import { utf8 } from './bytes.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/**
 * The badge of a record: of its first leaf, or of its last (`which`). Null: it is in no leaf. `shown` is what the page
 * shows, to be checked against the proof.
 */
export async function logBadge(
  { db, config }: Pick<Services, 'db'> & { config: Pick<Services['config'], 'timeZone'> },
  { table, key }: RecordRef,
  which: 'first' | 'last',
  shown: Shown | null,
): Promise<LogBadge | null> {
  const order = which === 'first' ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ index: number; entry: string }>`select l.index, l.entry from record_leaf r
    join log_leaf l on l.index = r.leaf_index where r.record_table = ${table} and r.record_key = ${key}
    order by r.leaf_index ${order} limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const erased = await db
    .selectFrom('leafOpening')
    .select(['field', 'erasedAt'])
    .where('leafIndex', '=', row.index)
    .where('erasedAt', 'is not', null)
    .execute();
  const [first] = erased;
  const { at, body, origin } = parseLeaf(utf8(row.entry));
  const instant = new Date(at);
  return {
    index: row.index,
    at: `${formatInstant(instant, config.timeZone)} ${zoneName(instant, config.timeZone)}`,
    // What was imported, or recorded before there was a log, is logged later by its nature.
    daysLater:
      body.calibratedOn === undefined || origin !== 'recorded' ? null : daysBetween(body.calibratedOn, at.slice(0, 10)),
    erasedOn: first?.erasedAt == null ? null : formatInstant(first.erasedAt, config.timeZone),
    // A reading that moved a vehicle's due date says it in its own words: its page checks it.
    shown:
      shown === null || (shown.type === null && body.calibratedOn !== undefined)
        ? null
        : { ...shown, values: without(shown.values, new Set(erased.map(({ field }) => field))) },
  };
}

// What was erased cannot be compared, and need not be: a record existed and was not altered.
const without = (values: Shown['values'], erased: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !erased.has(field)));
