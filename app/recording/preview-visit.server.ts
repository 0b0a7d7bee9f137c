// What would become of a visit: of a set as typed, or of an open visit if it were finished now. Writes nothing and
// locks nothing; the checks are those that it is held against when it closes.
import { randomUUID } from 'node:crypto';
import { matchReference, zoneOfWeighbridge } from '#app/references/match-reference.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { Policy } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { addDetails } from '#app/vehicles/group-details.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { readSet, type ReadSet, type SetInput } from './set-entry.ts';
import { placeWeighings } from '#app/readings/place-weighings.server.ts';
import { readingsOfAxle } from '#app/readings/set-grid.ts';
import { checkVisit, stateAtClose } from '#app/visits/visit-checks.ts';
import type { VisitFacts } from '#app/visits/visit-facts.ts';
import { typedFacts, visitFacts } from '#app/visits/visit-facts.server.ts';
import { previewOf, type VisitPreview } from '#app/visits/visit-outcome.ts';
import type { VisitRow } from '#app/visits/visit-queries.server.ts';

// Whether another visit has the photo is not looked up.
async function previewSet(
  db: Db,
  who: Pick<SignedIn, 'personId'>,
  {
    vehicle,
    input,
    policy,
    zone,
    now,
    hasPhoto,
  }: { vehicle: Vehicle; input: SetInput; policy: Policy; zone: string; now: Date; hasPhoto: boolean },
): Promise<VisitPreview> {
  const { visitedAt, axles, due_date: dueOn, weighbridge, ticket_number: ticketNumber } = input;
  const { referenceId } = await matchReference(db, input);
  const visit = {
    id: randomUUID(),
    vehicleId: vehicle.id,
    personId: who.personId,
    visitedAt,
    visitedOn: todayIn(zone, visitedAt),
    openedAt: now,
    closedAt: null,
    isConfirmed: true,
    vin: vehicle.vin,
    referenceId,
  };
  const own = axles.flatMap(readingsOfAxle).map((reading) => ({ ...reading, dueOn }));
  const set = {
    weighbridge,
    ticketNumber,
    photoId: hasPhoto ? visit.id : null,
    axles: axles.map(({ axle, extras }) => ({ axle, ...extras })),
    notBehind: input.not_behind,
    weighings: await placeWeighings(db, input.weighings, referenceId),
    sealsFound: input.seals_found,
    sealsReason: input.seals_reason,
  };
  const learned = { ...vehicle, groupDetails: addDetails(vehicle.groupDetails, input.details ?? {}) };
  return outcomeBy(await typedFacts(db, learned, { visit, own, set, policy, zone }), policy);
}

/**
 * What becomes of a set as it is typed. Likely slips count as confirmed, and the truck too: the form does not save
 * without. `preview` is null while values are missing or wrong, and for a vehicle that is gone.
 */
export async function previewTyped(
  { db, config, now }: Pick<Services, 'db' | 'config' | 'now'>,
  who: Pick<SignedIn, 'personId'>,
  {
    rego,
    fields,
    all,
  }: { rego: string; fields: ReadonlyMap<string, string>; all: ReadonlyMap<string, readonly string[]> },
): Promise<{ read: ReadSet; preview: VisitPreview | null }> {
  const policy = await currentPolicy(db);
  const clock = {
    zone: config.timeZone,
    placeZone: await placeZoneIn(db, fields),
    now: now(),
    longestIntervalDays: policy.longestIntervalDays,
    tolerance: policy,
  };
  const read = readSet(fields, all, clock);
  const given = new Map(fields).set('confirmed', 'yes').set('all_the_same', read.codes);
  // A due date that is refused is none: the rest of the preview stays, and the field says why.
  if (read.errors['due_date'] !== undefined) given.delete('due_date');
  const { input } = readSet(given, all, clock);
  const found = input === undefined ? undefined : await findVehicle(db, rego);
  if (input === undefined || found?.state !== 'live') return { read, preview: null };
  const hasPhoto = (fields.get('photo') ?? '') !== '';
  return { read, preview: await previewSet(db, who, { vehicle: found.vehicle, input, ...clock, policy, hasPhoto }) };
}

/** The zone of the weighbridge that a form names; undefined of one that is not in the register. */
export const placeZoneIn = (db: Db, fields: ReadonlyMap<string, string>): Promise<string | undefined> =>
  zoneOfWeighbridge(db, {
    weighbridge: fields.get('weighbridge') ?? '',
    reference_id: fields.get('reference_id') ?? '',
  });

/** What would become of an open visit if it were finished now. */
export const previewFinish = async (
  db: Db,
  vehicle: Vehicle,
  { visit, rules }: { visit: VisitRow; rules: { policy: Policy; zone: string } },
): Promise<VisitPreview> => outcomeBy((await visitFacts(db, vehicle, { visit, rules })).facts, rules.policy);

function outcomeBy(facts: VisitFacts, policy: Policy): VisitPreview {
  const checks = checkVisit(facts, policy);
  return previewOf({ state: stateAtClose(checks, policy), dueOn: facts.dueOn, checks });
}
