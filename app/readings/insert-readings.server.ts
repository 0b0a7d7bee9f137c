// Inserts a visit and its readings, and gives a reading its id.
import { sql, type Insertable } from 'kysely';
import type { Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { readingEvent, type LoggedReading, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { recordName, type RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import type { Tables } from '#database/tables.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { unitOf, type CalibrationAttribute } from './calibration.ts';

const SET_BACK_MAX_MS = 3_600_000;

type NewVisit = Omit<Insertable<Tables['visit']>, 'visitedAt' | 'visitedOn' | 'state'> & { visitedAt: Date };

/** Inserts an open visit. `openedAt`: of two visits of one day the one that was opened later rules. */
export async function insertVisit(tx: Tx, visit: NewVisit, zone: string): Promise<void> {
  const visitedOn = todayIn(zone, visit.visitedAt);
  await tx
    .insertInto('visit')
    .values({ ...visit, visitedOn, state: 'open' })
    .execute();
}

export type RecordedReading = Omit<LoggedReading, 'unit'> & { axle: Axle; attribute: CalibrationAttribute };

type OfReadings = Pick<Insertable<Tables['calibration']>, 'rego' | 'vehicleId' | 'visitId' | 'setId' | 'technicianId'>;

export async function insertReadings(tx: Tx, of: OfReadings, readings: readonly RecordedReading[]): Promise<void> {
  await tx
    .insertInto('calibration')
    .values(readings.map((reading) => ({ ...of, ...reading })))
    .execute();
}

/**
 * The id of a new record of this rego: `now` in milliseconds. If records up to an hour ahead exist, because the clock
 * was set back, it is the first millisecond after the latest of them, so a later record never looks older. Records
 * further ahead come from a clock that was wrong, and are ignored. Call it after the vehicle is locked.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce((
    select max(c.id) + 1 from calibration c
    where c.rego = ${rego} and c.id >= ${now}::bigint and c.id < ${now}::bigint + ${sql.lit(SET_BACK_MAX_MS)}), ${now}::bigint
  ) as id`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for the next free id returned no row');
  return found.id;
}

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
