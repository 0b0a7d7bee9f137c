// The back office's list: searched, filtered by verdict and sorted in the database, with exact totals.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedVehicles, stateOf, type RecordState } from '#app/transparency-log/record-states.server.ts';
import { isOf } from './own-vehicles.server.ts';
import { searchVehicles, VEHICLES_PER_PAGE, type ListedVehicle, type SearchPage } from './queries.server.ts';
import {
  FILTERS,
  type VehicleFilters,
  type VehicleListQuery,
  type VehicleOrder,
  type VehicleSort,
  type VisitFilter,
} from './list-query.ts';
import { normaliseSearch } from './vehicle.ts';
import { countByVerdict, hasVerdict, holdsText, sumOf, type VerdictCounts } from './verdict-sql.server.ts';
import type { VerdictPolicy } from './verdict.ts';

type Sql = RawBuilder<unknown>;

/**
 * One page of `query`, as at `today` by `policy`. `counts`: how many vehicles the same texts find with each verdict.
 */
export async function listVehicles(
  db: Db,
  { page: asked, sort, descending, ...filters }: VehicleListQuery,
  today: string,
  policy: VerdictPolicy,
): Promise<SearchPage & { counts: VerdictCounts }> {
  const { where, countAll, searched } = selectVehicles(filters, today, policy);
  if (searched !== undefined && sort === 'rego' && !descending) {
    const [page, counts] = await Promise.all([searchVehicles(db, searched, asked), countAll(db)]);
    return { ...page, counts };
  }
  const counts = await countAll(db);
  const total = sumOf(counts, filters.verdicts);
  const pages = Math.max(1, Math.ceil(total / VEHICLES_PER_PAGE));
  const page = Math.min(asked, pages);
  const ids = await idsOfPage(db, where, { sort, descending }, page, total);
  const listed = await findListed(db, ids);
  return {
    items: listed.map(({ record: _r, hasFindings: _f, ...item }) => item),
    page,
    pages,
    total,
    counts,
    mismatched: await mismatchedVehicles(
      db,
      listed.map(({ rego, record, hasFindings: found }) => ({ ...record, rego, hasFindings: found })),
    ),
  };
}

/**
 * The page of the unfiltered list, by rego, on which `rego` is or would be. Vehicles are counted by block (the first
 * two characters of the rego), so the query reads only the block of `rego`.
 */
export async function pageOfRego(db: Db, rego: string): Promise<number> {
  const block = rego.slice(0, 2);
  const { rows } = await sql<{ before: number }>`select (
      select coalesce(sum(n), 0) from (
        select n from vehicle_gram_block where gram = '' and block < ${block}
        union all
        select n from vehicle_text_change where left(rego, 2) < ${block}
      ) blocks
    ) + (
      select count(*) from vehicle
      where deleted_at is null and rego >= ${block} and rego < ${rego}
    ) as before`.execute(db);
  return Math.floor(Number(rows[0]?.before ?? 0) / VEHICLES_PER_PAGE) + 1;
}

/** The SQL of filters. `searched`: the search text, if no other filter is set. */
type Selection = { where: Sql; countAll: (db: Db) => Promise<VerdictCounts>; searched: string | undefined };

/**
 * The condition of `filters` on live rows of `vehicle`, and the matching totals of each verdict. No other code turns
 * filters into SQL. Rows and totals use the same conditions, so they always agree.
 */
export function selectVehicles(filters: VehicleFilters, today: string, policy: VerdictPolicy): Selection {
  const { verdicts, dueFrom, dueTo, visits, by, ...texts } = filters;
  const set = FILTERS.filter(({ name }) => texts[name] !== '');
  const conditions = [
    ...set.map(({ name, part }) => holds(part, texts[name])),
    ...(dueFrom === '' ? [] : [sql`next_calibration_due_on >= ${dueFrom}::date`]),
    ...(dueTo === '' ? [] : [sql`next_calibration_due_on <= ${dueTo}::date`]),
    ...(visits === '' ? [] : [HAS_VISITS[visits]]),
    ...(by === '' ? [] : [isOf(by)]),
  ];
  const found = conditions.length === 0 ? undefined : sql.join(conditions, sql` and `);
  const ofVerdict = verdicts.length === 0 ? sql`true` : hasVerdict(verdicts, today, policy);
  const isSearch =
    verdicts.length === 0 && conditions.length === set.length && set.every(({ name }) => name === 'text');
  return {
    where: sql`deleted_at is null and ${found ?? sql`true`} and ${ofVerdict}`,
    countAll: (db) => countByVerdict(db, found, today, policy),
    searched: isSearch ? filters.text : undefined,
  };
}

