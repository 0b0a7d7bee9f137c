// Closes a visit: holds it against the checks by the policy in force, stores the state, and applies the rule for the
// due date. A correction holds a closed visit against the checks again, by its own policy.
import { sql } from 'kysely';
import { activitiesOf, leavesOf, type Entered } from '#app/check-visits/enter-check-visit.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { daysBetween, todayIn } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY, type Policy } from '#app/policy/policy.ts';
import { currentPolicy, findPolicy } from '#app/policy/queries.server.ts';
import type { Body } from '#app/tlog/leaf-body.ts';
import { isCounting } from '#app/tlog/rests-on.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { applyDueRuleAfter, type Moment } from '#app/vehicles/due-date.server.ts';
import { findVehicleById, lockVehicle, type Vehicle, type VehicleOfVisit } from '#app/vehicles/queries.server.ts';
import { addToList } from '#app/vehicles/read-groups.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { distinct } from '#app/readings/insert-readings.server.ts';
import { stateUnder, type ClosedState } from './withdrawn-visit.ts';
import { withdrawalsOver } from './reference-facts.server.ts';
import { settleCheckVisits } from './settle-check-visits.server.ts';
import { checkVisit } from './visit-checks.ts';
import type { CheckResult, VisitFacts } from './visit-facts.ts';
import { visitFacts } from './visit-facts.server.ts';
import type { CompleteAxle } from './find-copies.server.ts';
import { outcomeOf, type VisitOutcome } from './visit-outcome.ts';
import { checksText, isExpired, OPEN_MS, type VisitState } from './visit.ts';
import { findVisit, lastDecision, type VisitRow } from './visit-queries.server.ts';

/**
 * What became of a visit, for the leaf and the activity of the write that caused it. `body`: what the leaf says of it
 * in clear; `records`: what the leaf covers beside the write's own records.
 */
export type WrittenOutcome = {
  state: VisitState;
  /** What the checks alone say. */
  judged: 'counts' | 'partial' | 'waits';
  dueOn: string | null;
  checks: CheckResult[];
  body: Body;
  records: RecordRef[];
  changes: ActivityChange[];
  /** What it does to check visits: leaves and activities of their own, after those of the write. */
  checkVisits: Entered[];
};

/** Closes an open visit of a locked vehicle, after its last reading was written. `actorId`: null: by itself. */
export async function closeVisit(
  tx: Tx,
  vehicle: VehicleOfVisit,
  { visit, actorId, now, zone }: { visit: VisitRow; actorId: number | null } & Moment,
): Promise<WrittenOutcome> {
  const policy = await currentPolicy(tx, LOCK_JUDGING);
  const { checks, dueOn, axles } = await answersOf(tx, vehicle, { visit, policy, zone });
  const unwithdrawn = { checks, isStretched: false, decision: null };
  const closed = stateUnder(await withdrawalsOver(tx, visit), unwithdrawn, policy);
  const values = { ...closed, dueOn, closedAt: now, policyVersion: policy.version, vin: vehicle.vin };
  return write(tx, vehicle, { visit, ...values, axles, actorId, now, inForce: policy });
}

/**
 * Holds a closed visit against the checks again after one of its readings was corrected, or its weighbridge found in
 * the register, by its own policy. Never undoes an admin's decision, whose due date only comes earlier. A correction
 * after the days of 'prompt' that moves the due date later makes the visit wait.
 */
export async function judgeAgain(
  tx: Tx,
  vehicle: Vehicle,
  { visit, actorId, now, zone }: { visit: VisitRow; actorId: number | null } & Moment,
): Promise<WrittenOutcome> {
  const policy = (await findPolicy(tx, visit.policyVersion ?? 0)) ?? FIRST_POLICY;
  await sql`select ${LOCK_JUDGING}`.execute(tx);
  const { checks, dueOn, axles } = await answersOf(tx, vehicle, { visit, policy, zone });
  const decision = await lastDecision(tx, visit.id);
  const isDecided = decision !== null;
  const isLater = dueOn === null || (visit.dueOn !== null && dueOn > visit.dueOn);
  const isLate = daysBetween(visit.visitedOn, todayIn(zone, now)) > policy.promptDays;
  const isStretched = !isDecided && (visit.isStretched || (isLate && isLater));
  const closed = stateUnder(await withdrawalsOver(tx, visit), { checks, isStretched, decision }, policy);
  const begins = closed.state === 'waits' && visit.state !== 'waits' ? { waitsSince: now } : {};
  const values = { ...closed, ...begins, isStretched, dueOn: isDecided && isLater ? visit.dueOn : dueOn };
  return write(tx, vehicle, { visit, ...values, axles, actorId, now });
}

