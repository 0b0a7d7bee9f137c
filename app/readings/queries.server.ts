// Reads of calibrations and calibration sets.
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { photoHiddenAt } from '#app/files/queries.server.ts';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { holdsRego } from '#app/vehicles/verdict-sql.server.ts';
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import { countsText } from '#app/transparency-log/ruling-visit.server.ts';
import type { SetReading } from './calibration-set.ts';
import type { AxleExtras } from './set-grid.ts';
import { perFact, type VisitFact, type VisitFactColumns } from './visit-fact.ts';

/** One reading, with its technician as named at the time. */
export type Calibration = SetReading & {
  rego: string;
  vehicleId: string;
  dueOn: string | null;
  origin: 'recorded' | 'imported';
  /** When the technician lost access; null while they have it, and for names that never had an account. */
  technicianRemovedAt: Date | null;
  recordedAt: Date;
  /** Why it corrects the entry `correctsId`. */
  correctionReason: string;
};

// When the row's person lost access. Somebody who was admitted again, or is an admin, has access.
const REMOVED_SINCE = `(select max(t.deleted_at) from technician t where t.person_id = actor.person_id
  and not exists (select from technician l where l.person_id = t.person_id and l.deleted_at is null)
  and not exists (select from admin a where a.person_id = t.person_id and a.deleted_at is null))`;

// An erased person has no email address either, but is still one person: their readings stay apart from other people's.
const IS_NAME = `actor.erased_at is null and exists (select from person p
  where p.id = actor.person_id and p.email is null)`;

const OF_BOTH = {
  id: 'calibration.id',
  setId: 'calibration.set_id',
  visitId: 'calibration.visit_id',
  axle: 'calibration.axle',
  attribute: 'calibration.attribute',
  value: 'calibration.value',
  unit: 'calibration.unit',
  sides: 'calibration.sides',
  dueOn: 'calibration.due_on',
  calibratedAt: 'calibration.calibrated_at',
  technicianName: 'actor.name',
  technicianPersonId: 'actor.person_id',
  correctsId: 'calibration.corrects_id',
  supersededBy: 'later.id',
};
const READING = named<Calibration>({
  ...OF_BOTH,
  rego: 'calibration.rego',
  vehicleId: 'calibration.vehicle_id',
  origin: 'calibration.origin',
  technicianIsName: IS_NAME,
  technicianRemovedAt: REMOVED_SINCE,
  recordedAt: 'calibration.recorded_at',
  correctionReason: 'calibration.correction_reason',
});
const READINGS = sql`select ${READING}
  from calibration
  left join actor on actor.id = calibration.technician_id
  left join calibration later on later.rego = calibration.rego and later.corrects_id = calibration.id`;

/** All readings of the vehicle with this id, newest first, as SQL. */
const readingsOf = (vehicleId: RawBuilder<unknown>): RawBuilder<Calibration> =>
  sql`${READINGS} where calibration.vehicle_id = ${vehicleId} order by calibration.id desc`;

/** The readings that `keys` has as columns `rego` and `id`, newest first, as SQL. */
export const readingsIn = (keys: RawBuilder<unknown>): RawBuilder<Calibration> =>
  sql`${READINGS} where (calibration.rego, calibration.id) in (select rego, id from ${keys}) order by calibration.id desc`;

/** The database writes instants into JSON as text. */
export const readingFromJson = (reading: InJson<Calibration>): Calibration => ({
  ...reading,
  calibratedAt: instantOf(reading.calibratedAt),
  technicianRemovedAt: reading.technicianRemovedAt === null ? null : instantOf(reading.technicianRemovedAt),
  recordedAt: instantOf(reading.recordedAt),
});

