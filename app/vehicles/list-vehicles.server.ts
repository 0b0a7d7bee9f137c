// The back office's list: searched, filtered by verdict and sorted in the database, with exact totals.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { holdsName } from '#app/platform/database/name-search.server.ts';
import { foldName } from '#app/platform/process/typed-text.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedVehicles } from '#app/transparency-log/record-states.server.ts';
import { stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import { isOf } from './own-vehicles.server.ts';
import { VEHICLES_PER_PAGE, type ListedVehicle } from './queries.server.ts';
import { searchVehicles, type SearchPage } from './search-vehicles.server.ts';
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
  { today, policy }: { today: string; policy: VerdictPolicy },
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
  const listed = await findListed(db, where, { order: { sort, descending }, page });
  return { ...(await presentListed(db, listed)), page, pages, total, counts };
}

/** The live vehicle with this rego, as a list shows it. */
export async function findListedVehicle(
  db: Db,
  rego: string,
): Promise<{ vehicle: ListedVehicle; mismatched: ReadonlySet<string> } | undefined> {
  const { items, mismatched } = await listedWhere(db, sql`rego = ${rego}`);
  const [vehicle] = items;
  return vehicle === undefined ? undefined : { vehicle, mismatched };
}

/** The live vehicles among `ids`, by rego, as a list shows them: at most a page. */
export const listVehiclesById = (db: Db, ids: readonly string[]): Promise<Pick<SearchPage, 'items' | 'mismatched'>> =>
  listedWhere(db, sql`id = any(${ids}::uuid[])`);

async function listedWhere(db: Db, where: Sql): Promise<Pick<SearchPage, 'items' | 'mismatched'>> {
  const order: VehicleOrder = { sort: 'rego', descending: false };
  return presentListed(db, await findListed(db, sql`deleted_at is null and ${where}`, { order, page: 1 }));
}

async function presentListed(db: Db, listed: readonly Listed[]): Promise<Pick<SearchPage, 'items' | 'mismatched'>> {
  return {
    items: listed.map(({ record: _r, hasFindings: _f, ...item }) => item),
    mismatched: await mismatchedVehicles(
      db,
      listed.map(({ rego, record, hasFindings: found }) => ({ ...record, rego, hasFindings: found })),
    ),
  };
}

/** The page of the unfiltered list, by rego, on which `rego` is or would be. */
export async function pageOfRego(db: Db, rego: string): Promise<number> {
  const { before } = await db
    .selectFrom('vehicle')
    .select(({ fn }) => fn.countAll<number>().as('before'))
    .where('deletedAt', 'is', null)
    .where('rego', '<', rego)
    .executeTakeFirstOrThrow();
  return Math.floor(before / VEHICLES_PER_PAGE) + 1;
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
    countAll: (db) => countByVerdict(db, found, { today, policy }),
    searched: isSearch ? filters.text : undefined,
  };
}

const HAS_VISITS: Record<VisitFilter, Sql> = {
  waits: sql`id in (select vehicle_id from visit where state = 'waits')`,
  open: sql`id in (select vehicle_id from visit where state = 'open')`,
};

function holds(part: (typeof FILTERS)[number]['part'], text: string): Sql {
  if (part !== 'rego or VIN') return holdsLine(sql.ref(part), text);
  const needle = normaliseSearch(text);
  // Text without a letter or digit finds nothing.
  return needle === '' ? sql`false` : holdsText(needle);
}

// `ilike` goes by the index. It takes any character for an apostrophe or a hyphen, and the rest tells which.
function holdsLine(column: Sql, text: string): Sql {
  const folded = foldName(text);
  const pattern = `%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll(/['-]/g, '_')}%`;
  return sql`(${column} ilike ${pattern} and ${holdsName(column, text)})`;
}

const ORDERS: Record<VehicleSort, Sql> = {
  rego: sql`rego`,
  vin: sql`nullif(known_vin(vin), '')`,
  warranty: sql`warranty_expires_on`,
  due: sql`next_calibration_due_on`,
};

/** SQL of the list's order. Vehicles without a value come last in both directions, by rego. */
export const orderOf = ({ sort, descending }: VehicleOrder): Sql =>
  sql`${ORDERS[sort]} ${descending ? sql`desc` : sql`asc`} nulls last, rego`;

type Listed = ListedVehicle & { record: RecordState; hasFindings: boolean };

async function findListed(
  db: Db,
  where: Sql,
  { order, page }: { order: VehicleOrder; page: number },
): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select t.id, t.rego, t.plate_state, t.vin, t.warranty_expires_on, t.scale_serial_number,
      is_validated(t.calibration_validated, t.rests_on) as calibration_validated, t.next_calibration_due_on,
      t.last_calibrated_at, c.file_id as certificate_file_id, nullif(c.external_url, '') as certificate_url,
      ${stateOf('vehicle')} as record, ${hasFindings(sql`t.id`)} as has_findings
    from (
      select id from vehicle where ${where}
      order by ${orderOf(order)} limit ${VEHICLES_PER_PAGE} offset ${(page - 1) * VEHICLES_PER_PAGE}
    ) listed
    join vehicle t using (id)
    left join vehicle_file c on c.vehicle_id = t.id and c.role = 'certificate' and c.removed_at is null
    order by ${orderOf(order)}`.execute(db);
  return rows;
}
