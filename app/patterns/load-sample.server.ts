// Reads the visits that patterns are looked for in: all of a year from one snapshot, or those that one visit is held
// against.
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { CalibrationAttribute } from '#app/readings/calibration.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { detailsIn, type Details } from '#app/vehicles/group-details.ts';
import { sampleOf, type Sample, type SampleAxle, type SampleVisit } from './sample.ts';

const ROWS_A_BLOCK = 5000;
/** Of the truck, before the visit. */
const BEFORE_MAX = 6;

type Row = {
  id: string;
  technician: string;
  vehicle: string;
  make: string;
  groupDetails: string;
  at: number;
  place: string | null;
  latitude: string | null;
  longitude: string | null;
  intervalKg: number | null;
  dueAt: number | null;
  ticket: string;
  sha256: string | null;
  dhash: string | null;
  judged: string | null;
  axles: unknown;
  readings: string;
  together: string | null;
};

/** From the first instant on, before the last. Visits of people that nobody names are not in it. */
export async function loadSample(db: Db, { from, to }: { from: Date; to: Date }): Promise<Sample> {
  const strings = new Map<string, string>();
  // One copy of what comes again: four million readings share a few thousand people, makes and places.
  const shared = (text: string) => strings.get(text) ?? (strings.set(text, text), text);
  const visits: PressedVisit[] = [];
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`declare sample cursor for ${visitsOf(
        sql`v.visited_at >= ${from} and v.visited_at < ${to}`,
        sql`(select c.visit_id, ${READINGS} as readings from calibration c
          where c.visit_id is not null and c.calibrated_at >= ${from}::timestamptz - interval '1 day' and ${NOT_SUPERSEDED}
          group by c.visit_id) c on c.visit_id = v.id`,
      )}`.execute(tx);
      for (;;) {
        const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_A_BLOCK)} from sample`.execute(tx);
        for (const row of rows) visits.push({ visit: visitOf(row, shared), together: row.together });
        if (rows.length === 0) return;
      }
    });
  return sampleOf(pressedOnce(visits));
}

type PressedVisit = { visit: SampleVisit; together: string | null };

// The visits of one press are one: the first of them, with the axle groups of all.
function pressedOnce(visits: readonly PressedVisit[]): SampleVisit[] {
  const first = new Map(visits.flatMap(({ visit, together }) => (visit.id === together ? [[together, visit]] : [])));
  const others = visits.filter(({ visit, together }) => visit.id !== together && first.has(together ?? ''));
  for (const { visit, together } of others) {
    const one = first.get(together ?? '');
    if (one !== undefined) first.set(one.id, { ...one, axles: [...one.axles, ...visit.axles] });
  }
  const merged = new Set(others.map(({ visit }) => visit));
  return visits.flatMap(({ visit }) => (merged.has(visit) ? [] : [first.get(visit.id) ?? visit]));
}

/**
 * What the visit `id` is held against as it closes: its technician's visits since `from`, the truck's newest before it,
 * and those with its ticket, its picture or the four readings of one of its axles.
 */
export async function loadSampleAround(db: Db | Tx, id: string, from: Date): Promise<Sample> {
  const { rows } = await sql<Row>`with it as (
      select v.id, v.vehicle_id, v.visited_at, a.person_id, s.ticket_number, s.photo_sha256
      from visit v left join actor a on a.id = v.technician_id left join calibration_set s on s.id = v.id where v.id = ${id}),
    near as (
      select v.id from it join actor a on a.person_id = it.person_id join visit v on v.technician_id = a.id
        where v.visited_at >= ${from}
      union select b.id from it cross join lateral (select v.id from visit v where v.vehicle_id = it.vehicle_id
        order by ${newestFirst('v')} limit ${BEFORE_MAX}) b
      union select id from calibration_set
        where ticket_number = (select ticket_number from it) and ticket_number <> ''
      union select id from calibration_set
        where photo_sha256 = (select photo_sha256 from it) and photo_sha256 is not null
      union select f.visit_id from it
        join axle_fingerprint own on own.vehicle_id = it.vehicle_id and own.visit_id = it.id
        join axle_fingerprint f on f.fingerprint = own.fingerprint where f.visit_id is not null)
    ${visitsOf(sql`v.id in (select id from near)`, READINGS_OF_EACH)}`.execute(db);
  return sampleOf(pressedOnce(rows.map((row) => ({ visit: visitOf(row), together: row.together }))));
}

/** The visits with these ids, oldest first, at most `limit` of the newest. */
export async function loadVisits(db: Db | Tx, ids: readonly string[], limit: number): Promise<SampleVisit[]> {
  const { rows } = await sql<Row>`${visitsOf(sql`v.id = any(${ids}::uuid[])`, READINGS_OF_EACH)}
    order by v.visited_at desc, v.id limit ${limit}`.execute(db);
  return rows.map((row) => visitOf(row)).toReversed();
}

// Outputs in other units than V are left out: what is usual was measured in V.
const READINGS = sql`string_agg(c.axle || ' ' || c.attribute || ',' || c.value, ';') filter (where c.unit is null)`;
const NOT_SUPERSEDED = sql`not exists (select from calibration later where later.rego = c.rego and later.corrects_id = c.id)`;
const READINGS_OF_EACH = sql`lateral (select ${READINGS} as readings from calibration c
  where c.visit_id = v.id and ${NOT_SUPERSEDED}) c on c.readings is not null`;

// Closed visits that somebody recorded here, whatever became of them.
const visitsOf = (which: RawBuilder<unknown>, readings: RawBuilder<unknown>) => sql`
  select v.id, a.person_id as technician, v.vehicle_id as vehicle, ve.make, ve.group_details,
    (extract(epoch from v.visited_at) * 1000)::bigint as at, r.id as place, r.latitude, r.longitude, r.interval_kg,
    (extract(epoch from v.due_on::timestamp) * 1000)::bigint as due_at,
    coalesce(s.ticket_number, '') as ticket, s.photo_sha256 as sha256, s.photo_dhash::text as dhash, v.judged, s.axles, s.together,
    c.readings
  from visit v join actor a on a.id = v.technician_id and a.person_id is not null join vehicle ve on ve.id = v.vehicle_id
    left join calibration_set s on s.id = v.id left join reference r on r.id = v.reference_id and r.latitude <> '' and r.longitude <> '' join ${readings}
  where v.origin = 'recorded' and isfinite(v.visited_at)
    and v.state not in ('open', 'taken-over') and ${which}`;

const extrasSchema = z.array(
  z.object({
    axle: z.string(),
    as_found_empty: z.string().nullish(),
    as_found_loaded: z.string().nullish(),
    sensor_replaced: z.boolean().nullish(),
    other_trailer: z.boolean().nullish(),
  }),
);

function visitOf(row: Row, shared = (text: string) => text): SampleVisit {
  const { place, sha256, dhash, intervalKg, dueAt } = row;
  return {
    id: row.id,
    technician: shared(row.technician),
    vehicle: shared(row.vehicle),
    make: shared(row.make),
    at: row.at,
    hasTime: true,
    ...(dueAt === null ? {} : { dueAt }),
    place:
      place === null
        ? null
        : {
            id: shared(place),
            latitude: Number(row.latitude),
            longitude: Number(row.longitude),
            ...(intervalKg === null ? {} : { stepKg: intervalKg }),
          },
    ticket: row.ticket,
    photo: sha256 === null ? null : { sha256, dhash: dhash === null ? null : hexOf(dhash) },
    isComplete: row.judged !== 'partial',
    axles: axlesOf(row, detailsIn(row.groupDetails)),
  };
}

const hexOf = (bits: string): string => BigInt(`0b${bits}`).toString(16).padStart(16, '0');

// Axle groups with all four readings.
function axlesOf({ readings, axles }: Row, details: Details): SampleAxle[] {
  const values = new Map(readings.split(';').map((reading) => partsOf(reading)));
  const extras = axles === null ? [] : extrasSchema.parse(axles);
  return AXLES.flatMap(({ axle }) => {
    const read = (attribute: CalibrationAttribute): number => Number(values.get(`${axle} ${attribute}`) ?? NaN);
    const extra = extras.find((one) => one.axle === axle);
    const reference = referenceOf(axle, details[axle]);
    const group: SampleAxle = {
      axle,
      ...(reference?.isTyped === false ? { referenceKg: reference.kg } : {}),
      emptyVolt: Math.round(read('Empty Volt') * 100),
      emptyWeight: Math.round(read('Empty Weight')),
      loadedVolt: Math.round(read('Loaded Volt') * 100),
      loadedWeight: Math.round(read('Loaded Weight')),
      foundEmpty: kilograms(extra?.as_found_empty),
      foundLoaded: kilograms(extra?.as_found_loaded),
      sensorReplaced: extra?.sensor_replaced === true,
      otherTrailer: extra?.other_trailer === true,
    };
    const isWhole = Number.isFinite(group.emptyVolt + group.emptyWeight + group.loadedVolt + group.loadedWeight);
    return isWhole ? [group] : [];
  });
}

function partsOf(reading: string): [name: string, value: string] {
  const [name = '', value = ''] = reading.split(',');
  return [name, value];
}

const kilograms = (text: string | null | undefined): number | null =>
  text === null || text === undefined || text === '' ? null : Math.round(Number(text));