// One visit is judged at a time, to the end of its transaction: two at once would not see each other's readings, ticket
// or photo. The truck is locked before, and the log after.
const LOCK_JUDGING = sql`pg_advisory_xact_lock(7310415)`;

// The checks as they are without a withdrawal of its weighbridge.
async function answersOf(
  tx: Tx,
  vehicle: VehicleOfVisit,
  { visit, policy, zone }: { visit: VisitRow; policy: Policy; zone: string },
): Promise<{ checks: CheckResult[]; dueOn: string | null; axles: CompleteAxle[] }> {
  const { facts, axles } = await visitFacts(tx, vehicle, { visit, rules: { policy, zone } });
  const checks = checkVisit(unwithdrawn(facts), policy);
  const isForwarded = !visit.isConfirmed && (await isCaptured(tx, visit.id));
  return { checks: isForwarded ? heldAsForwarded(checks) : checks, dueOn: facts.dueOn, axles };
}

// A captured visit is confirmed, unless its sender said that they were not at the truck. It waits, whatever the policy.
const isCaptured = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('calibrationSet').select('capturedAt').where('id', '=', id).executeTakeFirst())?.capturedAt !=
  null;

const FORWARDED: CheckResult = {
  check: 'truck',
  rule: 'must',
  answer: 'failed',
  sentence: 'It was captured by one person, and sent by another who was not at the truck.',
};
const heldAsForwarded = (checks: readonly CheckResult[]): CheckResult[] =>
  checks.some(({ check }) => check === 'truck')
    ? checks.map((result) => (result.check === 'truck' ? FORWARDED : result))
    : [...checks, FORWARDED];

const unwithdrawn = ({ reference, ...facts }: VisitFacts): VisitFacts => ({
  ...facts,
  reference: reference === null ? null : { ...reference, isWithdrawn: false },
});

type Written = ClosedState &
  Pick<VisitRow, 'dueOn'> &
  Partial<Pick<VisitRow, 'closedAt' | 'policyVersion' | 'vin' | 'isStretched' | 'waitsSince'>>;

/** `inForce`: the policy, if it was read. */
type Writing = { axles: readonly CompleteAxle[]; actorId: number | null; now: Date; inForce?: Policy };

async function write(
  tx: Tx,
  vehicle: VehicleOfVisit,
  { visit, axles, actorId, now, inForce, checks, withoutRecall, ...values }: { visit: VisitRow } & Written & Writing,
): Promise<WrittenOutcome> {
  const { state, judged, dueOn } = values;
  // An open visit has no fingerprints yet.
  if (visit.state !== 'open')
    await tx
      .deleteFrom('axleFingerprint')
      .where('vehicleId', '=', visit.vehicleId)
      .where('visitId', '=', visit.id)
      .execute();
  await tx
    .with('kept', () => keepingFingerprints(visit, axles))
    .updateTable('visit')
    .set({
      ...values,
      checks: JSON.stringify(checks),
      withoutRecall: withoutRecall === null ? null : JSON.stringify(withoutRecall),
    })
    .where('id', '=', visit.id)
    .execute();
  const begins = isCounting(state) && !isCounting(visit.state);
  const listed = await addToList(tx, vehicle, { read: begins ? axles.map(({ axle }) => axle) : [], actorId });
  const ruled = await applyDueRuleAfter(tx, vehicle, { judged: visit.id, actorId });
  const moved = { before: visit, visit: { ...visit, ...values, checks }, inForce };
  return {
    state,
    judged,
    dueOn,
    checks,
    body: {
      visit: visit.id,
      visitState: state,
      checks: checksText(checks),
      ...(dueOn === null ? {} : { visitDueOn: dueOn }),
    },
    records: distinct([{ table: 'visit', key: visit.id }, ...listed.records, ...ruled.records]),
    changes: [
      ...(state === visit.state ? [] : [{ field: 'visit_state', from: visit.state, to: state }]),
      ...listed.changes,
      ...ruled.changes,
    ],
    checkVisits: await settleCheckVisits(tx, vehicle, { moved, now }),
  };
}

