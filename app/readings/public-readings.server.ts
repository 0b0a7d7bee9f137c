// Reads one page of a vehicle's readings for the API in one statement, as of one moment, and holds it against the log.
// Of the readings that are not on the page only their index is read, to count them.
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db, InJson } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { recordName, stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { keepFound } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedRecords } from '#app/transparency-log/record-states.server.ts';
import type { FoundVehicle } from '#app/vehicles/queries.server.ts';
import type { Calibration } from './queries.server.ts';

export const READINGS_PER_PAGE = 100;
const PAGE_MAX = 10_000_000;

/** What anyone may see of a reading. */
export type PublicReading = Pick<
  Calibration,
  | 'id'
  | 'rego'
  | 'axle'
  | 'attribute'
  | 'value'
  | 'unit'
  | 'sides'
  | 'dueOn'
  | 'calibratedAt'
  | 'origin'
  | 'technicianName'
  | 'correctsId'
  | 'correctionReason'
  | 'supersededBy'
>;
type ReadingsPage = {
  items: (PublicReading & { matchesLog: boolean })[];
  page: number;
  pages: number;
  total: number;
  /** Ids between those of this page, and beside them at either end, that the log has and the database has no longer. */
  missing: number[];
};

type ReadWithState = PublicReading & { record: RecordState };
type Row = {
  deletedAt: Date | null;
  total: number;
  page: number;
  pages: number;
  items: InJson<ReadWithState>[];
  missing: number[];
};

/** A page of the readings of this (normalised) rego, the newest first. A page beyond the last is the last. */
export async function readPublicReadings(
  db: Db,
  rego: string,
  page: number,
): Promise<{ state: 'live'; readings: ReadingsPage } | Exclude<FoundVehicle, { state: 'live' }>> {
  const { rows } = await db.executeQuery<Row>({
    ...(compiled ??= STATEMENT.compile(db)),
    parameters: [rego, Math.min(page, PAGE_MAX)],
  });
  const [row] = rows;
  if (row === undefined) return { state: 'unknown' };
  if (row.deletedAt !== null) return { state: 'removed', removedAt: row.deletedAt };
  const mismatched = await mismatchedRecords(
    db,
    row.items.map(({ record }) => record),
  );
  await keepFound(db, rego, [...mismatched.values()]);
  const items = row.items.map(({ record, ...reading }) => ({
    ...reading,
    calibratedAt: instantOf(reading.calibratedAt),
    matchesLog: !mismatched.has(recordName(record)),
  }));
  return {
    state: 'live',
    readings: { items, page: row.page, pages: row.pages, total: row.total, missing: row.missing },
  };
}

// Compiled once, because Kysely needs as long to compile it as the database needs to answer.
let compiled: CompiledQuery<Row> | undefined;

const READING = named<PublicReading>({
  id: 't.id',
  rego: 't.rego',
  axle: 't.axle',
  attribute: 't.attribute',
  value: 't.value',
  unit: 't.unit',
  sides: 't.sides',
  dueOn: 't.due_on',
  calibratedAt: 't.calibrated_at',
  origin: 't.origin',
  technicianName: 'a.name',
  correctsId: 't.corrects_id',
  correctionReason: 't.correction_reason',
  supersededBy: 'later.id',
});

// A page reaches from the reading after it to its own last one, or to the end. The keys of two ids with as many digits
// are in the order of the ids, so the log's index gives those between them; else all of the rego are read. Compared
// byte by byte, as in vehicle-records.server.ts.
const logged = sql`array(
    select r.record_key from (
      select v.rego union select f.rego from former_plate f where f.vehicle_id = v.id) n
    cross join lateral (select record_key from record_leaf where record_table = 'calibration'
      and record_key ~>=~ (n.rego || '/' || case when b.is_long then b.lower::text else '' end) collate "default"
      and record_key ~<~ (case when b.is_long and b.upper is not null then n.rego || '/' || b.upper else n.rego || '0' end)
        collate "default" offset 0) r)`;

const STATEMENT: RawBuilder<Row> = sql`
  with v as materialized (
    select id, rego, deleted_at from vehicle where rego = ${''} order by deleted_at desc nulls first limit 1),
  n as materialized (
    select total, pages, least(${1}::int, pages) as page from (
      select total, greatest(1, ceil(total / ${sql.lit(READINGS_PER_PAGE)}::numeric))::int as pages from (
        select count(*)::int as total from calibration c where c.vehicle_id = (select id from v)) c) p),
  ids as materialized (
    select c.id from calibration c where c.vehicle_id = (select id from v)
    order by c.id desc limit ${sql.lit(READINGS_PER_PAGE)} offset (select (page - 1) * ${sql.lit(READINGS_PER_PAGE)} from n)),
  ends as materialized (
    select i.newest, case when n.page < n.pages then i.lowest end as lower, (
      select min(c.id) from calibration c where c.vehicle_id = (select id from v) and c.id > i.newest) as upper
    from n cross join (select max(id) as newest, min(id) as lowest from ids) i),
  b as materialized (
    select ends.*, lower is not null and length(lower::text) = length(coalesce(upper, newest)::text) as is_long from ends)
  select v.deleted_at, n.total, n.page, n.pages, (
      select coalesce(json_agg(r order by r.id desc), '[]') from (
        select ${READING}, ${stateOf('calibration', 'a')} as record
        from ids join calibration t on t.vehicle_id = v.id and t.id = ids.id
          left join actor a on a.id = t.technician_id
          left join calibration later on later.rego = t.rego and later.corrects_id = t.id) r) as items, (
      select coalesce(json_agg(k.id order by k.id desc), '[]') from (
        select distinct split_part(u.key, '/', 1) as rego, split_part(u.key, '/', 2)::bigint as id
        from unnest(${logged}) as u (key)) k
      where (b.lower is null or k.id >= b.lower) and (b.upper is null or k.id < b.upper) and not exists (
        select from calibration c where c.rego = k.rego and c.id = k.id)) as missing
  from v cross join n cross join b`;
