// Corrects an entry. A wrong entry is never edited or removed: a correction with a reason supersedes it, and both stay
// visible. The visit of the entry, once closed, is held against the checks again.
import { sql } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { may } from '#app/access/permissions.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { findLeafOf } from '#app/transparency-log/queries.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { applyDueRule, rulingVisit, takeOver, type Moment } from '#app/vehicles/due-date.server.ts';
import type { FoundVehicle, Vehicle } from '#app/vehicles/queries.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { storedUnit } from '#app/readings/reading-words.ts';
import type { CorrectionInput } from './calibration-entry.ts';
import { dueRefusal } from './due-refusal.ts';
import { closeIfExpired, judgeAgain, type WrittenOutcome } from '#app/visits/close-visit.server.ts';
import { calibrationEvent, distinct, nextFreeId } from '#app/readings/insert-readings.server.ts';
import type { VisitRow } from '#app/visits/visit-queries.server.ts';

export type CorrectAnswer =
  | { corrected: true; id: number }
  | { corrected: false; reason: 'removed' | 'unknown' | 'not-yours' }
  | { corrected: false; reason: 'corrected-already'; by: number }
  | { corrected: false; reason: 'due-date'; message: string };

/** Their own entries, or any. */
export function mayCorrect(who: SignedIn, entry: { technicianPersonId: string | null }): boolean {
  if (may(who.role, 'correct any reading')) return true;
  return may(who.role, 'record visits') && entry.technicianPersonId === who.personId;
}

/**
 * Records a correction that supersedes entry `id` of `rego`. `zone`: the registry's time zone, for the reading's day.
 */
export function correctCalibration(
  db: Db,
  who: SignedIn,
  {
    rego,
    id,
    input,
    now,
    key,
    zone,
  }: { rego: string; id: number; input: CorrectionInput; now: Date; key: unknown; zone: string },
): Promise<CorrectAnswer> {
  const on = { kind: 'calibration.corrected', key, values: { rego, id, ...input } } as const;
  return idempotent<CorrectAnswer>(db, { who, ...on }, async (tx) => {
    const vehicle = await lockVehicleOf(tx, { rego, id });
    if (vehicle.state !== 'live') return { corrected: false, reason: vehicle.state };
    const wrong = await tx
      .selectFrom('calibration')
      .leftJoin('actor', 'actor.id', 'calibration.technicianId')
      .selectAll('calibration')
      .select('actor.personId as technicianPersonId')
      .where('rego', '=', rego)
      .where('calibration.id', '=', id)
      .where('vehicleId', '=', vehicle.vehicle.id)
      .executeTakeFirst();
    if (wrong === undefined) return { corrected: false, reason: 'unknown' };
    if (!mayCorrect(who, wrong)) return { corrected: false, reason: 'not-yours' };
    const later = await tx
      .selectFrom('calibration')
      .select('id')
      .where('rego', '=', rego)
      .where('correctsId', '=', id)
      .executeTakeFirst();
    if (later !== undefined) return { corrected: false, reason: 'corrected-already', by: later.id };

    const { axle, attribute, value, due_date: dueOn, reason, sides = null } = input;
    const unit = storedUnit(attribute, input.unit ?? wrong.unit);
    // An unchanged due date is accepted even if it breaks today's rule, so that old entries can be corrected.
    const refusal =
      dueOn === null || dueOn === wrong.dueOn
        ? undefined
        : dueRefusal(dueOn, todayIn(zone, wrong.calibratedAt), (await currentPolicy(tx)).longestIntervalDays);
    if (refusal !== undefined) return { corrected: false, reason: 'due-date', message: refusal };

    const actorId = await actorOf(tx, who);
    // A visit is judged as it was recorded, before the correction is.
    const corrected =
      wrong.visitId === null
        ? { ...vehicle, visit: undefined }
        : await closeIfExpired(tx, vehicle.vehicle, { visitId: wrong.visitId, moment: { now, zone } });
    const newId = await nextFreeId(tx, rego, now.getTime());
    await tx
      .insertInto('calibration')
      .values({
        rego,
        id: newId,
        vehicleId: wrong.vehicleId,
        setId: wrong.setId,
        visitId: wrong.visitId,
        axle,
        attribute,
        value,
        unit,
        sides,
        dueOn,
        // The time of the measurement stays. Only the time of the recording is new.
        calibratedAt: wrong.calibratedAt,
        technicianId: actorId,
        correctsId: id,
        correctionReason: reason,
      })
      .execute();
    // Of a visit they are made again as it is judged.
    if (wrong.visitId === null) await sql`select fingerprint_taken_over(array[${wrong.vehicleId}::uuid])`.execute(tx);
    const also = await rejudge(tx, corrected, { wrong, dueOn, actorId, moment: { now, zone } });
    await appendLeaves(tx, [
      calibrationEvent(
        { id: wrong.vehicleId, rego },
        { id: newId, axle, attribute, value, unit, dueOn, calibratedAt: wrong.calibratedAt },
        {
          technician: who.name,
          more: {
            corrects: await findLeafOf(tx, { table: 'calibration', key: `${rego}/${id}` }),
            zone,
            body: also.body,
            records: also.records,
          },
        },
      ),
      ...leavesOf(also.checkVisits),
    ]);
    await appendActivities(tx, [
      {
        kind: 'calibration.corrected',
        actorId,
        subject: 'calibration',
        subjectId: `${rego}/${newId}`,
        details: `${rego}: ${axle} ${attribute} ${value} instead of ${wrong.axle} ${wrong.attribute} ${wrong.value}: ${reason}`,
        changes: [
          ...(wrong.axle === axle ? [] : [{ field: 'axle_type', from: wrong.axle, to: axle }]),
          ...(wrong.attribute === attribute
            ? []
            : [{ field: 'calibration_attribute', from: wrong.attribute, to: attribute }]),
          ...(wrong.value === value ? [] : [{ field: 'calibration_value', from: wrong.value, to: value }]),
          ...(wrong.unit === unit
            ? []
            : [{ field: 'unit', from: unitOf(attribute, wrong.unit), to: unitOf(attribute, unit) }]),
          ...(wrong.dueOn === dueOn ? [] : [{ field: 'calibration_due_date', from: wrong.dueOn, to: dueOn }]),
          ...also.changes,
        ],
        rego,
        // The page of its truck, which may have another plate by now.
        regos: corrected.vehicle.rego === rego ? [] : [corrected.vehicle.rego],
        persons: [who.personId],
      },
      ...activitiesOf(also.checkVisits),
    ]);
    return { corrected: true, id: newId };
  });
}