const keepingFingerprints = ({ id, vehicleId }: VisitRow, axles: readonly CompleteAxle[]) =>
  sql<object>`(insert into axle_fingerprint (fingerprint, vehicle_id, visit_id, axle, readings)
    select readings_fingerprint(a.empty_volt, a.empty_weight, a.loaded_volt, a.loaded_weight), ${vehicleId}, ${id}, a.axle,
      array[a.empty_volt, a.empty_weight, a.loaded_volt, a.loaded_weight]::numeric[]
    from jsonb_to_recordset(${JSON.stringify(axles)}::jsonb)
      as a (axle text, empty_volt text, empty_weight text, loaded_volt text, loaded_weight text))`;

/** Closes an open visit with a leaf and an activity of its own: nothing else is written with it. */
export async function closeByItself(
  tx: Tx,
  vehicle: Vehicle,
  { visit, actorId, moment }: { visit: VisitRow; actorId: number | null; moment: Moment },
): Promise<WrittenOutcome> {
  const judged = await closeVisit(tx, vehicle, { visit, actorId, ...moment });
  await appendLeaves(tx, [visitEvent('visit.closed', vehicle, judged), ...leavesOf(judged.checkVisits)]);
  await appendActivities(tx, [
    {
      kind: 'visit.closed',
      actorId,
      subject: 'visit',
      subjectId: visit.id,
      details: vehicle.rego,
      changes: judged.changes,
      rego: vehicle.rego,
      persons: visit.personId === null ? [] : [visit.personId],
    },
    ...activitiesOf(judged.checkVisits),
  ]);
  return judged;
}

/** Closes an open visit of a locked vehicle whose 12 hours are over. Returns vehicle and visit as they are then. */
export async function closeIfExpired(
  tx: Tx,
  vehicle: Vehicle,
  { visitId, moment }: { visitId: string; moment: Moment },
): Promise<{ vehicle: Vehicle; visit: VisitRow }> {
  const visit = await findVisit(tx, visitId);
  if (visit === undefined) throw new Error(`there is no visit ${visitId}`);
  if (visit.state !== 'open' || !isExpired(visit, moment.now)) return { vehicle, visit };
  await closeByItself(tx, vehicle, { visit, actorId: null, moment });
  const [now, closed] = [await findVehicleById(tx, vehicle.id), await findVisit(tx, visitId)];
  if (now === undefined || closed === undefined) throw new Error('a visit closed, and is gone');
  return { vehicle: now, visit: closed };
}

export type FinishAnswer =
  | { finished: true; visitId: string; closed: VisitOutcome }
  | { finished: false; reason: 'removed' | 'unknown' | 'not-open' };

/** The technician says that the open visit on this truck is finished. */
export function finishVisit(
  db: Db,
  who: SignedIn,
  { rego, visitId, now, zone, key }: { rego: string; visitId: string } & Moment & { key: unknown },
): Promise<FinishAnswer> {
  return idempotent<FinishAnswer>(db, { who, kind: 'visit.closed', key, values: { rego, visitId } }, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { finished: false, reason: found.state };
    const visit = isUuid(visitId) ? await findVisit(tx, visitId) : undefined;
    const isOwn = visit?.vehicleId === found.vehicle.id && visit.personId === who.personId;
    if (visit === undefined || !isOwn || visit.state !== 'open') return { finished: false, reason: 'not-open' };
    const judged = await closeByItself(tx, found.vehicle, {
      visit,
      actorId: await actorOf(tx, who),
      moment: { now, zone },
    });
    return { finished: true, visitId, closed: outcomeOf(judged) };
  });
}

const AT_ONCE = 100;

/** Closes the visits that have been open for 12 hours, each in a transaction of its own. Returns how many. */
export async function closeExpired(db: Db, { now, zone }: Moment): Promise<number> {
  const expired = await db
    .selectFrom('visit')
    .select(['id', 'vehicleId'])
    .where('state', '=', 'open')
    .where('openedAt', '<=', new Date(now.getTime() - OPEN_MS))
    .orderBy('openedAt')
    .limit(AT_ONCE)
    .execute();
  for (const { id, vehicleId } of expired)
    await db.transaction().execute(async (tx) => {
      // Removed trucks too: their visits end like all others.
      await tx.selectFrom('vehicle').select('id').where('id', '=', vehicleId).forUpdate().execute();
      const vehicle = await findVehicleById(tx, vehicleId);
      // A truck whose record was just joined with another is locked by the next call.
      if (vehicle !== undefined && vehicle.joinedInto === null)
        await closeIfExpired(tx, vehicle, { visitId: id, moment: { now, zone } });
    });
  return expired.length;
}
