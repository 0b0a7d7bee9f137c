// An event's place in the public log, as its page shows it.
import { sql, type RawBuilder } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import { daysBetween, formatInstant, formatInstantInZone, instantOf, todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { LogBadge } from './proof-check.tsx';
import type { Shown } from '#app/tlog/check-shown.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/**
 * The badge of a record: of its first leaf, or of its last (`which`). Null: it is in no leaf. `shown` is what the page
 * shows, to be checked against the proof; a function makes it with the day in the zone of the leaf.
 */
export async function logBadge(
  { db, config }: Pick<Services, 'db'> & { config: Pick<Services['config'], 'timeZone'> },
  { table, key }: RecordRef,
  { which, shown }: { which: 'first' | 'last'; shown: Shown | null | ((zone: string | undefined) => Shown) },
): Promise<LogBadge | null> {
  const { rows } = await badgeLeaf(sql`${table}`, sql`${key}`, which).execute(db.withoutPlugins());
  const [row] = rows;
  if (row === undefined) return null;
  const zone = parseLeaf(utf8(row.entry)).body.zone;
  return presentBadge(row, config.timeZone, typeof shown === 'function' ? shown(zone) : shown);
}

export type BadgeLeaf = { index: number; entry: string; erased: string[]; erasedAt: Date | string | null };

const BADGE_LEAF = named<BadgeLeaf>({ index: 'l.index', entry: 'l.entry', erased: 'e.fields', erasedAt: 'e.at' });

export const badgeLeaf = (
  table: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  which: 'first' | 'last',
): RawBuilder<BadgeLeaf> => sql`select ${BADGE_LEAF} from record_leaf r
    join log_leaf l on l.index = r.leaf_index
    cross join lateral (select coalesce(array_agg(field), '{}') as fields, min(erased_at) as at from leaf_opening p
      where p.leaf_index = r.leaf_index and p.erased_at is not null) e
    where r.record_table = ${table} and r.record_key = ${key}
    order by r.leaf_index ${which === 'first' ? sql`asc` : sql`desc`} limit 1`;

export function presentBadge(row: BadgeLeaf, timeZone: string, shown: Shown | null): LogBadge {
  const { at, body, origin } = parseLeaf(utf8(row.entry));
  const instant = instantOf(at);
  return {
    index: row.index,
    at: formatInstantInZone(instant, timeZone),
    // What was imported, or recorded before there was a log, is logged later by its nature.
    daysLater:
      body.calibratedOn === undefined || origin !== 'recorded' ? null : daysLate(body.calibratedOn, instant, body.zone),
    erasedOn: row.erasedAt === null ? null : formatInstant(instantOf(row.erasedAt), timeZone),
    // Before visits, a reading that moved a vehicle's due date said nothing of the vehicle: the reading's own page
    // checks it.
    shown:
      shown === null || (shown.type === null && body.validated === undefined)
        ? null
        : { ...shown, values: without(shown.values, new Set(row.erased)) },
  };
}

// A leaf without a zone states the day in UTC, which in Australia is yesterday until late in the morning.
function daysLate(day: string, at: Date, zone: string | undefined): number {
  if (zone !== undefined) return daysBetween(day, todayIn(zone, at));
  const days = daysBetween(day, todayIn('UTC', at));
  return days === 1 ? 0 : days;
}

// Erased values cannot be compared, and need not be: a record existed and was not altered.
const without = (values: Shown['values'], erased: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !erased.has(field)));
