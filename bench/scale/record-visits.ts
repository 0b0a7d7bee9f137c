// The visits of a generated registry since its import: each is held against the checks by the product's own `closeVisit`, in
// blocks, so that a million readings take minutes. Rows and leaves are those that `recordCalibrationSet` writes. What the
// checks hold back waits, until an admin decides about two in three; first visits, which wait as nothing is known of their truck,
// are all accepted.
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { closeVisit } from '#app/visits/close-visit.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { calibrationEvent, distinct } from '#app/readings/insert-readings.server.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';
import { copyRows, type CopyValue } from '#app/platform/database/copy-rows.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { appendManyLeaves } from '#app/transparency-log/append-many-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { calibrationSetEvent } from '#app/transparency-log/events.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { prepareFirst } from '#app/vehicles/due-date.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { addWeighbridges, type Weighbridge } from './add-weighbridges.ts';
import { ADMIN, emailOf, nameOf } from './national-export.ts';
import type { RegistryPlan } from './registry-plan.ts';
import { INTERVAL_DAYS, TECHNICIANS, truckAt, type GeneratedVisit } from './truck-history.ts';

const ZONE = 'Australia/Sydney';
const BLOCK = 100;
// The trucks of each lane are its own, so that no two transactions have the same.
const LANES = 3;
const AFTER_THE_VISIT_MS = 20 * 60_000;
const NOTHING_ELSE = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};

type Due = GeneratedVisit & { rego: string };
type Known = { actors: readonly number[]; weighbridges: readonly Weighbridge[] };

/** Records the visits of `plan` that are not imported. Returns how many. */
export async function recordVisits(
  services: Pick<Services, 'db' | 'files'>,
  plan: RegistryPlan,
  today: string,
): Promise<number> {
  const { db } = services;
  const lanes = Array.from({ length: LANES }, (): Due[] => []);
  for (let index = 0; index < plan.vehicles; index += 1) {
    const { rego, visits } = truckAt(plan, index, today);
    for (const visit of visits) if (visit.isRecorded) lanes[index % LANES]?.push({ ...visit, rego });
  }
  const count = lanes.reduce((sum, lane) => sum + lane.length, 0);
  if (count === 0) return 0;
  await sql`vacuum (analyze)`.execute(db);
  const admin = await signedIn(db, ADMIN);
  const actors = await db.transaction().execute(async (tx) => {
    const ids: number[] = [];
    for (let index = 0; index < TECHNICIANS; index += 1)
      ids.push(await findOrAddActor(tx, { name: nameOf(index), email: emailOf(index) }));
    return ids;
  });
  const known = { actors, weighbridges: await addWeighbridges(services, admin, today) };
  await Promise.all(
    lanes.map(async (lane) => {
      for (const block of blocksOf(lane.toSorted((a, b) => a.at - b.at)))
        await db.transaction().execute((tx) => recordBlock(tx, block, known));
    }),
  );
  await decide(db, admin);
  return count;
}

// In the order of time, no truck twice in one.
function* blocksOf(visits: readonly Due[]): Generator<Due[]> {
  const block = new Map<string, Due>();
  for (const visit of visits) {
    if (block.size === BLOCK || block.has(visit.rego)) {
      yield [...block.values()];
      block.clear();
    }
    block.set(visit.rego, visit);
  }
  if (block.size > 0) yield [...block.values()];
}

type Recorded = Due & { id: string; vehicle: Vehicle; firstId: number; actorId: number; before: RecordRef[] };

async function recordBlock(tx: Tx, block: readonly Due[], known: Known): Promise<void> {
  // The statistics of tables that grow are old: each statement goes by an index.
  await sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_hashjoin']) name`.execute(
    tx,
  );
  const vehicles = await tx
    .selectFrom('vehicle')
    .selectAll()
    .where(
      'rego',
      'in',
      block.map(({ rego }) => rego),
    )
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const byRego = new Map(vehicles.map((vehicle) => [vehicle.rego, vehicle]));
  const visits: Recorded[] = [];
  for (const due of block) {
    const vehicle = byRego.get(due.rego);
    const actorId = known.actors[due.technician];
    if (vehicle === undefined || actorId === undefined) throw new Error(`${due.rego} is not there`);
    const firstId = due.at + AFTER_THE_VISIT_MS;
    const before = await prepareFirst(tx, vehicle, { now: new Date(firstId), zone: ZONE });
    visits.push({ ...due, id: randomUUIDv7(), vehicle, firstId, actorId, before });
  }
  await insertRows(tx, visits, known);
  const events: LeafEvent[] = [];
  const activities: ActivityEntry[] = [];
  for (const recorded of visits) {
    const { id, rego, vehicle, actorId, at, on, axles, before, firstId, technician } = recorded;
    const visit = await findVisit(tx, id);
    if (visit === undefined) throw new Error('the visit was not inserted');
    const judged = await closeVisit(tx, vehicle, visit, actorId, { now: new Date(firstId), zone: ZONE });
    const readings = readingsOf(recorded);
    const stated = { id, visitedAt: new Date(at), dueOn: addDays(on, INTERVAL_DAYS) };
    events.push(
      ...readings.map((reading) => calibrationEvent(vehicle, reading, nameOf(technician), { zone: ZONE })),
      calibrationSetEvent(vehicle, stated, nameOf(technician), {
        zone: ZONE,
        body: judged.body,
        records: distinct([...before, ...judged.records]),
      }),
    );
    activities.push({
      kind: 'calibration-set.recorded',
      actorId,
      subject: 'calibration',
      subjectId: `${rego}/${firstId}`,
      details: `${rego}: ${axles.map(({ axle }) => axle).join(', ')}`,
      changes: judged.changes,
      rego,
      ...(visit.personId === null ? {} : { persons: [visit.personId] }),
    });
  }
  await appendManyLeaves(tx, events);
  await appendActivities(tx, activities);
}

