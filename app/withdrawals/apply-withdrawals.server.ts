// Applies confirmed withdrawals of weighbridges to the visits that were weighed there in that time, and their lifts:
// the leader does it, beside the work of the day, in blocks. Each block is one transaction, so a stop at any moment
// leaves it to the next leader where it was. A recording waits for one block at most.
// Locks in the order of a recording: the withdrawal, the vehicles by their ids, the log.
import { sql } from 'kysely';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { stateUnder, withoutWithdrawals, type ClosedState } from '#app/visits/withdrawn-visit.ts';
import { checksText, type Decision } from '#app/visits/visit.ts';
import { checksOf, type VisitRow } from '#app/visits/visit-queries.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { instantOf } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY, type Policy } from '#app/policy/policy.ts';
import { findPolicy } from '#app/policy/queries.server.ts';
import { findReference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { spanWords } from '#app/references/withdrawal.ts';
import {
  covering,
  withdrawalsInForce,
  type InForce,
  type Withdrawal,
} from '#app/references/withdrawal-queries.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { visitsWeighedAt } from '#app/transparency-log/weighed-places.server.ts';
import { withdrawalsOver } from '#app/visits/reference-facts.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import { applyDueRules, type Ruled } from '#app/vehicles/due-date.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';

const VISITS_A_BLOCK = 1000;

type Applying = { now: () => Date; isLost: () => boolean; visitsABlock?: number };

/** Applies until all are applied, or `isLost`: another node does it then. Returns how many visits changed. */
export async function applyWithdrawals(
  db: Db,
  { now, isLost, visitsABlock = VISITS_A_BLOCK }: Applying,
): Promise<number> {
  let changed = 0;
  for (;;) {
    if (isLost()) return changed;
    const block = await db.transaction().execute((tx) => applyBlock(tx, now(), visitsABlock));
    if (block === undefined) return changed;
    changed += block;
  }
}

// Undefined: nothing is left.
async function applyBlock(tx: Tx, now: Date, limit: number): Promise<number | undefined> {
  const withdrawal = await nextToApply(tx);
  if (withdrawal === undefined) return undefined;
  const { id, referenceId, fromOn, toOn, appliedOn, appliedThrough, liftedAt } = withdrawal;
  const after =
    appliedOn === null || appliedThrough === null
      ? sql`true`
      : sql`(visited_on, id) > (${appliedOn}::date, ${appliedThrough}::uuid)`;
  // Visits that are open read the withdrawals when they close.
  const { rows: reached } = await sql<{ id: string; vehicleId: string; visitedOn: string }>`
    select id, vehicle_id, visited_on from visit
    where id in ${visitsWeighedAt(sql`${referenceId}::uuid`, { fromOn: sql`${fromOn}::date`, toOn: sql`${toOn}::date` })}
      and ${after} and state not in ('open', 'taken-over')
    order by visited_on, id limit ${limit}`.execute(tx);
  const last = reached.at(-1);
  if (last === undefined) {
    await tx
      .updateTable('referenceWithdrawal')
      .set(liftedAt === null ? { appliedAt: now } : { liftAppliedAt: now })
      .where('id', '=', id)
      .execute();
    return 0;
  }
  await tx
    .updateTable('referenceWithdrawal')
    .set({ appliedOn: last.visitedOn, appliedThrough: last.id })
    .where('id', '=', id)
    .execute();
  return applyTo(tx, withdrawal, reached);
}

async function nextToApply(tx: Tx): Promise<Withdrawal | undefined> {
  return tx
    .selectFrom('referenceWithdrawal')
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        and([eb('confirmedAt', 'is not', null), eb('appliedAt', 'is', null), eb('liftedAt', 'is', null)]),
        and([eb('liftedAt', 'is not', null), eb('liftAppliedAt', 'is', null)]),
      ]),
    )
    .orderBy('confirmedAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

type Column = 'id' | 'vehicleId' | 'visitedOn' | 'state' | 'isStretched' | 'policyVersion' | 'dueOn' | 'personId';
type Reached = Pick<VisitRow, Column | 'checks' | 'withoutRecall' | 'beforeRecall'> & {
  decision: { decision: Decision; at: string } | null;
  referenceId: string | null;
  isWeighedApart: boolean;
};
type Ids = readonly { id: string; vehicleId: string }[];

async function applyTo(tx: Tx, withdrawal: Withdrawal, reached: Ids): Promise<number> {
  const { referenceId, confirmedBy, liftedBy, liftedAt } = withdrawal;
  const vehicles = await lockVehicles(tx, reached);
  const visits = await readVisits(tx, reached);
  const inForce = await withdrawalsInForce(tx, referenceId);
  const policyOf = await readPolicies(tx, visits);
  // Of one that names other weighbridges too, their withdrawals hold as well.
  const apart = new Map<string, InForce[]>();
  for (const visit of visits) if (visit.isWeighedApart) apart.set(visit.id, await withdrawalsOver(tx, visit));
  const moved = visits.flatMap((visit) => {
    const { visitedOn, decision, isStretched, policyVersion } = visit;
    const stored = visit.withoutRecall === null ? null : checksOf(visit.withoutRecall);
    const unwithdrawn = {
      checks: withoutWithdrawals(checksOf(visit.checks), stored),
      isStretched,
      decision: decision === null ? null : { decision: decision.decision, at: instantOf(decision.at) },
    };
    const closed = stateUnder(
      apart.get(visit.id) ?? covering(inForce, visitedOn),
      unwithdrawn,
      policyOf(policyVersion),
    );
    return isSame(visit, closed) ? [] : [{ visit, closed }];
  });
  if (moved.length === 0) return 0;
  await writeStates(tx, moved);
  const concerned = [...new Set(moved.map(({ visit }) => visit.vehicleId))].flatMap((id) => vehicles.get(id) ?? []);
  const actorId = liftedBy ?? confirmedBy;
  const ruled = await applyDueRules(tx, concerned, { actorId });
  await appendLeaves(tx, eventsOf(moved, vehicles, ruled));
  const reference = await findReference(tx, referenceId);
  if (reference === undefined) throw new Error('the weighbridge of a withdrawal is gone');
  const counted = `${moved.length.toLocaleString('en-AU')} visits of ${concerned.length.toLocaleString('en-AU')} trucks`;
  await appendActivity(tx, {
    kind: liftedAt === null ? 'reference.withdrawn' : 'reference.reinstated',
    actorId,
    subject: 'reference',
    subjectId: referenceId,
    details: `${referenceLine(reference)}, ${spanWords(withdrawal)}: ${counted}`,
    regos: concerned.map(({ rego }) => rego),
    persons: moved.flatMap(({ visit }) => visit.personId ?? []),
  });
  return moved.length;
}

type LockedVehicle = Pick<
  Vehicle,
  'id' | 'rego' | 'vin' | 'nextCalibrationDueOn' | 'lastCalibratedAt' | 'restsOn' | 'calibrationValidated'
>;

// Removed ones too.
async function lockVehicles(tx: Tx, reached: Ids): Promise<Map<string, LockedVehicle>> {
  const ids = reached.map(({ vehicleId }) => vehicleId);
  const vehicles = await tx
    .selectFrom('vehicle')
    .select(['id', 'rego', 'vin', 'nextCalibrationDueOn', 'lastCalibratedAt', 'restsOn', 'calibrationValidated'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]));
}

