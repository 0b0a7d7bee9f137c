// Finds the visit of the signed-in person on a truck.
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { formatInstant, formatVisitTime } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { findReference } from '#app/references/queries.server.ts';
import { zoneOfState } from '#app/references/reference.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { progressWords, type OwnVisit } from './own-visit.ts';
import { previewFinish } from './preview-visit.server.ts';
import type { Calibration } from '#app/readings/queries.server.ts';
import { OPEN_MS } from '#app/visits/visit.ts';
import { outcomeOf } from '#app/visits/visit-outcome.ts';
import { checksOf, findVisit, type VisitRow } from '#app/visits/visit-queries.server.ts';

/**
 * What became of it is the answer to its last press of a button: later the history says it, and a mail what an admin
 * decided.
 */
const TOLD_FOR_MS = 10 * 60 * 1000;

type Around = { policy: Policy; zone: string; now: Date };

/**
 * The person's open visit, else the last one that has just closed. `readings`: of the vehicle, those of that time at
 * least.
 */
export async function findOwnVisit(
  db: Db,
  vehicle: Vehicle,
  { personId, readings, policy, zone, now }: { personId: string; readings: readonly Calibration[] } & Around,
): Promise<OwnVisit | null> {
  const since = new Date(now.getTime() - OPEN_MS);
  const found = await db
    .selectFrom('visit')
    .innerJoin('actor', 'actor.id', 'visit.technicianId')
    .select('visit.id')
    .where('vehicleId', '=', vehicle.id)
    .where('actor.personId', '=', personId)
    .where((eb) =>
      eb.or([
        eb('closedAt', '>', new Date(now.getTime() - TOLD_FOR_MS)),
        eb.and([eb('state', '=', 'open'), eb('openedAt', '>', since)]),
      ]),
    )
    .orderBy((eb) => eb('state', '=', 'open'), 'desc')
    .orderBy('openedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const visit = found === undefined ? undefined : await findVisit(db, found.id);
  if (visit === undefined) return null;
  return visit.state === 'open'
    ? presentOpen(db, vehicle, { visit, readings, rules: { policy, zone } })
    : { state: 'closed', id: visit.id, outcome: await outcomeOfVisit(db, visit), when: await whenOf(db, visit, zone) };
}

/** By the clock of its weighbridge and the registry's: '14 November 2026, 7:46 pm Perth (10:46 pm in Sydney)'. */
export async function whenOf(
  db: Db,
  { referenceId, visitedAt }: Pick<VisitRow, 'referenceId' | 'visitedAt'>,
  zone: string,
): Promise<string> {
  const place = referenceId === null ? undefined : await findReference(db, referenceId);
  return formatVisitTime(visitedAt, place === undefined ? zone : zoneOfState(place.state), zone);
}

/** An open visit. `readings`: of the vehicle, those of the visit at least. */
export async function presentOpen(
  db: Db,
  vehicle: Vehicle,
  {
    visit,
    readings,
    rules,
  }: { visit: VisitRow; readings: readonly Calibration[]; rules: { policy: Policy; zone: string } },
): Promise<OwnVisit & { state: 'open' }> {
  const own = readings.filter(({ visitId, supersededBy }) => visitId === visit.id && supersededBy === null);
  const [, time = ''] = formatInstant(visit.openedAt, rules.zone).split(', ');
  const fitted = await fittedOf(db, vehicle, { now: visit.openedAt, zone: rules.zone });
  return {
    state: 'open',
    id: visit.id,
    words: `Open since ${time}: ${progressWords(fitted, own)}`,
    isConfirmed: visit.isConfirmed,
    ifFinished: await previewFinish(db, vehicle, { visit, rules }),
  };
}

/** What became of a closed visit, with the public reason of a decision. */
export async function outcomeOfVisit(db: Db | Tx, visit: VisitRow): Promise<ReturnType<typeof outcomeOf>> {
  const decision =
    visit.state === 'set-aside'
      ? await db
          .selectFrom('visitDecision')
          .select('reason')
          .where('visitId', '=', visit.id)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
      : undefined;
  return outcomeOf({ ...visit, checks: checksOf(visit.checks), reason: decision?.reason ?? '' });
}
