// Reads everything that a vehicle's page needs in one statement: as of one moment, in one round trip. It replaces nine
// statements, each of which took longer on the way than in the database. How much it reads says
// shown-records.server.ts.
//
// It combines the SQL of the single reads. All its values come from the row that the rego finds. The planner does not
// know them, so it keeps one generic plan; with known ranges it would plan again each time.
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import {
  readingFromJson,
  setFromJson,
  readingsIn,
  setsIn,
  type Calibration,
  type CalibrationSet,
} from '#app/readings/queries.server.ts';
import { weighedWith, type WeighedWith } from '#app/readings/weighed-with.server.ts';
import { recordersIn, type Recorder } from '#app/readings/recorders.server.ts';
import type { VisitOfTruck } from '#app/visits/evidence.ts';
import { visitFromJson, visitsIn, type StoredVisit } from '#app/visits/visit-queries.server.ts';
import type { PublicCheckVisit } from '#app/check-visits/check-visit.ts';
import { lastCheckVisitOf } from '#app/check-visits/queries.server.ts';
import type { Db, InJson } from '#app/platform/database/database.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY, type Policy } from '#app/policy/policy.ts';
import { POLICY_IN_FORCE } from '#app/policy/queries.server.ts';
import {
  asLogged,
  checkLeaves,
  findingsOf,
  lastLeaves,
  withLastLeaf,
  type AskedLeaf,
} from '#app/transparency-log/check-records.server.ts';
import { asOf } from '#app/transparency-log/records-at.server.ts';
import { badgeLeaf, type BadgeLeaf } from '#app/transparency-log/log-badge.server.ts';
import { lastCheckOf, type HistoryCheck } from '#app/transparency-log/history-checks.server.ts';
import { ofRulingVisit } from '#app/transparency-log/ruling-visit.server.ts';
import { stateOfAll } from '#app/transparency-log/record-snapshot.server.ts';
import { rememberState, stateThatMatched } from '#app/transparency-log/record-states.server.ts';
import {
  missingReadings,
  recordsOf,
  shownRecordsOf,
  VEHICLE_RECORDS,
} from '#app/transparency-log/vehicle-records.server.ts';
import { formerPlatesOf, othersWith } from '#app/vehicles/plates.server.ts';
import type { FormerPlate } from '#app/vehicles/plates.ts';
import {
  filesEverOf,
  fileFromJson,
  type FoundVehicle,
  type Vehicle,
  type VehicleFileEver,
} from '#app/vehicles/queries.server.ts';
import { reportsOfVehicle } from '#app/wrong-records/open-reports.server.ts';
import type { PublicReport } from '#app/wrong-records/report.ts';
import { shownRecords, type Scope } from './shown-records.server.ts';
import { timelineEvents, type TimelineEvent } from './vehicle-timeline.server.ts';

/** `since`: the activity log's size at the same moment; the page's live updates begin there. */
export type VehiclePageRecords = {
  since: number;
  policy: Policy;
  vehicle: Vehicle;
  /** Everything from this time on is read; null: from the beginning. What the verdict rests on is, whenever it was. */
  from: Date | null;
  readings: Calibration[];
  /** How many readings there are. */
  readingsTotal: number;
  sets: CalibrationSet[];
  /** Of those who recorded the readings, the people with a page. */
  recorders: Recorder[];
  /** In the order of the rule, the newest first. */
  visits: VisitOfTruck[];
  /** How many visits wait. */
  waitingTotal: number;
  /** Where the newest reading without a visit is from; null: there is none, or a visit rules. */
  before: 'recorded' | 'imported' | null;
  /** A visit closed before `from` counts, or did before its weighbridge's withdrawal; or something was taken over. */
  countedBefore: boolean;
  isTakenOver: boolean;
  files: VehicleFileEver[];
  events: TimelineEvent[];
  /** Sentences on records that differ from the public log: of those read, and those that the last check found. */
  mismatches: string[];
  /** The last check of the whole history; null: none so far. */
  checked: HistoryCheck | null;
  /** Null: the vehicle is not in the log. */
  badge: BadgeLeaf | null;
  /** The last one; null: none. */
  checkVisit: PublicCheckVisit | null;
  /** Of the visit that rules; null: it has no set. */
  weighedWith: WeighedWith | null;
  /** The verification interval of that visit's weighbridge; null: not known. */
  intervalKg: number | null;
  /** The plates that it had, in the order of the changes. */
  plates: FormerPlate[];
  /** What is public of reports that a record of it is wrong, in their order. */
  reports: PublicReport[];
  /** Other vehicles that had its plate's text, the last first. `rego`: what they are called now. */
  others: (Pick<FormerPlate, 'untilOn' | 'why'> & { rego: string })[];
  /** Whether another live vehicle has the rego with its state behind it. */
  isShared: boolean;
};