// The vehicle of the entry, whatever its plate is now. All that have or had this rego are locked, so that two entries
// of one moment get different ids.
async function lockVehicleOf(tx: Tx, { rego, id }: { rego: string; id: number }): Promise<FoundVehicle> {
  const rows = await tx
    .selectFrom('vehicle')
    .selectAll()
    .select(
      sql<boolean>`vehicle.id = (select vehicle_id from calibration where rego = ${rego} and id = ${id})`.as('isOwn'),
    )
    .where(
      sql<boolean>`vehicle.id in (select id from vehicle where rego = ${rego} and deleted_at is null
        union select vehicle_id from former_plate where split_part(rego, '-', 1) = ${plateText(rego)} and rego = ${rego}
        union select vehicle_id from calibration where rego = ${rego} and id = ${id})`,
    )
    .orderBy('vehicle.id')
    .forUpdate()
    .execute();
  const own = rows.find(({ isOwn }) => isOwn);
  if (own === undefined) return { state: 'unknown' };
  const { isOwn: _, ...vehicle } = own;
  return vehicle.deletedAt === null ? { state: 'live', vehicle } : { state: 'removed', removedAt: vehicle.deletedAt };
}

// What the correction changes beside the entry. An entry from before there were visits has none that could be judged:
// its correction moves the due date earlier, and never later.
async function rejudge(
  tx: Tx,
  { vehicle, visit }: { vehicle: Vehicle; visit: VisitRow | undefined },
  {
    wrong,
    dueOn,
    actorId,
    moment,
  }: { wrong: { dueOn: string | null }; dueOn: string | null; actorId: number; moment: Moment },
): Promise<CorrectedOutcome> {
  if (visit !== undefined)
    return visit.state === 'open' ? UNCHANGED : judgeAgain(tx, vehicle, { visit, actorId, ...moment });
  if (wrong.dueOn === null || dueOn === null || dueOn >= wrong.dueOn) return UNCHANGED;
  const records = await takeOver(tx, vehicle, moment);
  const ruling = await rulingVisit(tx, vehicle.id);
  if (ruling?.state !== 'taken-over' || ruling.ownDueOn !== wrong.dueOn) return { ...UNCHANGED, records };
  await tx.updateTable('visit').set({ dueOn }).where('id', '=', ruling.id).execute();
  const ruled = await applyDueRule(tx, vehicle, actorId);
  return {
    body: {},
    records: distinct([...records, { table: 'visit', key: ruling.id }, ...ruled.records]),
    changes: ruled.changes,
    checkVisits: [],
  };
}

type CorrectedOutcome = Pick<WrittenOutcome, 'body' | 'records' | 'changes' | 'checkVisits'>;
const UNCHANGED: CorrectedOutcome = { body: {}, records: [], changes: [], checkVisits: [] };
