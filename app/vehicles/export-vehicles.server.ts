// The list of vehicles as CSV: every vehicle that its search and filters find, in the list's order, with the
// specification's column names.
import { sql } from 'kysely';
import { todayIn } from '#app/platform/time/calendar.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { ruledAt } from './due-date.server.ts';
import { orderOf, selectVehicles } from './list-vehicles.server.ts';
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
 * The text of the file. Which vehicles are in it is read at once, their rows in blocks, so that a slow reader holds no
 * database connection.
 */
export async function* exportLines(
  db: Db,
  { regos = [], ...query }: VehicleListQuery & { regos?: readonly string[] },
  context: ExportContext,
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const { where: found } = selectVehicles(query, context.today, context.policy);
  const where = regos.length === 0 ? found : sql`deleted_at is null and rego = any(${regos}::text[])`;
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(id order by ${orderOf(query)}), '{}') as ids from vehicle where ${where}`.execute(db);
  const ids = rows[0]?.ids ?? [];
  for (let from = 0; from < ids.length; from += BLOCK)
    yield (await readExported(db, ids.slice(from, from + BLOCK)))
      .map((row) => csvLine(COLUMNS.map(({ of }) => of(row, context))))
      .join('');
}

async function readExported(db: Db, ids: readonly string[]): Promise<Exported[]> {
  const { rows } = await sql<Exported>`
    select v.*, a.name as added_by_name, u.name as updated_by_name, c.file_id as certificate_file_id,
      nullif(c.external_url, '') as certificate_url, ${ruledAt(sql`v.id`)} as ruled_at,
      ${hasFindings(sql`v.id`)} as has_findings
    from unnest(${ids}::uuid[]) with ordinality k (id, place)
    join vehicle v using (id)
    left join actor a on a.id = v.added_by
    left join actor u on u.id = v.updated_by
    left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
    where v.deleted_at is null
    order by k.place`.execute(db);
  return rows;
}
