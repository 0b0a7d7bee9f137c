// Turns the log's filters into an SQL condition, or into errors.
import { sql, type RawBuilder } from 'kysely';
import { addDays, formatDay, instantOfDay, isDay } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { holdsName } from '#app/platform/database/name-search.server.ts';
import { readRego } from '#app/vehicles/read-rego.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { SYSTEM_NAME } from '#app/activity-log/activity.ts';
import type { LogQuery } from './log-query.ts';

type Sql = RawBuilder<unknown>;

export type LogErrors = { record?: string; from?: string; to?: string };

/** A condition on rows of activity_log (undefined: every entry), or the errors of the query. */
export type LogFilter = { ok: true; where: Sql | undefined } | { ok: false; errors: LogErrors };

/** The filter for `query`. Its days are in `zone`, and both the first and the last are included. */
export async function logFilter(db: Db, query: LogQuery, zone: string): Promise<LogFilter> {
  const { kind, record, from, to } = query;
  const about = record === '' ? undefined : await concerns(db, record);
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

// Searches the actors first, because there are far fewer actors than entries. An actor has the name at the time of the
// entry, so a person is found under every earlier name too. Commas in an address count as dots, as in the URL of a
// page.
async function doneBy(db: Db, text: string): Promise<Sql> {
  const { rows } = await sql<{ id: number }>`
    select id from actor
    where ${holdsName(sql`name`, text)}
      or position(replace(lower(${text}), ',', '.') in lower(email)) > 0`.execute(db);
  const byPerson = sql`actor_id = any(${rows.map(({ id }) => id)}::bigint[])`;
  return SYSTEM_NAME.toLowerCase().includes(text.toLowerCase()) ? sql`(${byPerson} or actor_id is null)` : byPerson;
}

// A rego matches the entries about vehicles that have or had it, removed ones too, and about their calibrations, under
// their other plates too. An
// address matches the entries about the person of the office, technician or application that has it now, and the
// entries that contain it in their details (entries of the former registry have nothing else). Only a whole rego or
// address matches, because part of a rego would also match other companies' trucks.
async function concerns(db: Db, text: string): Promise<Sql | string> {
  if (text.includes('@')) return concernsAddress(text.toLowerCase().replaceAll(',', '.'));
  const parsed = await readRego(db, text);
  return parsed.ok
    ? isAmong(sql`select index from activity_log where activity_vehicle(rego, topics) = any(array(
        select ${parsed.rego}::text
        union select v.rego collate "default" from former_plate f join vehicle v on v.id = f.vehicle_id
          where split_part(f.rego, '-', 1) = ${plateText(parsed.rego)}
        union select f.rego collate "default" from vehicle v join former_plate f on f.vehicle_id = v.id
          where v.rego = ${parsed.rego}))`)
    : `${parsed.message} Or give a whole email address.`;
}

const concernsAddress = (address: string) =>
  isAmong(sql`
  select l.index from activity_log l join (
    select role as subject, id::text as subject_id from staff where email = ${address}
    union all select 'technician', id::text from technician where email = ${address}
    union all select 'application', id::text from application where email = ${address}
  ) person using (subject, subject_id)
  union all
  select index from activity_detail where activity_address(details) = ${address}`);

// `array(…)` makes PostgreSQL find the entries first, through their own index. The planner has no statistics for such
// an expression. Otherwise it reads a million entries in the order of their time until it has found twenty of one
// vehicle.
const isAmong = (indexes: Sql) => sql`index = any(array(${indexes}))`;
