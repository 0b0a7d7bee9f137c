// The list of vehicles as CSV: all that its search and filters find, in the order shown, under the specification's names.
import { sql, type RawBuilder } from 'kysely';
import { todayIn } from '#app/platform/time/calendar.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { matching, ORDERS } from './list-vehicles.server.ts';
import { verdictOf } from './listed-vehicle.ts';
import type { Vehicle } from './queries.server.ts';
import { parseListQuery, type VehicleListQuery } from './list-query.ts';
import { VERDICTS } from './verdict.ts';

const BLOCK = 500;

type Exported = Vehicle & {
  addedByName: string | null;
  updatedByName: string | null;
  certificateFileId: string | null;
  certificateUrl: string | null;
};
type Given = { today: string; policy: Policy; origin: string };
type Column = { name: string; of: (vehicle: Exported, given: Given) => string | boolean | null };

const COLUMNS: readonly Column[] = [
  { name: 'rego', of: ({ rego }) => rego },
  { name: 'vin', of: ({ vin }) => vin },
  { name: 'make', of: ({ make }) => make },
  { name: 'model', of: ({ model }) => model },
  { name: 'company_name', of: ({ companyName }) => companyName },
  { name: 'driver_name', of: ({ driverName }) => driverName },
  { name: 'scale_serial_number', of: ({ scaleSerialNumber }) => scaleSerialNumber },
  { name: 'fitted_location', of: ({ fittedLocation }) => fittedLocation },
  { name: 'fitted_date', of: ({ fittedOn }) => fittedOn },
  { name: 'warranty_expiry_date', of: ({ warrantyExpiresOn }) => warrantyExpiresOn },
  { name: 'next_calibration_due', of: ({ nextCalibrationDueOn }) => nextCalibrationDueOn },
  { name: 'calibration_validated', of: ({ calibrationValidated }) => calibrationValidated },
  {
    name: 'valid_calibration',
    of: (vehicle, { today, policy }) =>
      VERDICTS.find(({ verdict }) => verdict === verdictOf(vehicle, today, policy))?.tick ?? false,
  },
  { name: 'verdict', of: (vehicle, { today, policy }) => verdictOf(vehicle, today, policy) },
  { name: 'as_at', of: (_, { today }) => today },
  { name: 'policy_version', of: (_, { policy }) => String(policy.version) },
  { name: 'last_calibrated_at', of: ({ lastCalibratedAt }) => instant(lastCalibratedAt) },
  {
    name: 'certificate',
    of: ({ certificateFileId: id, certificateUrl }, { origin }) =>
      id === null ? certificateUrl : `${origin}/files/${id}`,
  },
  { name: 'notes', of: ({ notes }) => notes },
  { name: 'added_at', of: ({ addedAt }) => instant(addedAt) },
  { name: 'added_by', of: ({ addedByName }) => addedByName },
  { name: 'updated_at', of: ({ updatedAt }) => instant(updatedAt) },
  { name: 'updated_by', of: ({ updatedByName }) => updatedByName },
];

const instant = (at: Date | null) => at?.toISOString() ?? null;

/** The file that `url` asks for. `origin` is the registry's public address. */
export async function exportVehicles({ db, config, now }: Services, url: URL, origin: string): Promise<Response> {
  const today = todayIn(config.timeZone, now());
  const lines = exportLines(db, parseListQuery(url.searchParams), { today, policy: await currentPolicy(db), origin });
  return csvDownload(lines, `vehicles-${today}.csv`);
}

/** The text of the file, in blocks. Each goes on after the last row, so that no connection is held for a slow reader. */
export async function* exportLines(db: Db, query: VehicleListQuery, given: Given): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const where = matching(query, given.today, given.policy);
  const { column, present, missing } = ORDERS[query.sort];
  const { descending } = query;
  if (present === undefined) return yield* run(db, where, { column, descending }, given);
  // As the list has them: who has no value comes last, by rego.
  yield* run(db, sql`${where} and ${present}`, { column, descending }, given);
  yield* run(db, sql`${where} and ${missing}`, { column: ORDERS.rego.column, descending: false }, given);
}

type Order = { column: RawBuilder<unknown>; descending: boolean };

async function* run(
  db: Db,
  where: RawBuilder<unknown>,
  { column, descending }: Order,
  given: Given,
): AsyncGenerator<string, void, void> {
  const [direction, onward] = descending ? [sql`desc`, sql`<=`] : [sql`asc`, sql`>=`];
  for (let after: RawBuilder<unknown> = sql`true`; ;) {
    const { rows } = await sql<Exported & { orderKey: string }>`
      select v.*, a.name as added_by_name, u.name as updated_by_name, c.file_id as certificate_file_id,
        nullif(c.external_url, '') as certificate_url
      from (
        select *, (${column})::text as order_key from vehicle
        where ${where} and ${after} order by ${column} ${direction}, rego limit ${BLOCK}
      ) v
      left join actor a on a.id = v.added_by
      left join actor u on u.id = v.updated_by
      left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
      order by ${column} ${direction}, rego`.execute(db);
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map(({ of }) => of(row, given)))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < BLOCK) return;
    const { orderKey: key, rego } = last;
    after = sql`${column} ${onward} ${key} and (${column} <> ${key} or rego > ${rego})`;
  }
}