/** All readings of one vehicle, newest first. */
export async function listCalibrations(db: Db | Tx, vehicleId: string): Promise<Calibration[]> {
  return (await readingsOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows;
}

/**
 * A reading as the checks of a visit need it. `isCounting`: its visit counts, or it is from before there were visits;
 * `isWaiting`: its visit waits. `isOfHere`: it was recorded here, at a visit.
 */
export type JudgedReading = SetReading &
  Pick<Calibration, 'dueOn'> & { isCounting: boolean; isWaiting: boolean; isOfHere: boolean };

const IS_OF_HERE = "calibration.visit_id is not null and calibration.origin = 'recorded'";
const JUDGED = named<JudgedReading>({
  ...OF_BOTH,
  technicianIsName: `calibration.visit_id is null and ${IS_NAME}`,
  isOfHere: IS_OF_HERE,
  isCounting: `calibration.visit_id is null or ${countsText('held.state')}`,
  isWaiting: "calibration.visit_id is not null and held.state = 'waits'",
});

/** `from`: where the readings begin; 0: from the first on. All that are left out were measured before. */
export type JudgedHistory = {
  readings: JudgedReading[];
  from: number;
  /** Whether one of them was recorded here. */
  isOfHereBefore: boolean;
  sets: CalibrationSet[];
};

// Three visits of all axle groups.
const READINGS_BEFORE = 48;

/**
 * Readings of one vehicle, newest first, and their sets, as the checks need them. `since`: those that were recorded
 * later, and the newest before; without it all.
 */
export async function historyToJudge(db: Db | Tx, vehicleId: string, since?: Date): Promise<JudgedHistory> {
  const from =
    since === undefined
      ? sql`0`
      : sql`coalesce((select id from calibration where vehicle_id = ${vehicleId}::uuid and id <= ${since.getTime()}::bigint
          order by id desc offset ${sql.lit(READINGS_BEFORE - 1)} limit 1), 0)`;
  type Found = Pick<JudgedHistory, 'from'> & {
    before: boolean;
    readings: InJson<JudgedReading>[] | null;
    sets: InJson<StoredSet>[] | null;
  };
  // Each row's own by index ("offset 0"): as joins, all actors would be read, and all visits; and whether one was
  // recorded here would be looked for among all that ever were.
  const { rows } = await sql<Found>`with beginning as materialized (select ${from} as id),
    read as materialized (select ${JUDGED} from beginning
      join calibration on calibration.id >= beginning.id
      left join lateral (select * from actor where id = calibration.technician_id offset 0) actor on true
      left join lateral (select state from visit where id = calibration.visit_id offset 0) held on true
      left join calibration later on later.rego = calibration.rego and later.corrects_id = calibration.id
      where calibration.vehicle_id = ${vehicleId}::uuid)
    select id as from, readings, sets, exists (
      select from (select * from calibration c where c.vehicle_id = ${vehicleId}::uuid and c.id < beginning.id offset 0) calibration
      where ${sql.raw(IS_OF_HERE)}) as before from beginning,
      (select json_agg(read order by read.id desc) as readings from read) r,
      (select json_agg(s) as sets from (${setsIn(sql`select "setId" from read`)}) s) s`.execute(db.withoutPlugins());
  const [found] = rows;
  return {
    readings: (found?.readings ?? []).map((one) => ({ ...one, calibratedAt: instantOf(one.calibratedAt) })),
    from: found?.from ?? 0,
    isOfHereBefore: found?.before === true,
    sets: (found?.sets ?? []).map(setFromJson),
  };
}

/** The reading with this id and rego, of any vehicle record that ever had the rego. */
export async function findCalibration(db: Db, rego: string, id: number): Promise<Calibration | undefined> {
  const query = sql<Calibration>`${READINGS} where calibration.rego = ${rego} and calibration.id = ${id}`;
  return (await query.execute(db.withoutPlugins())).rows[0];
}

/** What a visit recorded in addition to its readings. Only signed-in people may see `notes`. */
export type CalibrationSet = VisitFactColumns & {
  id: string;
  visitedAt: Date;
  recordedAt: Date;
  technicianName: string | null;
  notes: string;
  /** Of the visits of one press: the id of the first. */
  together: string | null;
  photoId: string | null;
  /** When an admin hid it, here or as the photo of another visit. */
  photoHiddenAt: Date | null;
  /** The photos beside the first. */
  morePhotoIds: string[] | null;
  /** Of a visit that a phone captured: when by its clock, when it was received, and whose phone if somebody else's. */
  capturedAt: Date | null;
  receivedAt: Date | null;
  capturedBy: string | null;
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
    // Sets from before there was this choice lack it.
    other_trailer: z.boolean().default(false),
    check_sides: z.string().optional(),
    more_checks: z.array(z.object({ volt: z.string(), weight: z.string(), sides: z.string().optional() })).optional(),
  }),
);

