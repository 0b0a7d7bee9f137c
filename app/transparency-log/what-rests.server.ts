// On what the verdicts on vehicles rest, for the entries that cover their records. Read when the entry is made, so that
// no write can say anything else than it did.
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { isDay } from '#app/platform/time/calendar.ts';
import type { RestsOn } from '#app/tlog/rests-on.ts';
import type { Rests } from './draft-leaf.server.ts';
import { ofRulingVisit } from './ruling-visit.server.ts';
import type { RecordRef } from './record-snapshot.server.ts';

/** On what the verdict on a row of `vehicle`, `v`, rests, as SQL. */
export const RESTS_ON_NOW: RawBuilder<RestsOn> = sql`case when v.last_calibrated_at is null then 'no-calibration'
  when v.rests_on = '' then 'taken-over' else v.rests_on end`;

/** The day of the visit that rules it; null: none does, as before the first visit of one taken over. As SQL. */
export const RESTS_ON_DAY: RawBuilder<string | null> = sql`(${ofRulingVisit(sql`v.id`, sql`t.visited_on::text`)})`;

/** Of the vehicles among `records`, by their ids. */
export async function whatRests(tx: Tx, records: readonly RecordRef[]): Promise<Map<string, Rests>> {
  const ids = [...new Set(records.flatMap(({ table, key }) => (table === 'vehicle' ? [key] : [])))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; restsOn: RestsOn; day: string | null }>`
    select v.id, ${RESTS_ON_NOW} as rests_on, ${RESTS_ON_DAY} as day
    from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) asked (id)
    cross join lateral (select * from vehicle where id = asked.id::uuid offset 0) v`.execute(tx);
  // A day that no calendar has would refuse the entry.
  return new Map(
    rows.map(({ id, restsOn, day }) => [id, { restsOn, ...(day !== null && isDay(day) ? { restsOnDay: day } : {}) }]),
  );
}
