// Visits that wait for the same failed checks. An admin opens each, and accepts them as one group, for one reason.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { isDueInTime, stateHash, whyNotYours } from '#app/visits/may-decide.server.ts';
import { reasonsFor } from '#app/visits/visit.ts';
import { heldBackBy } from '#app/visits/visit-checks.ts';
import { checksOf, findVisit } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { CHECKS } from '#app/policy/checks.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { ifAccepted, verdictThen } from './verdict-then.server.ts';
import { SINCE } from './waits-since.server.ts';

/** So many at once, the oldest first. */
export const GROUP_MAX = 20;
const LOOKED_AT_MAX = 100;
/** Of the visits that have waited longest. */
const GROUPED_MAX = 1000;

/** In the place of 'agrees', where it is a line that was taken over: these are a group of their own. */
export const TAKEN_OVER = 'taken-over';

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
/** `leftOut`: fail another check too, or are for another admin to decide. `reasons`: that may be given for each. */
export type Group = {
  since: number;
  rows: GroupRow[];
  leftOut: number;
  reasons: { value: string; label: string }[];
};
/** Visits with the same failed `checks`. */
export type Alike = { checks: string[]; words: string; n: number };

const UNKNOWN_HOLDS = CHECKS.flatMap((row) => ('unknownHolds' in row ? [row.check] : []));
// As `heldBackBy` has it.
const HELD = sql`array(
  select case when c @> '{"check": "agrees", "numbers": {"isTakenOver": true}}' then ${TAKEN_OVER} else c ->> 'check' end
  from jsonb_array_elements(v.checks) c
  where c ->> 'rule' = 'must' and c ->> 'answer' <> 'passed' and (c ->> 'answer' = 'failed'
    or c #> '{numbers,claim}' is not null or c ->> 'check' = any(${UNKNOWN_HOLDS}::text[])) order by 1)`;
const WAITING = sql`visit v join vehicle ve on ve.id = v.vehicle_id where v.state = 'waits' and ve.deleted_at is null`;

export const checksWords = (checks: readonly string[]): string =>
  checks.map((name) => CHECKS.find(({ check }) => check === name)?.name ?? 'Agrees with a taken-over line').join(', ');

/** The groups of two and more, the largest first. */
export async function listAlike(db: Db): Promise<Alike[]> {
  const { rows } = await sql<Omit<Alike, 'words'>>`select checks, count(*)::int as n from (
      select ${HELD} as checks from ${WAITING} and not v.is_stretched order by v.closed_at limit ${GROUPED_MAX}) held
    where checks <> '{}' group by checks having count(*) > 1 order by n desc, checks limit 5`.execute(db);
  return rows.map((row) => ({ ...row, words: checksWords(row.checks) }));
}

/** `failed`: the names of the checks, as `listAlike` gives them. */
export async function alikeGroup(
  { db, config, now }: Services,
  who: SignedIn,
  failed: readonly string[],
): Promise<Group> {
  const { policy, since } = await policyAndLogSize(db);
  const today = todayIn(config.timeZone, now());
  const isAlone = !(await hasOtherAdmin(db, who.personId));
  const { rows: found } = await sql<{ id: string }>`select v.id from ${WAITING}
    and ${HELD} @> ${failed}::text[] order by ${SINCE}, v.id limit ${LOOKED_AT_MAX}`.execute(db);
  const group: Group = { since, rows: [], leftOut: 0, reasons: [] };
  for (const { id } of found) {
    if (group.rows.length === GROUP_MAX) break;
    const visit = await findVisit(db, id);
    const vehicle = visit === undefined ? undefined : await findVehicleById(db, visit.vehicleId);
    if (visit === undefined || vehicle === undefined) continue;
    const checks = checksOf(visit.checks);
    const held = heldBackBy(checks);
    const isOnly = held.length === failed.length && !visit.isStretched;
    if (
      !isOnly ||
      !isDueInTime(visit) ||
      (!isAlone && (await whyNotYours(db, who, { visit, now: now() })) !== undefined)
    ) {
      group.leftOut++;
      continue;
    }
    const others = checks.filter(({ check }) => !held.includes(check));
    // A taken-over line may disagree beside what holds back one of the others: that reason is not for each.
    const reasons = reasonsFor('accepted', failed.includes(TAKEN_OVER) ? checks : []);
    group.reasons = reasons.map(({ reason, words }) => ({ value: reason, label: words }));
    const accepted = await ifAccepted(db, vehicle, visit);
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