const HAS_VISITS: Record<VisitFilter, Sql> = {
  waits: sql`id in (select vehicle_id from visit where state = 'waits')`,
  open: sql`id in (select vehicle_id from visit where state = 'open')`,
};

function holds(part: (typeof FILTERS)[number]['part'], text: string): Sql {
  if (part !== 'rego or VIN') return sql`${sql.ref(part)} ilike ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
  const needle = normaliseSearch(text);
  // Text without a letter or digit finds nothing.
  return needle === '' ? sql`false` : holdsText(needle);
}

/**
 * Each order's column, and the conditions for rows with and without a value in it. `present` undefined: all rows have
 * one.
 */
export const ORDERS: Record<VehicleSort, { column: Sql; present: Sql | undefined; missing: Sql }> = {
  rego: { column: sql`rego`, present: undefined, missing: sql`false` },
  vin: { column: sql`vin`, present: sql`vin <> ''`, missing: sql`vin = ''` },
  warranty: byDay(sql`warranty_expires_on`),
  due: byDay(sql`next_calibration_due_on`),
};

function byDay(column: Sql) {
  return { column, present: sql`${column} is not null`, missing: sql`${column} is null` };
}

// Missing values come last in both directions, by rego. That makes two runs, so that an index gives each in order.
async function idsOfPage(
  db: Db,
  where: Sql,
  { sort, descending }: VehicleOrder,
  page: number,
  total: number,
): Promise<string[]> {
  const { column, present, missing } = ORDERS[sort];
  const from = (page - 1) * VEHICLES_PER_PAGE;
  const to = Math.min(from + VEHICLES_PER_PAGE, total);
  if (present === undefined) return idsOfRun(db, where, [{ column, descending }], from, to, total);
  const byRego = { column: sql`rego`, descending: false };
  const order = [{ column, descending }, byRego];
  // Most requests are for pages near the beginning. They need no count of the rows with a value.
  const early = from > total / 2 ? [] : await idsOfRun(db, sql`${where} and ${present}`, order, from, to, total);
  if (early.length === to - from) return early;
  const { rows } = await sql<{ n: number }>`select count(*) as n from vehicle where ${where} and ${present}`.execute(
    db,
  );
  const n = rows[0]?.n ?? 0;
  return [
    ...(await idsOfRun(db, sql`${where} and ${present}`, order, from, Math.min(to, n), n)),
    ...(await idsOfRun(db, sql`${where} and ${missing}`, [byRego], Math.max(from - n, 0), to - n, total - n)),
  ];
}

type OrderKey = { column: Sql; descending: boolean };

// The ids at the places `from` to `to` (exclusive) of a run of `length` rows. Beyond the middle it reads from the end,
// because OFFSET reads every row that it skips.
async function idsOfRun(
  db: Db,
  where: Sql,
  order: readonly OrderKey[],
  from: number,
  to: number,
  length: number,
): Promise<string[]> {
  if (to <= from) return [];
  const fromEnd = from > length / 2;
  const keys = order.map(({ column, descending }) => sql`${column} ${descending === fromEnd ? sql`asc` : sql`desc`}`);
  const { rows } = await sql<{ id: string }>`select id from vehicle where ${where}
    order by ${sql.join(keys)} limit ${to - from} offset ${fromEnd ? length - to : from}`.execute(db);
  const ids = rows.map(({ id }) => id);
  return fromEnd ? ids.toReversed() : ids;
}

type Listed = ListedVehicle & { record: RecordState; hasFindings: boolean };

async function findListed(db: Db, ids: readonly string[]): Promise<Listed[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Listed>`
    select t.id, t.rego, t.vin, t.warranty_expires_on, t.scale_serial_number,
      t.calibration_validated and t.rests_on <> 'nothing' as calibration_validated, t.next_calibration_due_on,
      t.last_calibrated_at, c.file_id as certificate_file_id, nullif(c.external_url, '') as certificate_url,
      ${stateOf('vehicle')} as record, ${hasFindings(sql`t.id`)} as has_findings
    from unnest(${ids}::uuid[]) with ordinality k (id, place)
    join vehicle t using (id)
    left join vehicle_file c on c.vehicle_id = t.id and c.role = 'certificate' and c.removed_at is null
    order by k.place`.execute(db);
  return rows;
}
