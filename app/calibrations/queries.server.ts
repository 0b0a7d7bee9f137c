// Every read of calibrations.
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Db, InJson } from '#app/platform/database/database.server.ts';
import { AXLES, type Axle, type CalibrationAttribute } from './calibration.ts';
import { VISIT_MS } from './calibration-set.ts';
import type { Reading } from './entry-slips.ts';
import type { AxleExtras } from './set-grid.ts';

/** One reading, with its technician as named at the time. */
export type Calibration = {
  rego: string;
  id: number;
  vehicleId: string;
  setId: string | null;
  axle: Axle;
  attribute: CalibrationAttribute;
  value: string;
  dueOn: string | null;
  calibratedAt: Date;
  origin: 'recorded' | 'imported';
  technicianName: string | null;
  technicianPersonId: string | null;
  /** Only a name is known of them, which several people have. */
  technicianIsName: boolean;
  /** When the technician lost access; null while they have it, and for names that never had an account. */
  technicianRemovedAt: Date | null;
  recordedAt: Date;
  /** The entry that this one corrects, and why. */
  correctsId: number | null;
  correctionReason: string;
  /** The correction that supersedes this one. */
  supersededBy: number | null;
};

// Asked of each row's person: whoever was admitted again, or is an admin, has not lost access.
const REMOVED_SINCE = sql<Date | null>`(select max(t.deleted_at) from technician t where t.person_id = actor.person_id
  and not exists (select from technician l where l.person_id = t.person_id and l.deleted_at is null)
  and not exists (select from admin a where a.person_id = t.person_id and a.deleted_at is null))`;

// Who was erased has no name any more, and keeps what they recorded apart from others'.
const IS_NAME = sql<boolean>`actor.erased_at is null and exists (select from person p
  where p.id = actor.person_id and p.email is null)`;

const READINGS = sql`select calibration.rego, calibration.id, calibration.vehicle_id as "vehicleId",
    calibration.set_id as "setId", calibration.axle, calibration.attribute, calibration.value,
    calibration.due_on as "dueOn", calibration.calibrated_at as "calibratedAt", calibration.origin,
    actor.name as "technicianName", actor.person_id as "technicianPersonId", ${IS_NAME} as "technicianIsName",
    ${REMOVED_SINCE} as "technicianRemovedAt", calibration.recorded_at as "recordedAt",
    calibration.corrects_id as "correctsId", calibration.correction_reason as "correctionReason",
    later.id as "supersededBy"
  from calibration
  left join actor on actor.id = calibration.technician_id
  left join calibration later on later.rego = calibration.rego and later.corrects_id = calibration.id`;

/** All readings of the vehicle with this id, newest first, as SQL. */
export const readingsOf = (vehicleId: RawBuilder<unknown>): RawBuilder<Calibration> =>
  sql`${READINGS} where calibration.vehicle_id = ${vehicleId} order by calibration.id desc`;

/** As the database writes it into JSON. */
export const readingFromJson = (reading: InJson<Calibration>): Calibration => ({
  ...reading,
  calibratedAt: new Date(reading.calibratedAt),
  technicianRemovedAt: reading.technicianRemovedAt === null ? null : new Date(reading.technicianRemovedAt),
  recordedAt: new Date(reading.recordedAt),
});

/** All readings of one vehicle, newest first. */
export async function listCalibrations(db: Db, vehicleId: string): Promise<Calibration[]> {
  return (await readingsOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows;
}

/** The reading with this id under this rego, over all the records the rego ever had. */
export async function findCalibration(db: Db, rego: string, id: number): Promise<Calibration | undefined> {
  const query = sql<Calibration>`${READINGS} where calibration.rego = ${rego} and calibration.id = ${id}`;
  return (await query.execute(db.withoutPlugins())).rows[0];
}

/**
 * The readings that `personId` made of this truck within a visit's time of `at`, the latest of each kind that counts.
 * `except`: one that is being corrected.
 */
export async function listReadingsBeside(
  db: Db,
  { rego, personId, at, except = null }: { rego: string; personId: string | null; at: Date; except?: number | null },
): Promise<Reading[]> {
  const [from, to] = [new Date(at.getTime() - VISIT_MS), new Date(at.getTime() + VISIT_MS)];
  // None is recorded before it is made, so the ids begin where the time does.
  const query = sql<Reading>`select distinct on (c.axle, c.attribute) c.axle, c.attribute, c.value
    from vehicle v
    join calibration c on c.vehicle_id = v.id
    join actor on actor.id = c.technician_id
    where v.rego = ${rego} and v.deleted_at is null and actor.person_id = ${personId}::uuid
      and c.id >= ${from.getTime()} and c.calibrated_at between ${from} and ${to}
      and c.id is distinct from ${except}::bigint
      and not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)
    order by c.axle, c.attribute, c.id desc`;
  return (await query.execute(db.withoutPlugins())).rows;
}

/** What a visit recorded beside its readings. Notes are for the office. */
export type CalibrationSet = {
  id: string;
  visitedAt: Date;
  recordedAt: Date;
  technicianName: string | null;
  weighbridge: string;
  ticketNumber: string;
  liftAxle: '' | 'none' | 'raised' | 'lowered';
  notes: string;
  photoId: string | null;
  axles: ({ axle: Axle } & AxleExtras)[];
};

const axlesSchema = z.array(
  z.object({
    axle: z.enum(AXLES.map(({ axle }) => axle)),
    check_volt: z.string().nullable(),
    check_weight: z.string().nullable(),
    as_found_empty: z.string().nullable(),
    as_found_loaded: z.string().nullable(),
    sensor_replaced: z.boolean(),
  }),
);

/** The sets of the vehicle with this id, the newest visit first, as SQL. */
export const setsOf = (vehicleId: RawBuilder<unknown>): RawBuilder<StoredSet> =>
  sql`select s.id, s.visited_at as "visitedAt", s.recorded_at as "recordedAt", actor.name as "technicianName",
      s.weighbridge, s.ticket_number as "ticketNumber", s.lift_axle as "liftAxle", s.notes, s.photo_id as "photoId", s.axles
    from calibration_set s left join actor on actor.id = s.technician_id
    where s.vehicle_id = ${vehicleId} order by s.visited_at desc, s.id`;

type StoredSet = Omit<CalibrationSet, 'axles'> & { axles: unknown };

/** As the database writes it into JSON, or gives it. */
export const setFromJson = (set: StoredSet | InJson<StoredSet>): CalibrationSet => ({
  ...set,
  visitedAt: new Date(set.visitedAt),
  recordedAt: new Date(set.recordedAt),
  axles: axlesSchema.parse(set.axles),
});

/** The sets of one vehicle, the newest visit first. */
export async function listSets(db: Db, vehicleId: string): Promise<CalibrationSet[]> {
  return (await setsOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows.map(setFromJson);
}

/** Whether a person recorded a reading, under whatever name, of a rego that holds `needle` (normalised). */
export const isRecordedBy = (personId: string, needle: string): RawBuilder<unknown> =>
  sql`calibration.technician_id in (select own.id from actor own where own.person_id = ${personId})
    and ${needle === '' ? sql`true` : sql`strpos(calibration.rego, ${needle}) > 0`}`;

/** The newest readings that are `recorded` so. */
export async function listRecordedBy(
  db: Db,
  recorded: RawBuilder<unknown>,
  limit: number,
  offset: number,
): Promise<Calibration[]> {
  const query = sql<Calibration>`${READINGS} where ${recorded}
    order by calibration.id desc, calibration.rego limit ${limit} offset ${offset}`;
  return (await query.execute(db.withoutPlugins())).rows;
}