// After their vehicles are locked: nobody else changes them then.
async function readVisits(tx: Tx, reached: Ids): Promise<Reached[]> {
  const { rows } = await sql<Reached>`
    select v.id, v.vehicle_id, v.visited_on, v.state, v.checks, v.without_recall, v.before_recall, v.is_stretched,
      v.policy_version, v.due_on, v.reference_id, a.person_id,
      exists (select from calibration_set s where s.id = v.id and s.weighings is not null) as is_weighed_apart, (
        select jsonb_build_object('decision', d.decision, 'at', d.decided_at) from visit_decision d
        where d.visit_id = v.id order by d.id desc limit 1) as decision
    from visit v left join actor a on a.id = v.technician_id
    where v.id = any(${reached.map(({ id }) => id)}::uuid[]) order by v.visited_on, v.id`.execute(tx);
  return rows;
}

async function readPolicies(tx: Tx, visits: readonly Reached[]): Promise<(version: number | null) => Policy> {
  const versions = new Set(visits.map(({ policyVersion }) => policyVersion ?? 0));
  const policies = new Map<number, Policy>();
  for (const version of versions) policies.set(version, (await findPolicy(tx, version)) ?? FIRST_POLICY);
  return (version) => policies.get(version ?? 0) ?? FIRST_POLICY;
}

function isSame(visit: Reached, { state, checks, withoutRecall: own, beforeRecall }: ClosedState): boolean {
  const stored = visit.withoutRecall === null ? null : checksOf(visit.withoutRecall);
  return (
    visit.state === state &&
    visit.beforeRecall === beforeRecall &&
    JSON.stringify(stored) === JSON.stringify(own) &&
    JSON.stringify(checksOf(visit.checks)) === JSON.stringify(checks)
  );
}

type Moved = { visit: Reached; closed: ClosedState };

async function writeStates(tx: Tx, moved: readonly Moved[]): Promise<void> {
  const rows = moved.map(({ visit: { id }, closed }) => {
    const { state, judged, checks, withoutRecall: own, beforeRecall: before } = closed;
    return { id, state, judged, checks, own, before };
  });
  await sql`update visit v set state = r.state, judged = r.judged, checks = r.checks, before_recall = r.before,
      without_recall = nullif(r.own, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, state text, judged text, checks jsonb, own jsonb, before text)
    where v.id = r.id`.execute(tx);
}

// One for each visit. That of a vehicle's first visit here covers the vehicle too, where the rule changed it.
function eventsOf(
  moved: readonly Moved[],
  vehicles: ReadonlyMap<string, LockedVehicle>,
  ruled: ReadonlyMap<string, Ruled>,
): LeafEvent[] {
  const covered = new Set<string>();
  return moved.map(({ visit: { id, vehicleId, dueOn }, closed: { state, checks, withoutRecall: own } }) => {
    const vehicle = vehicles.get(vehicleId);
    if (vehicle === undefined) throw new Error(`there is no vehicle ${vehicleId}`);
    const also = covered.has(vehicleId) ? [] : (ruled.get(vehicleId)?.records ?? []);
    covered.add(vehicleId);
    return visitEvent(own === null ? 'visit.reinstated' : 'visit.recalled', vehicle, {
      body: {
        visit: id,
        visitState: state,
        checks: checksText(checks),
        ...(dueOn === null ? {} : { visitDueOn: dueOn }),
      },
      records: [{ table: 'visit', key: id }, ...also],
    });
  });
}
