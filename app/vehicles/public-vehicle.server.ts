// Reads what the API shows of a vehicle in one statement: as of one moment, in one round trip, and at the same cost
// however long its history is. What is read is what is shown: the vehicle's public columns, its files, the validation
// that was withdrawn, what the caller adds, and the states of these records, by which they are held against the log.
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { hasFindings, keepFound } from '#app/transparency-log/history-checks.server.ts';
import { mismatchedRecords } from '#app/transparency-log/record-states.server.ts';
import { stateOf, type RecordState } from '#app/transparency-log/record-snapshot.server.ts';
import type { FoundVehicle, Vehicle, VehicleFile } from './queries.server.ts';
import { BY_POLICY, shownPolicy, type ShownPolicy } from '#app/policy/queries.server.ts';
import { VEHICLE_FIELDS } from './vehicle-fields.ts';

export const LISTED = VEHICLE_FIELDS.filter((field) => field.seen === 'list');
export const OF_PAGE = VEHICLE_FIELDS.filter((field) => field.seen === 'page');
const OF_RECORD = ['id', 'rego', 'origin', 'deletedAt', 'lastCalibratedAt', 'restsOn'] as const;

/** The columns that anyone may see, and those that the verdict needs. */
export type PublicVehicle = Pick<
  Vehicle,
  (typeof LISTED)[number]['column'] | (typeof OF_PAGE)[number]['column'] | (typeof OF_RECORD)[number]
>;
export type ShownFile = Pick<VehicleFile, 'role' | 'fileId' | 'externalUrl'>;
export const fileUrl = ({ fileId, externalUrl }: Omit<ShownFile, 'role'>): string =>
  fileId === null ? externalUrl : `/files/${fileId}`;

/** What the caller adds to a vehicle's answer: what comes from folders above this one. */
export type BesideVehicle<Found> = {
  /** A JSON value, as SQL over the vehicle's row, `v`. */
  sql: RawBuilder<Found>;
  /** The states of the records that it shows. */
  records: (found: Found) => RecordState[];
};

export type ShownVehicle<Found> = {
  vehicle: PublicVehicle;
  files: ShownFile[];
  policy: ShownPolicy;
  /** When the latest validation was withdrawn. Null: it was not, or there is none. */
  withdrawnAt: Date | null;
  beside: Found;
  /** Whether each of these records is the same as in the log, and the last check of the whole history found nothing. */
  matchesLog: boolean;
};

type Row<Found> = PublicVehicle & {
  record: RecordState;
  hasFindings: boolean;
  policyVersion: number | null;
  dueSoonDays: number | null;
  files: (ShownFile & { record: RecordState | null })[];
  withdrawal: { at: string; record: RecordState } | null;
  beside: Found;
};

/** Reads the vehicle with a (normalised) rego, and what `beside` adds to it. */
export function publicVehicleReader<Found>(
  beside: BesideVehicle<Found>,
): (
  db: Db,
  rego: string,
) => Promise<{ state: 'live'; answer: ShownVehicle<Found> } | Exclude<FoundVehicle, { state: 'live' }>> {
  // Compiled once, because Kysely needs as long to compile it as the database needs to answer.
  let compiled: CompiledQuery<Row<Found>> | undefined;
  return async (db, rego) => {
    compiled ??= statement(beside.sql).compile(db);
    const { rows } = await db.executeQuery<Row<Found>>({ ...compiled, parameters: [rego] });
    const [row] = rows;
    if (row === undefined) return { state: 'unknown' };
    if (row.deletedAt !== null) return { state: 'removed', removedAt: row.deletedAt };
    const { record, hasFindings, policyVersion, dueSoonDays, files, withdrawal, beside: found, ...vehicle } = row;
    const records = [
      record,
      ...files.flatMap((file) => file.record ?? []),
      ...(withdrawal === null ? [] : [withdrawal.record]),
      ...beside.records(found),
    ];
    const names = await mismatchedRecords(db, records);
    if (!hasFindings) await keepFound(db, rego, [...names.values()]);
    const answer = {
      vehicle,
      files,
      policy: shownPolicy({ policyVersion, dueSoonDays }),
      withdrawnAt: withdrawal === null ? null : instantOf(withdrawal.at),
      beside: found,
      matchesLog: !hasFindings && names.size === 0,
    };
    return { state: 'live', answer };
  };
}

const columns = [...OF_RECORD, ...[...LISTED, ...OF_PAGE].map(({ column }) => column)];

// The rego is its only parameter. Of images the log has no record. The validation that was withdrawn is the decision
// after the last that validated (withdrawnAt in verdict.ts).
const statement = <Found>(beside: RawBuilder<Found>): RawBuilder<Row<Found>> => sql`
  with v as materialized (
    select ${sql.join(columns.map((column) => sql.ref(`t.${column}`)))}, ${stateOf('vehicle')} as record
    from vehicle t where t.rego = ${''} order by t.deleted_at desc nulls first limit 1)
  select v.*, p.version as policy_version, p.due_soon_days,
    ${hasFindings(sql`v.id`)} as has_findings, (
      select coalesce(json_agg(json_build_object('role', t.role, 'fileId', t.file_id, 'externalUrl', t.external_url,
        'record', case t.role when 'certificate' then ${stateOf('vehicle_file', 's')} end) order by t.role, t.position, t.id), '[]')
      from vehicle_file t left join stored_file s on s.id = t.file_id
      where t.vehicle_id = v.id and t.removed_at is null) as files, case when not v.calibration_validated then (
      select json_build_object('at', t.decided_at, 'record', ${stateOf('validation')})
      from (select id from validation where vehicle_id = v.id and validated order by id desc limit 1) last
      join validation t on t.vehicle_id = v.id and t.id > last.id order by t.id limit 1) end as withdrawal,
    ${beside} as beside
  from v ${BY_POLICY}`;
