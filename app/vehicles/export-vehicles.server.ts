// The list of vehicles as CSV: all that its search and filters find, by rego, under the specification's names.
import { sql } from 'kysely';
import { todayIn } from '#app/platform/calendar.ts';
import { csvDownload } from '#app/platform/csv-download.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/csv.ts';
import type { Db } from '#app/platform/database.server.ts';
import type { Services } from '#app/platform/services.server.ts';
import type { Policy } from '#app/registry-settings/policy.ts';
import { currentPolicy } from '#app/registry-settings/queries.server.ts';
import { matching } from './list-vehicles.server.ts';
import { verdictOf } from './listed-vehicle.ts';
import type { Vehicle } from './queries.server.ts';
import { parseListQuery, type VehicleListQuery } from './list-query.ts';
import { normaliseSearch } from './vehicle.ts';
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

/** The text of the file, in blocks. Each goes on after the last rego, so that no connection is held for a slow reader. */
export async function* exportLines(db: Db, query: VehicleListQuery, given: Given): AsyncGenerator<string, void, void> {
  yield CSV_BEGIN + csvLine(COLUMNS.map(({ name }) => name));
  const needle = normaliseSearch(query.text);
  if (query.text !== '' && needle === '') return;
  const where = matching(query, needle, given.today, given.policy);
  for (let last = ''; ;) {
    const { rows } = await sql<Exported>`
      select v.*, a.name as added_by_name, u.name as updated_by_name, c.file_id as certificate_file_id,
        nullif(c.external_url, '') as certificate_url
      from (select * from vehicle where ${where} and rego > ${last} order by rego limit ${BLOCK}) v
      left join actor a on a.id = v.added_by
      left join actor u on u.id = v.updated_by
      left join vehicle_file c on c.vehicle_id = v.id and c.role = 'certificate' and c.removed_at is null
      order by v.rego`.execute(db);
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map(({ of }) => of(row, given)))).join('');
    if (rows.length < BLOCK) return;
    last = rows.at(-1)?.rego ?? '';
  }
}
