// Inserts readings, with the visits that they open, and gives each its id.
import { sql, type RawBuilder } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { readingEvent, type LoggedReading, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { recordName, type RecordRef, type WrittenRow } from '#app/transparency-log/record-snapshot.server.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import type { CalibrationInput } from './calibration-entry.ts';
import { unitOf, type CalibrationAttribute } from './calibration.ts';

const SET_BACK_MAX_MS = 3_600_000;

/** `idempotencyKey`: under which the outcome is stored with the reading; undefined to store none. */
export type ReadingToInsert = {
  who: SignedIn;
  rego: string;
  input: CalibrationInput;
  now: Date;
  zone: string;
  idempotencyKey: string | undefined;
  vehicle: VehicleOfVisit;
  actorId: number;
  visitId: string;
  isOpening: boolean;
};

type Inserted = { written: (WrittenRow & { id: number })[]; opened: WrittenRow[] };

// Inserts readings in their order, and the visits that they open. The SQL text does not depend on their number, so it is
// planned once. The vehicles are locked, so no other transaction takes the ids.
export async function insertReadings(tx: Tx, readings: readonly ReadingToInsert[]): Promise<Inserted> {
  // Each reading gets the id that it would get if the readings were written one by one.
  const counts = new Map<string, number>();
  const rows = readings.map((reading, place) => {
    const { who, rego, input, now, zone, vehicle, actorId, visitId, isOpening, idempotencyKey } = reading;
    const nth = counts.get(rego) ?? 0;
    counts.set(rego, nth + 1);
    const { axle, attribute, value, due_date: due_on, confirmed: is_confirmed } = input;
    const read = { rego, now: now.getTime(), nth, vehicle_id: vehicle.id, axle, attribute, value, due_on };
    const visit = { visit_id: visitId, is_opening: isOpening, is_confirmed, visited_on: todayIn(zone, now) };
    return { place, ...read, ...visit, technician_id: actorId, person_id: who.personId, form_key: idempotencyKey };
  });
  type Row = WrittenRow & { id: number; kept: number; opened: WrittenRow[] | null };
  const { rows: written } = await sql<Row>`with reading as (
      select nth + max(free - nth) over (partition by rego order by nth) as id, came.*
      from (
        select ${nextFreeIdOf(sql`r.rego`, sql`r.now`)} as free, r.*
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (place int, rego text, now bigint, nth int, vehicle_id uuid,
          axle text, attribute text, value text, due_on date, technician_id bigint, person_id uuid, form_key uuid,
          visit_id uuid, is_opening boolean, is_confirmed boolean, visited_on date)
      ) came
    ), opening as (
      insert into visit (id, vehicle_id, technician_id, visited_at, visited_on, opened_at, state, is_confirmed)
        select visit_id, vehicle_id, technician_id, timestamptz 'epoch' + id * interval '1 millisecond', visited_on,
          timestamptz 'epoch' + id * interval '1 millisecond', 'open', is_confirmed from reading where is_opening
        returning id::text as key, row_to_json(visit) as row
    ), written as (
      insert into calibration (rego, id, vehicle_id, visit_id, axle, attribute, value, due_on, calibrated_at, technician_id)
        select rego, id, vehicle_id, visit_id, axle, attribute, value, due_on,
          timestamptz 'epoch' + id * interval '1 millisecond', technician_id from reading
        returning rego, id, row_to_json(calibration) as row
    ), outcome as (
      select keep_forms(array_agg(form_key), array_agg(person_id), array_agg(jsonb_build_object('recorded', true, 'id', id)))
        as kept from reading where form_key is not null
    )
    select id, rego || '/' || id as key, row, kept, (select json_agg(o) from opening o) as opened
    from written join reading using (rego, id), outcome
    order by place`.execute(tx.withoutPlugins());
  // Another transaction stored one of the keys. The batch fails, each entry is written as a single, and the one with
  // that key finds the stored outcome.
  const keys = rows.filter(({ form_key: key }) => key !== undefined).length;
  if (written.some(({ kept }) => kept !== keys)) throw new Error('another transaction stored an idempotency key');
  return { written, opened: written[0]?.opened ?? [] };
}

/**
 * The id of a new record of this rego: `now` in milliseconds. If records up to an hour ahead exist, because the clock
 * was set back, it is the first millisecond after the latest of them, so a later record never looks older. Records
 * further ahead come from a clock that was wrong, and are ignored.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select ${nextFreeIdOf(sql`${rego}::text`, sql`${now}::bigint`)} as id`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for the next free id returned no row');
  return found.id;
}

const nextFreeIdOf = (rego: RawBuilder<string>, now: RawBuilder<number>): RawBuilder<number> => sql`coalesce((
  select max(c.id) + 1 from calibration c
  where c.rego = ${rego} and c.id >= ${now} and c.id < ${now} + ${sql.lit(SET_BACK_MAX_MS)}), ${now})`;

export type RecordedReading = Omit<LoggedReading, 'unit'> & { axle: Axle; attribute: CalibrationAttribute };

/** A reading as an event of the public log, with its unit. `more.corrects`: the leaf of the entry that it corrects. */
export const calibrationEvent = (
  vehicle: LoggedVehicle,
  reading: RecordedReading,
  technician: string | null,
  more: Parameters<typeof readingEvent>[3] = {},
): LeafEvent => readingEvent(vehicle, { ...reading, unit: unitOf(reading.attribute) }, technician, more);

/** Each record once, as a leaf covers it. */
export const distinct = (refs: readonly RecordRef[]): RecordRef[] => [
  ...new Map(refs.map((ref) => [recordName(ref), ref])).values(),
];
