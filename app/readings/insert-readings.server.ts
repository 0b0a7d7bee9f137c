// Inserts a visit and its readings, and gives a reading its id.
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { readingEvent, type LoggedReading, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { recordName, type RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import type { Tables } from '#database/tables.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { unitOf, type CalibrationAttribute } from './calibration.ts';
import type { SetReading } from './calibration-set.ts';

const SET_BACK_MAX_MS = 3_600_000;

/** `unit`, `sides`: as stored. */
export type RecordedReading = Omit<LoggedReading, 'unit'> & { axle: Axle; attribute: CalibrationAttribute } & Pick<
    SetReading,
    'unit' | 'sides'
  >;

type OfReadings = Pick<Insertable<Tables['calibration']>, 'rego' | 'vehicleId' | 'visitId' | 'setId' | 'technicianId'>;
// As one value: sixteen readings would be 208 parameters.
const inserting = (of: OfReadings, readings: readonly RecordedReading[]) =>
  sql`insert into calibration (rego, vehicle_id, visit_id, set_id, technician_id,
      id, axle, attribute, value, due_on, calibrated_at, unit, sides)
    select ${of.rego}, ${of.vehicleId}::uuid, ${of.visitId}::uuid, ${of.setId ?? null}::uuid, ${of.technicianId}::bigint, r.*
    from jsonb_to_recordset(${JSON.stringify(readings)}::jsonb)
      as r (id bigint, axle text, attribute text, value text, "dueOn" date, "calibratedAt" timestamptz, unit text, sides text)`;

export const insertReadings = (tx: Tx, of: OfReadings, readings: readonly RecordedReading[]) =>
  inserting(of, readings).execute(tx);

type NewVisit = Omit<Insertable<Tables['visit']>, 'id' | 'visitedAt' | 'visitedOn' | 'state'> & {
  id: string;
  visitedAt: Date;
};

/**
 * Inserts an open visit with its first readings. `openedAt`: of two visits of one day the one that was opened later
 * rules.
 */
export const insertVisit = (
  tx: Tx,
  visit: NewVisit,
  {
    readings,
    zone,
    ...of
  }: Pick<OfReadings, 'rego' | 'setId'> & { readings: readonly RecordedReading[]; zone: string },
): Promise<Selectable<Tables['visit']>> =>
  tx
    .with('read', () => sql`(${inserting({ ...visit, ...of, visitId: visit.id }, readings)})`)
    .insertInto('visit')
    .values({ ...visit, visitedOn: todayIn(zone, visit.visitedAt), state: 'open' })
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * The id of a new record of this rego, and of the vehicle that has it, which may have had another before: `now` in
 * milliseconds. If records up to an hour ahead exist, because the clock was set back, it is the first millisecond after
 * the latest of them, so a later record never looks older. Records further ahead come from a clock that was wrong, and
 * are ignored. As SQL, for a statement after the vehicle is locked.
 */
export const freeId = (rego: string, now: number): RawBuilder<number> => sql`coalesce((
  select max(c.id) + 1 from (
    select id from calibration where rego = ${rego}
    union all select own.id from vehicle v join calibration own on own.vehicle_id = v.id
      where v.rego = ${rego} and v.deleted_at is null) c
  where c.id >= ${now}::bigint and c.id < ${now}::bigint + ${sql.lit(SET_BACK_MAX_MS)}), ${now}::bigint)`;

export const nextFreeId = async (tx: Tx, rego: string, now: number): Promise<number> =>
  (await tx.selectNoFrom(freeId(rego, now).as('id')).executeTakeFirstOrThrow()).id;

/** A reading as an event of the public log, with its unit. `more.corrects`: the leaf of the entry that it corrects. */
export const calibrationEvent = (
  vehicle: LoggedVehicle,
  reading: RecordedReading,
  { technician, more = {} }: { technician: string | null; more?: Parameters<typeof readingEvent>[2]['more'] },
): LeafEvent =>
  readingEvent(vehicle, { ...reading, unit: unitOf(reading.attribute, reading.unit) }, { technician, more });

/** Each record once, as a leaf covers it. */
export const distinct = (refs: readonly RecordRef[]): RecordRef[] => [
  ...new Map(refs.map((ref) => [recordName(ref), ref])).values(),
];
