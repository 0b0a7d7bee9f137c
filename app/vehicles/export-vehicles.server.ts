// The list of vehicles as CSV: every vehicle that its search and filters find, in the list's order, with the
// specification's column names.
import { sql, type RawBuilder } from 'kysely';
import { todayIn } from '#app/platform/time/calendar.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { ruledAt } from './due-date.server.ts';
import { ORDERS, selectVehicles } from './list-vehicles.server.ts';
import { verdictOf } from './listed-vehicle.ts';
import type { Vehicle } from './queries.server.ts';
import { parseListQuery, type VehicleListQuery } from './list-query.ts';
import { VEHICLE_FIELDS, type Field } from './vehicle-fields.ts';
import { isDueInForce, lastCountedAt } from './verdict.ts';
import { VERDICTS } from './verdict-table.ts';

const BLOCK = 500;

type Exported = Vehicle & {
  addedByName: string | null;
  updatedByName: string | null;
  certificateFileId: string | null;
  certificateUrl: string | null;
  ruledAt: Date | null;
  hasFindings: boolean;
};
/** The same for every row. `origin`: the registry's public address. */
type ExportContext = { today: string; policy: Policy; origin: string };
type Column = { name: string; of: (vehicle: Exported, context: ExportContext) => string | boolean | null };

const columnOf = ({ name, column }: Field): Column => ({ name, of: (vehicle) => vehicle[column] });
const COLUMNS: readonly Column[] = [
  { name: 'rego', of: ({ rego }) => rego },
  ...VEHICLE_FIELDS.filter(({ kind }) => kind !== 'text').map(columnOf),
  {
    name: 'valid_calibration',
    of: (vehicle, { today, policy }) =>
      !vehicle.hasFindings &&
      VERDICTS.some(({ verdict, tick }) => tick && verdict === verdictOf(vehicle, today, policy)),
  },
  { name: 'verdict', of: (vehicle, { today, policy }) => verdictOf(vehicle, today, policy) },
  // Of a date without a visit that counts: kept, and in force only with one.
  { name: 'due_in_force', of: (vehicle) => vehicle.nextCalibrationDueOn !== null && isDueInForce(vehicle) },
  // By the last check of its whole history, and by what was seen since.
  { name: 'matches_log', of: (vehicle) => !vehicle.hasFindings },
  { name: 'as_at', of: (_, { today }) => today },
  { name: 'policy_version', of: (_, { policy }) => String(policy.version) },
  { name: 'last_calibrated_at', of: (vehicle) => instant(lastCountedAt(vehicle, vehicle.ruledAt)) },
  {
    name: 'certificate',
    of: ({ certificateFileId: id, certificateUrl }, { origin }) =>
      id === null ? certificateUrl : `${origin}/files/${id}`,
  },
  ...VEHICLE_FIELDS.filter(({ kind }) => kind === 'text').map(columnOf),
  { name: 'added_at', of: ({ addedAt }) => instant(addedAt) },
  { name: 'added_by', of: ({ addedByName }) => addedByName },
  { name: 'updated_at', of: ({ updatedAt }) => instant(updatedAt) },
  { name: 'updated_by', of: ({ updatedByName }) => updatedByName },
];

/** The names of all of them. An import reads those that are fields of the form. */
export const EXPORTED_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

const instant = (at: Date | null) => at?.toISOString() ?? null;

/** The CSV file for the ticked vehicles of `url`, or else for its search and filters. `origin` is the registry's public address. */
export async function exportVehicles({ db, config, now }: Services, url: URL, origin: string): Promise<Response> {
  const today = todayIn(config.timeZone, now());
  const regos = url.searchParams.getAll('rego');
  const lines = exportLines(
    db,
    { ...parseListQuery(url.searchParams), regos },
    { today, policy: await currentPolicy(db), origin },
  );
  return csvDownload(lines, `vehicles-${today}.csv`);
}

/**
 * The text of the file, in blocks of `BLOCK` rows. Each block is a query of its own that continues after the last row,
 * so a slow reader holds no database connection.
 */
export async function* exportLines(
  db: Db,
  { regos = [], ...query }: VehicleListQuery & { regos?: readonly string[] },
  context: ExportContext,
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const { where: found } = selectVehicles(query, context.today, context.policy);
  const where = regos.length === 0 ? found : sql`deleted_at is null and rego = any(${regos}::text[])`;
  const { column, present, missing } = ORDERS[query.sort];
  const { descending } = query;
  if (present === undefined) return yield* run(db, where, { column, descending }, context);
  // As in the list, vehicles without a value come last, by rego.
  yield* run(db, sql`${where} and ${present}`, { column, descending }, context);
  yield* run(db, sql`${where} and ${missing}`, { column: ORDERS.rego.column, descending: false }, context);
}

type Order = { column: RawBuilder<unknown>; descending: boolean };

async function* run(
  db: Db,
  where: RawBuilder<unknown>,
  { column, descending }: Order,
  context: ExportContext,
): AsyncGenerator<string, void, void> {
  const [direction, onward] = descending ? [sql`desc`, sql`<=`] : [sql`asc`, sql`>=`];
  for (let after: RawBuilder<unknown> = sql`true`; ;) {
    const { rows } = await sql<Exported & { orderKey: string }>`
      select v.*, a.name as added_by_name, u.name as updated_by_name, c.file_id as certificate_file_id,
        nullif(c.external_url, '') as certificate_url, ${ruledAt(sql`v.id`)} as ruled_at,
        ${hasFindings(sql`v.id`)} as has_findings
      from (
        select *, (${column})::text as order_key from vehicle
        where ${where} and ${after} order by ${column} ${direction}, rego limit ${BLOCK}
      ) v
      left join actor a on a.id = v.added_by
      left join actor u on u.id = v.updated_by
      left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
      order by ${column} ${direction}, rego`.execute(db);
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map(({ of }) => of(row, context)))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < BLOCK) return;
    const { orderKey: key, rego } = last;
    after = sql`${column} ${onward} ${key} and (${column} <> ${key} or rego > ${rego})`;
  }
}
