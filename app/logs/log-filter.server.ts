// What the log's filters mean, in SQL, or what is wrong with them.
import { sql, type RawBuilder } from 'kysely';
import { addDays, formatDay, instantOfDay, isDay } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { parseRego } from '#app/vehicles/vehicle.ts';
import { SYSTEM_NAME } from '#app/activity-log/activity.ts';
import type { LogQuery } from './log-query.ts';

type Sql = RawBuilder<unknown>;

/** What is wrong, by field. */
export type LogErrors = { record?: string; from?: string; to?: string };

/** A condition on rows of activity_log, or what is wrong with the query. `where` undefined: every entry. */
export type LogFilter = { ok: true; where: Sql | undefined } | { ok: false; errors: LogErrors };

/** Makes the filter of `query`; its days are those of `zone`, the first and the last included. */
export async function logFilter(db: Db, query: LogQuery, zone: string): Promise<LogFilter> {
  const { kind, record, from, to } = query;
  const about = record === '' ? undefined : concerns(record);
  const errors: LogErrors = {
    ...(typeof about === 'string' ? { record: about } : {}),
    ...(from === '' || isDay(from) ? {} : { from: noDay(from) }),
    ...(to === '' || isDay(to) ? {} : { to: noDay(to) }),
  };
  if (isDay(from) && isDay(to) && to < from)
    errors.to = `${formatDay(to)} is before ${formatDay(from)}. Choose a later last day.`;
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const conditions = [
    ...(kind === null ? [] : [sql`kind = ${kind}`]),
    ...(from === '' ? [] : [sql`occurred_at >= ${instantOfDay(from, zone)}`]),
    ...(to === '' ? [] : [sql`occurred_at < ${instantOfDay(addDays(to, 1), zone)}`]),
    ...(about === undefined || typeof about === 'string' ? [] : [about]),
    ...(query.who === '' ? [] : [await doneBy(db, query.who)]),
  ];
  return { ok: true, where: conditions.length === 0 ? undefined : sql.join(conditions, sql` and `) };
}

const noDay = (text: string) => `“${text}” is not a day. Write it as 2026-11-21.`;

// People are few, entries many: the names are searched first. Names as at the time of the entry, so a person is found
// under each name they ever acted by. An address with commas for its dots, as in the address of a page, is the same.
async function doneBy(db: Db, text: string): Promise<Sql> {
  const { rows } = await sql<{ id: number }>`
    select id from actor
    where position(lower(${text}) in lower(name)) > 0
      or position(replace(lower(${text}), ',', '.') in lower(email)) > 0`.execute(db);
  const byPerson = sql`actor_id = any(${rows.map(({ id }) => id)}::bigint[])`;
  return SYSTEM_NAME.toLowerCase().includes(text.toLowerCase()) ? sql`(${byPerson} or actor_id is null)` : byPerson;
}

// A rego finds what was done to the vehicles that had it, removed ones too, and to their calibrations. An address finds
// what was done to the admin, technician or application that has it now, and the entries whose words name it (those of
// the former registry have nothing else). Either is taken whole: part of a rego would find other people's trucks.
function concerns(text: string): Sql | string {
  if (text.includes('@')) return concernsAddress(text.toLowerCase().replaceAll(',', '.'));
  const parsed = parseRego(text);
  return parsed.ok ? sql`activity_rego(topics) = ${parsed.rego}` : `${parsed.message} Or give a whole email address.`;
}

const concernsAddress = (address: string) => sql`index in (
  select l.index from activity_log l join (
    select 'admin' as subject, id::text as subject_id from admin where email = ${address}
    union all select 'technician', id::text from technician where email = ${address}
    union all select 'application', id::text from application where email = ${address}
  ) person using (subject, subject_id)
  union all
  select index from activity_detail where activity_address(details) = ${address}
)`;