// Its field is the name of its column in SQL.
const ofSet = ({ field }: VisitFact) => `s.${field}`;
const FACT_COLUMNS = perFact('column', { line: ofSet, choice: ofSet, groups: ofSet });

type StoredSet = Omit<CalibrationSet, 'axles'> & { axles: unknown };

const SET = named<StoredSet>({
  id: 's.id',
  visitedAt: 's.visited_at',
  recordedAt: 's.recorded_at',
  technicianName: 'actor.name',
  ...FACT_COLUMNS,
  notes: 's.notes',
  together: 's.together',
  photoId: 's.photo_id',
  photoHiddenAt: photoHiddenAt('s.photo_id'),
  morePhotoIds: 's.more_photo_ids',
  capturedAt: 's.captured_at',
  receivedAt: 's.received_at',
  capturedBy: '(select captor.name from actor captor where captor.id = s.captured_by)',
  axles: 's.axles',
});

/** The sets of the vehicle with this id, the newest visit first, as SQL. */
const setsOf = (vehicleId: RawBuilder<unknown>): RawBuilder<StoredSet> =>
  sql`select ${SET} from calibration_set s left join actor on actor.id = s.technician_id
    where s.vehicle_id = ${vehicleId} order by s.visited_at desc, s.id`;

/** The sets whose ids `ids` selects, the newest visit first, as SQL. */
export const setsIn = (ids: RawBuilder<unknown>): RawBuilder<StoredSet> =>
  sql`select ${SET} from calibration_set s left join actor on actor.id = s.technician_id
    where s.id in (${ids}) order by s.visited_at desc, s.id`;

/** Converts a row, from SQL or from JSON that the database wrote. */
export const setFromJson = (set: StoredSet | InJson<StoredSet>): CalibrationSet => ({
  ...set,
  visitedAt: instantOf(set.visitedAt),
  recordedAt: instantOf(set.recordedAt),
  photoHiddenAt: set.photoHiddenAt === null ? null : instantOf(set.photoHiddenAt),
  capturedAt: set.capturedAt === null ? null : instantOf(set.capturedAt),
  receivedAt: set.receivedAt === null ? null : instantOf(set.receivedAt),
  axles: axlesSchema.parse(set.axles),
});

/** The sets of one vehicle, the newest visit first. */
export async function listSets(db: Db | Tx, vehicleId: string): Promise<CalibrationSet[]> {
  return (await setsOf(sql`${vehicleId}`).execute(db.withoutPlugins())).rows.map(setFromJson);
}

/**
 * A condition: the person recorded the reading, under any of their names, and its rego contains `text`.
 */
export const isRecordedBy = (personId: string, text: string): RawBuilder<unknown> =>
  sql`calibration.technician_id in (select own.id from actor own where own.person_id = ${personId})
    and ${holdsRego(sql`calibration.rego`, text)}`;

/** The readings that meet the condition `recorded`, newest first. */
export async function listRecordedBy(
  db: Db,
  recorded: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Calibration[]> {
  const query = sql<Calibration>`${READINGS} where ${recorded}
    order by calibration.id desc, calibration.rego limit ${limit} offset ${offset}`;
  return (await query.execute(db.withoutPlugins())).rows;
}