const readingsOf = ({ axles, at, on, firstId }: Recorded) =>
  axles
    .flatMap(({ axle, four }) =>
      READING_FIELDS.map(({ field, label }) => ({ axle, attribute: label, value: four[field] })),
    )
    .map((reading, place) => ({
      ...reading,
      id: firstId + place,
      dueOn: addDays(on, INTERVAL_DAYS),
      calibratedAt: new Date(at),
    }));

const SET_COLUMNS = 'id vehicle_id visited_at technician_id weighbridge ticket_number axles'.split(' ');
const VISIT_COLUMNS =
  'id vehicle_id technician_id visited_at visited_on opened_at state is_confirmed reference_id'.split(' ');
const READING_COLUMNS =
  'rego id vehicle_id set_id visit_id axle attribute value due_on calibrated_at technician_id'.split(' ');

async function insertRows(tx: Tx, visits: readonly Recorded[], { weighbridges }: Known): Promise<void> {
  const [sets, opened, readings]: CopyValue[][][] = [[], [], []];
  for (const visit of visits) {
    const { id, rego, vehicle, at, on, firstId, actorId, axles } = visit;
    const weighbridge = visit.weighbridge === undefined ? undefined : weighbridges[visit.weighbridge];
    const visitedAt = new Date(at).toISOString();
    const extras = JSON.stringify(axles.map(({ axle }) => ({ axle, ...NOTHING_ELSE })));
    const ticket = weighbridge === undefined ? '' : `T${at % 1e10}`;
    sets?.push([id, vehicle.id, visitedAt, actorId, weighbridge?.line ?? '', ticket, extras]);
    const openedAt = new Date(firstId).toISOString();
    opened?.push([id, vehicle.id, actorId, visitedAt, on, openedAt, 'open', true, weighbridge?.id ?? null]);
    for (const { id: readingId, axle, attribute, value, dueOn } of readingsOf(visit))
      readings?.push([rego, readingId, vehicle.id, id, id, axle, attribute, value, dueOn, visitedAt, actorId]);
  }
  await copyRows(tx, 'calibration_set', SET_COLUMNS, sets ?? []);
  await copyRows(tx, 'visit', VISIT_COLUMNS, opened ?? []);
  await copyRows(tx, 'calibration', READING_COLUMNS, readings ?? []);
}

const IS_FIRST = sql<boolean>`not exists (
  select from calibration c where c.vehicle_id = visit.vehicle_id and c.visit_id is distinct from visit.id)`;

async function decide(db: Db, admin: SignedIn): Promise<void> {
  const waiting = await db
    .selectFrom('visit')
    .select(['id', IS_FIRST.as('isFirst')])
    .where('state', '=', 'waits')
    .orderBy('openedAt')
    .execute();
  for (const [nth, { id, isFirst }] of waiting.entries()) {
    if (nth % 3 === 0 && !isFirst) continue;
    const decision =
      nth % 3 === 1 || isFirst
        ? ({ decision: 'accepted', reason: 'weighed-again' } as const)
        : ({ decision: 'set-aside', reason: 'does-not-fit' } as const);
    const more = { note: '', openedState: 'waits' };
    const answer = await decideVisit(db, admin, id, { ...decision, ...more }, { now: new Date(), key: randomUUID() });
    if (!answer.decided) throw new Error(`a decision was refused: ${answer.reason}`);
  }
}

async function signedIn(db: Db, email: string): Promise<SignedIn> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) throw new Error(`there is no ${email}`);
  const { personId, standing } = person;
  return { ...standing, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}
