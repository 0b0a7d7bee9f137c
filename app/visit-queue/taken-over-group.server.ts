// The visits that wait only because a taken-over line disagrees. An admin opens each, and accepts them as one group.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { isDueInTime, stateHash, whyNotYours } from '#app/visits/may-decide.server.ts';
import { heldBackBy } from '#app/visits/visit-checks.ts';
import { checksOf, findVisit } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { dueIfAccepted, verdictThen } from './verdict-then.server.ts';
import { SINCE } from './waits-since.server.ts';

/** So many at once, the oldest first. */
export const GROUP_MAX = 20;
const LOOKED_AT_MAX = 100;

export type GroupRow = {
  id: string;
  rego: string;
  day: string;
  technician: string;
  others: string;
  now: Verdict;
  ifAccepted: Verdict;
  /** The visit as it is now: its id and `stateHash`. */
  token: string;
};
/** `leftOut`: fail another check too, or are for another admin to decide. */
export type Group = { since: number; rows: GroupRow[]; leftOut: number };

const DISAGREES = sql`v.state = 'waits' and ve.deleted_at is null
  and v.checks @> '[{"check": "agrees", "numbers": {"isTakenOver": true}}]'`;

/** How many visits wait with a taken-over line that disagrees. */
export async function countTakenOver(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from visit v join vehicle ve on ve.id = v.vehicle_id
    where ${DISAGREES}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function takenOverGroup({ db, config, now }: Services, who: SignedIn): Promise<Group> {
  const { policy, since } = await policyAndLogSize(db);
  const today = todayIn(config.timeZone, now());
  const isAlone = !(await hasOtherAdmin(db, who.personId));
  const { rows: found } = await sql<{ id: string }>`select v.id from visit v join vehicle ve on ve.id = v.vehicle_id
    where ${DISAGREES} order by ${SINCE}, v.id limit ${LOOKED_AT_MAX}`.execute(db);
  const group: Group = { since, rows: [], leftOut: 0 };
  for (const { id } of found) {
    if (group.rows.length === GROUP_MAX) break;
    const visit = await findVisit(db, id);
    const vehicle = visit === undefined ? undefined : await findVehicleById(db, visit.vehicleId);
    if (visit === undefined || vehicle === undefined) continue;
    const checks = checksOf(visit.checks);
    const isOnly = heldBackBy(checks).length === 1 && !visit.isStretched && visit.beforeRecall === null;
    if (
      !isOnly ||
      !isDueInTime(visit) ||
      (!isAlone && (await whyNotYours(db, who, { visit, now: now() })) !== undefined)
    ) {
      group.leftOut++;
      continue;
    }
    const others = checks.filter(({ check }) => check !== 'agrees');
    const due = await dueIfAccepted(db, vehicle, visit);
    const accepted = { ...vehicle, calibrationValidated: true, restsOn: 'visit' as const, nextCalibrationDueOn: due };
    group.rows.push({
      id,
      rego: vehicle.rego,
      day: formatDay(visit.visitedOn, 'short'),
      technician: visit.technicianName ?? 'N/A',
      others: `${others.filter(({ answer }) => answer === 'passed').length} of ${others.length} passed`,
      now: verdictThen(vehicle, today, policy).verdict,
      ifAccepted: verdictThen(accepted, today, policy).verdict,
      token: `${id}.${stateHash(visit)}`,
    });
  }
  return group;
}
