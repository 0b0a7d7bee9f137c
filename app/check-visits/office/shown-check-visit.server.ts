// What the page of a visit shows of check visits, and what an admin may do about them there.
import type { SignedIn } from '#app/access/session.server.ts';
import { isOwnVisit } from '#app/visits/may-decide.server.ts';
import { findVisit, type VisitRow } from '#app/visits/visit-queries.server.ts';
import { RESULT_WORDS } from '#app/check-visits/check-visit.ts';
import {
  lastAbout,
  openCheckVisit,
  type AskedCheckVisit,
  type CheckVisitRow,
} from '#app/check-visits/queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { findVehicleById, type Vehicle } from '#app/vehicles/queries.server.ts';

/** `may`: null, nothing. `other`: the truck is to be checked because of this other visit. */
export type ShownCheckVisit = Awaited<ReturnType<typeof shownCheckVisit>>;

export async function shownCheckVisit(
  db: Db,
  who: SignedIn,
  { visit, vehicle, zone }: { visit: VisitRow; vehicle: Vehicle; zone: string },
) {
  const last = await lastAbout(db, visit.id);
  const open = await openCheckVisit(db, vehicle.id);
  const isOwn = await isOwnVisit(db, who, visit);
  const isFree = !isOwn && vehicle.deletedAt === null && visit.state !== 'open';
  return {
    words: last === undefined ? '' : wordsOf(last, zone),
    note: last?.note ?? '',
    closedBy: last?.closedBy ?? null,
    other: open === undefined || open.visitId === visit.id ? null : open.visitId,
    may: isFree ? mayBe(open, visit.id) : null,
    isOwn,
  };
}

function mayBe(open: CheckVisitRow | undefined, visitId: string): 'ask' | 'withdraw' | null {
  if (open === undefined) return 'ask';
  return open.visitId === visitId && open.why === 'asked' ? 'withdraw' : null;
}

function wordsOf({ why, by, askedAt, untilOn, state, closedOn, result }: AskedCheckVisit, zone: string): string {
  const on = formatDay(todayIn(zone, askedAt));
  const asked = why === 'drawn' ? `Drawn at random on ${on}.` : `${by ?? 'Somebody'} asked for it on ${on}.`;
  switch (state) {
    case 'open':
      return `${asked} Wanted until ${formatDay(untilOn)}.`;
    case 'lapsed':
      return `${asked} Nobody weighed the truck again until ${formatDay(untilOn)}.`;
    case 'withdrawn':
      return `${asked} It is wanted no longer.`;
    case 'done':
      return `${asked} Weighed again${closedOn === null ? '' : ` on ${formatDay(closedOn)}`}. ${result === null ? '' : RESULT_WORDS[result]}`;
  }
}

/** Undefined: there is no such visit. */
export async function checkVisitPage(db: Db, who: SignedIn, { id, zone }: { id: string; zone: string }) {
  const visit = isUuid(id) ? await findVisit(db, id) : undefined;
  const vehicle = visit === undefined ? undefined : await findVehicleById(db, visit.vehicleId);
  if (visit === undefined || vehicle === undefined || visit.state === 'taken-over') return undefined;
  const { may } = await shownCheckVisit(db, who, { visit, vehicle, zone });
  const { checkVisitsPerMille } = await currentPolicy(db);
  return { id, rego: vehicle.rego, day: formatDay(visit.visitedOn), may, isDrawing: checkVisitsPerMille > 0 };
}
