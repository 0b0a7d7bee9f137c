// Reads the words of labels, for one truck or many.
import { sql } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatMonth, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { selectVehicles } from '#app/vehicles/list-vehicles.server.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { knownVin } from '#app/vehicles/vehicle.ts';
import { findFormers } from '#app/vehicles/plates.server.ts';
import { plateWords } from '#app/vehicles/plates.ts';
import { readRegos } from '#app/vehicles/read-rego.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { LABELS_MAX, type LabelFacts } from './label.ts';
import { labelOrigin } from './label-origin.ts';

export type LabelsAnswer =
  | { state: 'found'; labels: LabelFacts[] }
  | { state: 'none' }
  | { state: 'too-many' }
  /** The registry has no public address that a label could carry. */
  | { state: 'no-public-url' };

export type LabelServices = Pick<Services, 'db' | 'config' | 'now'>;
type Row = { rego: string; plateState: string; vin: string; nextCalibrationDueOn: string | null };

// A date that is not in force is on no label.
const DUE_IN_FORCE = sql<string | null>`case when last_calibrated_at is not null and rests_on <> 'nothing'
  then next_calibration_due_on end`;

/** For the live vehicles that the `rego` parameters name, or else for all that the search and filters find. */
export async function listLabels(services: LabelServices, params: URLSearchParams): Promise<LabelsAnswer> {
  const origin = labelOrigin(services.config);
  if (origin === undefined) return { state: 'no-public-url' };
  const asked = [...new Set(params.getAll('rego'))].slice(0, LABELS_MAX + 1);
  const read = (await readRegos(services.db, asked)).flatMap((parsed) => (parsed.ok ? [parsed.rego] : []));
  const formers = await findFormers(services.db, read);
  const named = read.map((rego) => formers.get(rego)?.now ?? rego);
  if (named.length > LABELS_MAX) return { state: 'too-many' };
  const rows = await listTrucks(services, params.has('rego') ? named : undefined, params);
  if (rows.length === 0) return { state: 'none' };
  if (rows.length > LABELS_MAX) return { state: 'too-many' };
  return { state: 'found', labels: rows.map((row) => factsOf(row, services.config.registryName, origin)) };
}

const factsOf = (
  { rego, plateState, vin, nextCalibrationDueOn: due }: Row,
  registryName: string,
  origin: string,
): LabelFacts => ({
  rego,
  plate: plateWords(plateText(rego), plateState),
  vin: knownVin(vin),
  dueMonth: due === null ? null : formatMonth(due),
  registryName,
  address: `${origin}/vehicles/view/${rego}`,
});

// `named`: undefined for what the search and filters find.
async function listTrucks(
  { db, config, now }: LabelServices,
  named: readonly string[] | undefined,
  params: URLSearchParams,
): Promise<Row[]> {
  const found = selectVehicles(parseListQuery(params), todayIn(config.timeZone, now()), await currentPolicy(db));
  const where = named === undefined ? found.where : sql`deleted_at is null and rego = any(${named}::text[])`;
  const { rows } = await sql<Row>`select rego, plate_state, vin, ${DUE_IN_FORCE} as next_calibration_due_on from vehicle
    where ${where} order by rego limit ${LABELS_MAX + 1}`.execute(db);
  return rows;
}
