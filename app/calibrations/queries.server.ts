// Every read of calibrations.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/platform/database.server.ts';
import { AXLES, type Axle, type CalibrationAttribute } from './calibration.ts';
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

const select = (db: Db) =>
  db
    .selectFrom('calibration')
    .leftJoin('actor', 'actor.id', 'calibration.technicianId')
    .leftJoin('calibration as later', (join) =>
      join.onRef('later.rego', '=', 'calibration.rego').onRef('later.correctsId', '=', 'calibration.id'),
    )
    .select([
      'calibration.rego',
      'calibration.id',
      'calibration.vehicleId',
      'calibration.setId',
      'calibration.axle',
      'calibration.attribute',
      'calibration.value',
      'calibration.dueOn',
      'calibration.calibratedAt',
      'calibration.origin',
      'actor.name as technicianName',
      'actor.personId as technicianPersonId',
      IS_NAME.as('technicianIsName'),
      REMOVED_SINCE.as('technicianRemovedAt'),
      'calibration.recordedAt',
      'calibration.correctsId',
      'calibration.correctionReason',
      'later.id as supersededBy',
    ]);

/** All readings of one vehicle, newest first. */
export async function listCalibrations(db: Db, vehicleId: string): Promise<Calibration[]> {
  return select(db).where('calibration.vehicleId', '=', vehicleId).orderBy('calibration.id', 'desc').execute();
}

/** The reading with this id under this rego, over all the records the rego ever had. */
export async function findCalibration(db: Db, rego: string, id: number): Promise<Calibration | undefined> {
  return select(db).where('calibration.rego', '=', rego).where('calibration.id', '=', id).executeTakeFirst();
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

/** The sets of one vehicle, the newest visit first. */
export async function listSets(db: Db, vehicleId: string): Promise<CalibrationSet[]> {
  const rows = await db
    .selectFrom('calibrationSet as s')
    .leftJoin('actor', 'actor.id', 's.technicianId')
    .select(['s.id', 's.visitedAt', 's.recordedAt', 'actor.name as technicianName', 's.weighbridge', 's.ticketNumber'])
    .select(['s.liftAxle', 's.notes', 's.photoId', 's.axles'])
    .where('s.vehicleId', '=', vehicleId)
    .orderBy('s.visitedAt', 'desc')
    .orderBy('s.id')
    .execute();
  return rows.map((row) => ({ ...row, axles: axlesSchema.parse(row.axles) }));
}

/** The newest readings that a person recorded, under whatever name. */
export async function listRecordedBy(db: Db, personId: string, limit: number, offset: number): Promise<Calibration[]> {
  return select(db)
    .where('calibration.technicianId', 'in', (actors) =>
      actors.selectFrom('actor as own').select('own.id').where('own.personId', '=', personId),
    )
    .orderBy('calibration.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
