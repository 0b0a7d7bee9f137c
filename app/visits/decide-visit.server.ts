// An admin decides about a visit: lets it count, or sets it aside. Never about a visit that they recorded, captured or
// corrected, nor about one of a technician whom they admitted less than 90 days ago, while another admin could decide.
// Where an admin recorded, captured or corrected it, who decides has been one for 90 days, if anybody has
// (people/two-people).
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { noteValidation } from '#app/vehicles/decide-validation.server.ts';
import { applyDueRule } from '#app/vehicles/due-date.server.ts';
import { addToList, groupsReadAt } from '#app/vehicles/read-groups.server.ts';
import { distinct } from '#app/readings/insert-readings.server.ts';
import { isDueInTime, mayBeDecided, stateHash, whyNotYours, type NotYours } from './may-decide.server.ts';
import { settleCheckVisits } from './settle-check-visits.server.ts';
import { heldBackBy } from './visit-checks.ts';
import { reasonsFor, type Decision, type DecisionReason } from './visit.ts';
import { checksOf, lockVisit, type VisitRow } from './visit-queries.server.ts';

/**
 * `openedState`: the state that the deciding page showed. `openedAs`: what else it showed, by `stateHash`; undefined:
 * there was no page. `note`: for admins.
 */
export type VisitDecision = {
  decision: Decision;
  reason: DecisionReason | '';
  note: string;
  openedState: string;
  openedAs?: string;
};

export type DecideVisitAnswer =
  | { decided: true; rego: string }
  | { decided: false; reason: 'unknown' | 'removed' | 'reason-missing' }
  /** Accepted, it would leave the truck without a due date, or with one beyond the longest interval. */
  | { decided: false; reason: 'due-date' }
  /** Somebody decided, or a correction changed it, after the page was opened. `state`: what it is now. */
  | { decided: false; reason: 'stale'; state: VisitRow['state'] }
  | { decided: false; reason: NotYours };

export function decideVisit(
  db: Db,
  who: SignedIn,
  { visitId, input, now, key }: { visitId: string; input: VisitDecision; now: Date; key: unknown },
): Promise<DecideVisitAnswer> {
  const on = { kind: 'visit.decided', key, values: { visitId, ...input } } as const;
  return idempotent<DecideVisitAnswer>(db, { who, ...on }, async (tx) => {
    const found = await lockVisit(tx, visitId);
    if (found === undefined) return { decided: false, reason: 'unknown' };
    const { visit, vehicle } = found;
    if (vehicle.deletedAt !== null) return { decided: false, reason: 'removed' };
    const isOther = input.openedAs !== undefined && input.openedAs !== stateHash(visit);
    if (isOther || visit.state !== input.openedState || !mayBeDecided(visit, input.decision))
      return { decided: false, reason: 'stale', state: visit.state };
    const isAlone = !(await hasOtherAdmin(tx, who.personId));
    const notYours = isAlone ? undefined : await whyNotYours(tx, who, { visit, now });
    if (notYours !== undefined) return { decided: false, reason: notYours };
    const { decision, reason, note } = input;
    const reasons = reasonsFor(decision, checksOf(visit.checks));
    if (reason === '' ? needsReason(visit, decision) : !reasons.some((one) => one.reason === reason))
      return { decided: false, reason: 'reason-missing' };
    if (decision === 'accepted' && !isDueInTime(visit)) return { decided: false, reason: 'due-date' };
    const actorId = await actorOf(tx, who);
    const { id } = await tx
      .insertInto('visitDecision')
      .values({ visitId, decision, reason, note, isAlone, decidedBy: actorId, decidedAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('visit')
      .set({ state: decision, beforeRecall: null, isStretched: false })
      .where('id', '=', visitId)
      .execute();
    const ticked = decision === 'accepted' && !vehicle.calibrationValidated;
    // The form shows the tick: one that was opened before is stale.
    if (ticked)
      await tx
        .updateTable('vehicle')
        .set({
          calibrationValidated: true,
          version: vehicle.version + 1,
          updatedAt: new Date(),
          updatedBy: actorId,
        })
        .where('id', '=', vehicle.id)
        .execute();
    const listed = await addToList(tx, vehicle, {
      read: decision === 'accepted' ? await groupsReadAt(tx, visitId) : [],
      actorId,
    });
    const ruled = await applyDueRule(tx, vehicle, actorId);
    const decided = { ...visit, state: decision, beforeRecall: null, isStretched: false };
    const checkVisits = await settleCheckVisits(tx, vehicle, { moved: { before: visit, visit: decided }, now });
    const events: LeafEvent[] = [
      visitEvent(decision === 'accepted' ? 'visit.accepted' : 'visit.set-aside', vehicle, {
        body: {
          visit: visitId,
          visitState: decision,
          ...(reason === '' ? {} : { reason }),
          ...(visit.dueOn === null ? {} : { visitDueOn: visit.dueOn }),
        },
        records: distinct([
          { table: 'visit', key: visitId },
          { table: 'visit_decision', key: String(id) },
          ...listed.records,
          ...ruled.records,
        ]),
      }),
    ];
    if (ticked)
      events.push(
        await noteValidation(tx, vehicle, {
          actorId,
          decision: {
            validated: true,
            nextDueOn: ruled.dueOn,
            reason: 'visit accepted',
          },
        }),
      );
    await appendLeaves(tx, [...events, ...leavesOf(checkVisits)]);
    await appendActivities(tx, [
      {
        kind: `visit.${decision}`,
        actorId,
        subject: 'visit',
        subjectId: visitId,
        details: note === '' ? vehicle.rego : `${vehicle.rego}: ${note}`,
        changes: [
          { field: 'visit_state', from: visit.state, to: decision },
          ...(reason === '' ? [] : [{ field: 'reason', from: null, to: reason }]),
          ...(ticked ? [{ field: 'calibration_validated', from: false, to: true }] : []),
          ...listed.changes,
          ...ruled.changes,
        ],
        rego: vehicle.rego,
        persons: [who.personId, ...(visit.personId === null ? [] : [visit.personId])],
      },
      ...activitiesOf(checkVisits),
    ]);
    return { decided: true, rego: vehicle.rego };
  });
}

/** Setting aside says why, and so does letting a visit count against the checks. */
const needsReason = ({ checks, isStretched, beforeRecall }: VisitRow, decision: Decision): boolean =>
  decision === 'set-aside' || isStretched || beforeRecall !== null || heldBackBy(checksOf(checks)).length > 0;
