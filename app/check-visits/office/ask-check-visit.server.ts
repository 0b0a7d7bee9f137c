// An admin asks that somebody else weighs the truck of a visit again, or takes that back. Never about a visit that they
// recorded or corrected, with other admins or without: they would choose who checks them. A drawn one is never taken
// back: it ends with a visit, or by itself.
import { appendEntered, endCheckVisit, wantCheckVisit } from '#app/check-visits/enter-check-visit.server.ts';
import { openCheckVisit, type CheckVisitRow } from '#app/check-visits/queries.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { isOwnVisit } from '#app/visits/may-decide.server.ts';
import { lockVisit, type VisitRow } from '#app/visits/visit-queries.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';

type Asking = Pick<Services, 'db' | 'now'>;
/** Why there is nothing to ask or to take back about this visit. */
type NoSuch = { reason: 'unknown' | 'removed' | 'own-visit' };

/** `wanted-already`: the truck has another, about this visit or another. `open`: the visit is not closed yet. */
export type AskAnswer = { asked: true } | ({ asked: false } & (NoSuch | { reason: 'wanted-already' | 'open' }));

/** `note`: why, for admins. */
export function askCheckVisit(
  { db, now }: Asking,
  who: SignedIn,
  { visitId, note, key }: { visitId: string; note: string; key: unknown },
): Promise<AskAnswer> {
  return idempotent<AskAnswer>(db, { who, kind: 'check-visit.asked', key, values: { visitId, note } }, async (tx) => {
    const found = await findToCheck(tx, who, visitId);
    if ('reason' in found) return { asked: false, ...found };
    const { vehicle, visit, open } = found;
    if (visit.state === 'open') return { asked: false, reason: 'open' };
    if (open !== undefined) return { asked: false, reason: 'wanted-already' };
    const by = { actorId: await actorOf(tx, who), personId: who.personId, now: now() };
    await appendEntered(tx, await wantCheckVisit(tx, vehicle, { visitId, note, by }));
    return { asked: true };
  });
}

/** `gone`: none that was asked for is wanted about this visit. */
export type WithdrawCheckAnswer = { withdrawn: true } | ({ withdrawn: false } & (NoSuch | { reason: 'gone' }));

export function withdrawCheckVisit(
  { db, now }: Asking,
  who: SignedIn,
  { visitId, key }: { visitId: string; key: unknown },
): Promise<WithdrawCheckAnswer> {
  const on = { kind: 'check-visit.withdrawn', key, values: { visitId } } as const;
  return idempotent<WithdrawCheckAnswer>(db, { who, ...on }, async (tx) => {
    const found = await findToCheck(tx, who, visitId);
    if ('reason' in found) return { withdrawn: false, ...found };
    const { vehicle, open } = found;
    if (open === undefined || open.visitId !== visitId || open.why === 'drawn')
      return { withdrawn: false, reason: 'gone' };
    const by = { actorId: await actorOf(tx, who), personId: who.personId, now: now() };
    await appendEntered(tx, await endCheckVisit(tx, vehicle, { row: open, state: 'withdrawn', by }));
    return { withdrawn: true };
  });
}

type Found = { vehicle: Vehicle; visit: VisitRow; open: CheckVisitRow | undefined };

// The truck is locked. What was taken over has no readings of its own to compare with.
async function findToCheck(tx: Tx, who: SignedIn, visitId: string): Promise<Found | NoSuch> {
  const found = await lockVisit(tx, visitId);
  if (found === undefined || found.visit.state === 'taken-over') return { reason: 'unknown' };
  if (found.vehicle.deletedAt !== null) return { reason: 'removed' };
  if (await isOwnVisit(tx, who, found.visit)) return { reason: 'own-visit' };
  return { ...found, open: await openCheckVisit(tx, found.vehicle.id) };
}
