// An admin finds the weighbridge that a visit names in free text in the register. The visit is then held against its
// checks again.
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { findReference } from '#app/references/queries.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { visitEvent } from '#app/transparency-log/events.server.ts';
import { judgeAgain } from './close-visit.server.ts';
import { whyNotYours, type NotYours } from './may-decide.server.ts';
import { withdrawalsOver } from './reference-facts.server.ts';
import { lockVisit } from './visit-queries.server.ts';

export type MatchVisitAnswer =
  | { matched: true }
  /** `stale`: its weighbridge is another one than the page showed. */
  | { matched: false; reason: 'unknown' | 'removed' | 'no-reference' | 'stale' }
  /** `withdrawn`: what was weighed at a withdrawn weighbridge stays so, whatever is said of the place since. */
  | { matched: false; reason: 'withdrawn' | NotYours };

/** `openedReference`: the visit's weighbridge as the page showed it; null is none. */
export function matchVisit(
  services: Pick<Services, 'db' | 'now'> & { config: Pick<Services['config'], 'timeZone'> },
  who: SignedIn,
  {
    visitId,
    referenceId,
    openedReference,
    key,
  }: { visitId: string; referenceId: string; openedReference: string | null; key: unknown },
): Promise<MatchVisitAnswer> {
  const values = { visitId, referenceId, openedReference };
  return idempotent<MatchVisitAnswer>(services.db, { who, kind: 'visit.matched', key, values }, async (tx) => {
    const found = await lockVisit(tx, visitId);
    if (found === undefined) return { matched: false, reason: 'unknown' };
    const { visit: before, vehicle } = found;
    const set = await tx.selectFrom('calibrationSet').select('id').where('id', '=', visitId).executeTakeFirst();
    // Single readings name no weighbridge.
    if (set === undefined) return { matched: false, reason: 'unknown' };
    if (vehicle.deletedAt !== null) return { matched: false, reason: 'removed' };
    const reference = await findReference(tx, referenceId);
    if (reference === undefined) return { matched: false, reason: 'no-reference' };
    if (before.referenceId !== openedReference || before.referenceId === referenceId)
      return { matched: false, reason: 'stale' };
    if ((await withdrawalsOver(tx, before)).length > 0) return { matched: false, reason: 'withdrawn' };
    // It may let the visit count.
    const isAlone = !(await hasOtherAdmin(tx, who.personId));
    const notYours = isAlone ? undefined : await whyNotYours(tx, who, { visit: before, now: services.now() });
    if (notYours !== undefined) return { matched: false, reason: notYours };
    const actorId = await actorOf(tx, who);
    await tx.updateTable('visit').set({ referenceId }).where('id', '=', visitId).execute();
    const moment = { now: services.now(), zone: services.config.timeZone };
    const judged = await judgeAgain(tx, vehicle, { visit: { ...before, referenceId }, actorId, ...moment });
    await appendLeaves(tx, [visitEvent('visit.matched', vehicle, judged), ...leavesOf(judged.checkVisits)]);
    await appendActivities(tx, [
      {
        kind: 'visit.matched',
        actorId,
        subject: 'visit',
        subjectId: visitId,
        details: `${vehicle.rego}: ${referenceLine(reference)}`,
        changes: judged.changes,
        rego: vehicle.rego,
        persons: [who.personId, ...(before.personId === null ? [] : [before.personId])],
      },
      ...activitiesOf(judged.checkVisits),
    ]);
    return { matched: true };
  });
}