type FromJson = 'readings' | 'sets' | 'visits' | 'files' | 'checked';
type Related = Omit<VehiclePageRecords, FromJson | 'since' | 'policy' | 'vehicle' | 'mismatches'> & {
  readings: InJson<Calibration>[];
  sets: InJson<CalibrationSet>[];
  visits: InJson<StoredVisit>[];
  files: InJson<VehicleFileEver>[];
  checked: InJson<HistoryCheck> | null;
  /** Of all records that are checked. Null: of a whole history, which is opened in the log each time. */
  state: string | null;
  /** Null: they are in the state in which they matched. */
  leaves: AskedLeaf[] | null;
  missing: number;
};
type Row = { since: number; policy: Policy | null } & Related & (Vehicle | { [Name in keyof Vehicle]: null });

/**
 * The records of the vehicle with this (normalised) rego, or why there are none. `scope`: or the size of the log with
 * which they are read as they stood, all of them.
 */
export async function readVehiclePage(
  db: Db,
  rego: string,
  scope: Scope | number,
): Promise<{ state: 'live'; records: VehiclePageRecords } | Exclude<FoundVehicle, { state: 'live' }>> {
  const { rows } = await db.executeQuery<Row>({
    ...(typeof scope === 'number'
      ? asOf(vehiclePageStatement(rego, '', 'whole'), { size: scope, names: [rego] }).compile(db)
      : {
          ...(compiled[scope] ??= vehiclePageStatement(rego, '', scope).compile(db)),
          parameters: [rego, stateThatMatched(db, nameOf(rego)) ?? ''],
        }),
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the database has no activity log');
  if (row.id === null) return { state: 'unknown' };
  const { since, policy, from, readings, readingsTotal, sets, recorders, visits, waitingTotal, ...others } = row;
  const {
    before,
    countedBefore,
    isTakenOver,
    files,
    events,
    state,
    leaves,
    missing,
    checked,
    badge,
    checkVisit,
    weighedWith: beside,
    intervalKg,
    plates,
    reports,
    others: hadIt,
    isShared,
    ...vehicle
  } = others;
  if (vehicle.deletedAt !== null) return { state: 'removed', removedAt: vehicle.deletedAt };
  const logged = typeof scope === 'number' ? (leaves ?? []).map(asLogged) : (leaves ?? []);
  const found = findingsOf(await checkLeaves(logged));
  if (state !== null) rememberState(db, nameOf(rego), found.length === 0 ? state : undefined);
  const records = {
    since,
    policy: policy ?? FIRST_POLICY,
    vehicle,
    from,
    readings: readings.map(readingFromJson),
    readingsTotal,
    sets: sets.map(setFromJson),
    recorders,
    visits: visits.map(visitFromJson),
    waitingTotal,
    before,
    countedBefore,
    isTakenOver,
    files: files.map(fileFromJson),
    events,
    mismatches: scope === 'newest' ? withStored(found, missing, checked) : found,
    checked: checked === null ? null : { ...checked, at: checked.at === null ? null : instantOf(checked.at) },
    badge,
    checkVisit,
    weighedWith: beside,
    intervalKg,
    plates,
    reports,
    others: hadIt,
    isShared,
  };
  return { state: 'live', records };
}

const nameOf = (rego: string) => `page of ${rego}`;

// What the last check found is said by its number, if what is read says it already.
function withStored(found: readonly string[], missing: number, checked: Related['checked']): string[] {
  const stored = checked?.findings ?? [];
  const all = [...new Set([...found, ...stored])];
  if (missing <= 0 || stored.length > 0) return all;
  return [...all, `The log has ${missing} ${missing === 1 ? 'entry' : 'entries'} about readings that are gone.`];
}

// Compiled once, because Kysely needs as long to compile it as the database needs to answer.
const compiled: Partial<Record<Scope, CompiledQuery<Row>>> = {};

// The actors of the readings that are shown.
const RECORDED = sql`select c.technician_id from shown_reading s join calibration c on c.rego = s.rego and c.id = s.id`;

const all = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`;

// Whether a visit of the vehicle is such. Asked as EXISTS, the visits of all vehicles would be read.
const any = (condition: RawBuilder<unknown>) =>
  sql`coalesce((select true from visit t where t.vehicle_id = v.id and ${condition} limit 1), false)`;

const PARTS = { readings: sql`shown_reading`, visits: sql`shown_visit`, validations: sql`shown_validation` };
const CHECKED = { newest: shownRecordsOf(sql`v`, PARTS), whole: recordsOf(sql`v`) } as const;

/** Its parameters: the rego, and `matched`, the state in which its records were as logged at the last check. */
export const vehiclePageStatement = (rego: string, matched: string, scope: Scope): RawBuilder<Row> => sql`
  with v as materialized (select * from vehicle where rego = ${rego} order by deleted_at desc nulls first limit 1),
  ${shownRecords(scope)},
  checked_record as materialized (${withLastLeaf(CHECKED[scope])}),
  checked_state as materialized (select ${
    scope === 'newest' ? stateOfAll(sql`checked_record`, VEHICLE_RECORDS) : sql`null::text`
  } as state)
  select s.size as since, ${POLICY_IN_FORCE} as policy, v.*,
    (select from_at from shown) as "from",
    ${all(readingsIn(sql`shown_reading`))} as readings,
    (select count(*) from calibration c where c.vehicle_id = v.id) as readings_total,
    ${all(setsIn(sql`select set_id from shown_reading union select id from shown_visit`))} as sets,
    ${all(recordersIn(RECORDED))} as recorders,
    ${all(visitsIn(sql`select id from shown_visit`, sql`v.next_calibration_due_on`))} as visits,
    (select count(*) from visit t where t.vehicle_id = v.id and t.state = 'waits') as waiting_total,
    case when v.rests_on = '' then (
      select c.origin from calibration c where c.vehicle_id = v.id and c.visit_id is null order by c.id desc limit 1) end as before,
    ${any(sql`t.closed_at < (select from_at from shown)
      and (t.state in ('counts', 'accepted') or t.before_recall in ('counts', 'accepted'))`)} as counted_before,
    v.rests_on = '' or ${any(sql`t.state = 'taken-over'`)} as is_taken_over,
    ${all(filesEverOf(sql`v.id`))} as files,
    ${all(timelineEvents(scope))} as events,
    (select state from checked_state) as state,
    case when (select state from checked_state) = ${matched} then null else
      ${all(lastLeaves(sql`select * from checked_record`, VEHICLE_RECORDS))} end as leaves,
    ${missingReadings(sql`v`)} as missing,
    (select row_to_json(c) from (${lastCheckOf(sql`v.id`)}) c) as checked,
    (select row_to_json(b) from (${badgeLeaf(sql`'vehicle'`, sql`v.id::text`, 'last')}) b) as badge,
    (select row_to_json(c) from (${lastCheckVisitOf(sql`v.id`)}) c) as check_visit,
    ${weighedWith(sql`(${ofRulingVisit(sql`v.id`, sql`t.id`)})`)} as weighed_with,
    (select r.interval_kg from reference r where r.id = (${ofRulingVisit(sql`v.id`, sql`t.reference_id`)})) as interval_kg,
    ${all(formerPlatesOf(sql`v.id`))} as plates,
    ${all(reportsOfVehicle(sql`v.id`))} as reports,
    ${all(othersWith(sql`v.id`, sql`split_part(v.rego, '-', 1)`))} as others,
    exists (select from (select deleted_at from vehicle where strpos(rego, '-') > 0 and split_part(rego, '-', 1) = v.rego
      offset 0) o where o.deleted_at is null) as is_shared
  from activity_state s left join v on true`;
