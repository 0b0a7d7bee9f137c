// The list of vehicles as CSV: every vehicle that its search and filters find, in the list's order, with the
// specification's column names.
import { sql } from 'kysely';
import { todayIn } from '#app/platform/time/calendar.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { CSV_BEGIN, csvLine, csvLineForExcel } from '#app/platform/http/csv.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { hasFindings } from '#app/transparency-log/history-checks.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { ruledAt } from './due-date.server.ts';
import { COLUMNS, type Exported, type ExportContext } from './export-columns.ts';
import { orderOf, selectVehicles } from './list-vehicles.server.ts';
import { parseListQuery, type VehicleListQuery } from './list-query.ts';

const BLOCK = 500;

/**
 * The CSV file, with `for=excel` one in which Excel changes nothing, for the ticked vehicles of `url`, else for its
 * search and filters. `origin`: the public address.
 */
export async function exportVehicles({ db, config, now }: Services, url: URL, origin: string): Promise<Response> {
  const today = todayIn(config.timeZone, now());
  const regos = url.searchParams.getAll('rego');
  const lines = exportLines(
    db,
    { ...parseListQuery(url.searchParams), regos },
    {
      today,
      policy: await currentPolicy(db),
      origin,
      lineOf: url.searchParams.get('for') === 'excel' ? csvLineForExcel : csvLine,
    },
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
  { lineOf = csvLine, ...context }: ExportContext & { lineOf?: typeof csvLine },
): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + lineOf(COLUMNS.map(({ name }) => name));
  const { where: found } = selectVehicles(query, context.today, context.policy);
  const where = regos.length === 0 ? found : sql`deleted_at is null and rego = any(${regos}::text[])`;
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(id order by ${orderOf(query)}), '{}') as ids from vehicle where ${where}`.execute(db);
  const ids = rows[0]?.ids ?? [];
  for (let from = 0; from < ids.length; from += BLOCK)
    yield (await readExported(db, ids.slice(from, from + BLOCK)))
      .map((row) => lineOf(COLUMNS.map(({ of }) => of(row, context))))
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
