// Reads everything that a vehicle's page needs in one statement: as of one moment, in one round trip. It replaces nine
// statements, each of which took longer on the way than in the database.
//
// It combines the SQL of the single reads. All its values come from the row that the rego finds. The planner does not know
// them, so it keeps one generic plan; with known ranges it would plan again each time.
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import {
  readingFromJson,
  setFromJson,
  readingsOf,
  setsOf,
  type Calibration,
  type CalibrationSet,
} from '#app/calibrations/queries.server.ts';
import type { VisitOfTruck } from '#app/calibrations/evidence.ts';
import { visitFromJson, visitsOf, type StoredVisit } from '#app/calibrations/visit-queries.server.ts';
import type { Db, InJson } from '#app/platform/database/database.server.ts';
import { FIRST_POLICY, type Policy } from '#app/policy/policy.ts';
import { POLICY_IN_FORCE } from '#app/policy/queries.server.ts';
import { checkLeaves, findingsOf, lastLeaves, type AskedLeaf } from '#app/transparency-log/check-records.server.ts';
import { badgeLeaf, type BadgeLeaf } from '#app/transparency-log/log-badge.server.ts';
import { recordsOf, VEHICLE_RECORDS } from '#app/transparency-log/vehicle-records.server.ts';
import {
  filesEverOf,
  fileFromJson,
  type FoundVehicle,
  type Vehicle,
  type VehicleFileEver,
} from '#app/vehicles/queries.server.ts';
import { timelineEvents, type TimelineEvent } from './vehicle-timeline.server.ts';

/** `since`: the activity log's size at the same moment; the page's live updates begin there. */
export type VehiclePageRecords = {
  since: number;
  policy: Policy;
  vehicle: Vehicle;
  readings: Calibration[];
  sets: CalibrationSet[];
  /** In the order of the rule, the newest first. */
  visits: VisitOfTruck[];
  files: VehicleFileEver[];
  events: TimelineEvent[];
  /** Sentences on records that differ from the public log (findMismatches). */
  mismatches: string[];
  /** Null: the vehicle is not in the log. */
  badge: BadgeLeaf | null;
};

type Related = {
  readings: InJson<Calibration>[];
  sets: InJson<CalibrationSet>[];
  visits: InJson<StoredVisit>[];
  files: InJson<VehicleFileEver>[];
  events: TimelineEvent[];
  leaves: AskedLeaf[];
  badge: BadgeLeaf | null;
};
type Row = { since: number; policy: Policy | null } & Related & (Vehicle | { [Name in keyof Vehicle]: null });

/** The records of the vehicle with this (normalised) rego, or why there are none. */
export async function readVehiclePage(
  db: Db,
  rego: string,
): Promise<{ state: 'live'; records: VehiclePageRecords } | Exclude<FoundVehicle, { state: 'live' }>> {
  const { rows } = await db.executeQuery<Row>({
    ...(compiled ??= vehiclePageStatement(rego).compile(db)),
    parameters: [rego],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no activity log');
  if (row.id === null) return { state: 'unknown' };
  const { since, policy, readings, sets, visits, files, events, leaves, badge, ...vehicle } = row;
  if (vehicle.deletedAt !== null) return { state: 'removed', removedAt: vehicle.deletedAt };
  const records = {
    since,
    policy: policy ?? FIRST_POLICY,
    vehicle,
    readings: readings.map(readingFromJson),
    sets: sets.map(setFromJson),
    visits: visits.map(visitFromJson),
    files: files.map(fileFromJson),
    events,
    mismatches: findingsOf(await checkLeaves(leaves)),
    badge,
  };
  return { state: 'live', records };
}

// Compiled once, because Kysely needs as long to compile it as the database needs to answer.
let compiled: CompiledQuery<Row> | undefined;

const all = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`;

/** The rego is its only parameter. */
export const vehiclePageStatement = (rego: string): RawBuilder<Row> => sql`
  with v as materialized (select * from vehicle where rego = ${rego} order by deleted_at desc nulls first limit 1)
  select s.size as since, ${POLICY_IN_FORCE} as policy, v.*,
    ${all(readingsOf(sql`v.id`))} as readings,
    ${all(setsOf(sql`v.id`))} as sets,
    ${all(visitsOf(sql`v.id`, sql`v.next_calibration_due_on`))} as visits,
    ${all(filesEverOf(sql`v.id`))} as files,
    ${all(timelineEvents(sql`v`))} as events,
    ${all(lastLeaves(recordsOf(sql`v`), VEHICLE_RECORDS))} as leaves,
    (select row_to_json(b) from (${badgeLeaf(sql`'vehicle'`, sql`v.id::text`, 'last')}) b) as badge
  from activity_state s left join v on true`;
