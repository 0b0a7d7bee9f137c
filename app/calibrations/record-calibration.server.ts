// Records a reading in the name of the signed-in person, at the server's time. A recorded reading never changes. It joins
// its technician's open visit on that truck, or opens one; the reading that completes a visit closes it.
// Concurrent readings are written in one batch (docs/decisions/0013): by `recordBatch`, or by `recordSingle` for a
// reading that has to wait. Both `prepare` what its visit needs, and call `writeReadings`, which writes the row, closes
// the visit, and appends the leaf in the public log and the activity entry.
import { randomUUIDv7 } from 'node:crypto';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { type KnownActor, knownActors, type KnownNaming } from '#app/activity-log/actor.server.ts';
import { actorOf, namingOf, type SignedIn } from '#app/access/session.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import type { Db, InJson, Tx } from '#app/platform/database/database.server.ts';
import { groupCommit } from '#app/platform/database/group-commit.server.ts';
import {
  addToOutcome,
  idempotencyKeyOf,
  idempotent,
  storedOutcomes,
  type StoredOutcome,
} from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { coveredRows, recordName, type RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { axleGroupsOf } from '#app/vehicles/axle.ts';
import { prepareFirst } from '#app/vehicles/due-date.server.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import {
  findVehicle,
  freeVehicleFromJson,
  lockedFreeVehicles,
  lockVehicle,
  type FreeVehicle,
  type VehicleOfVisit,
} from '#app/vehicles/queries.server.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { CalibrationInput } from './calibration-entry.ts';
import { closeIfExpired, closeVisit, outcomeSchema, type Judged } from './close-visit.server.ts';
import { calibrationEvent, distinct, insertReadings, type ReadingToInsert } from './insert-readings.server.ts';
import { isComplete, isExpired, isSamePlace } from './visit.ts';
import { outcomeOf, type VisitOutcome } from './visit-outcome.ts';
import { findVisit, openVisits, type OpenVisit } from './visit-queries.server.ts';

const recordedSchema = z.object({
  recorded: z.literal(true),
  id: z.number(),
  /** What became of the visit, if the reading completed it. */
  closed: outcomeSchema.optional(),
});
type Recorded = z.infer<typeof recordedSchema>;
export type RecordAnswer =
  | Recorded
  | { recorded: false; reason: 'removed' | 'unknown' }
  /** The visit has a reading of this axle and attribute: `id`. It can be corrected. */
  | { recorded: false; reason: 'recorded-already'; id: number };

/**
 * A request. `key`: as the form sent it. `idempotencyKey`: under which the outcome is stored; undefined without a key.
 */
type Entry = Pick<ReadingToInsert, 'who' | 'rego' | 'input' | 'now' | 'zone' | 'idempotencyKey'> & { key: unknown };
const writeOf = ({ rego, input, key }: Pick<Entry, 'rego' | 'input' | 'key'>) =>
  ({ kind: 'calibration.recorded', key, values: { rego, ...input }, done: recordedSchema }) as const;

const recorders = new WeakMap<Db, (entry: Entry) => Promise<RecordAnswer>>();

/** Records the reading. `zone`: the registry's time zone, for the day of a visit. */
export function recordCalibration(
  db: Db,
  who: SignedIn,
  rego: string,
  input: CalibrationInput,
  { now, zone, key }: { now: Date; zone: string; key: unknown },
): Promise<RecordAnswer> {
  let record = recorders.get(db);
  if (record === undefined) recorders.set(db, (record = openRecorder(db)));
  return record({ who, rego, input, now, zone, key, idempotencyKey: idempotencyKeyOf(writeOf({ rego, input, key })) });
}

const openRecorder = (db: Db) =>
  groupCommit<Entry, RecordAnswer>({
    batch: (entries, committing) =>
      db.transaction().execute(async (tx) => {
        const answers = await recordBatch(tx, entries);
        committing();
        return answers;
      }),
    single: (entry) => idempotent<RecordAnswer>(db, entry.who, writeOf(entry), (tx) => recordSingle(tx, entry)),
    isIdempotent: ({ idempotencyKey }) => idempotencyKey !== undefined,
    conflictKey: ({ rego }) => rego,
  });

async function recordSingle(tx: Tx, entry: Entry): Promise<RecordAnswer> {
  // The lock lasts to the end of the transaction: a removal waits, and two readings of one moment get different ids.
  const found = await lockVehicle(tx, entry.rego);
  if (found.state !== 'live') return { recorded: false, reason: found.state };
  const { who, input, now, zone } = entry;
  const actorId = await actorOf(tx, who);
  const [own] = ownVisits(await openVisits(tx, [found.vehicle.id]), who);
  const { vehicle } = own === undefined ? found : await closeIfExpired(tx, found.vehicle, own.id, { now, zone });
  const open = own === undefined || isExpired(own, now) ? undefined : own;
  const there = readingOf(open, input);
  if (there !== undefined) return there;
  // `idempotent` stores the outcome.
  const reading = await prepare(tx, { ...entry, idempotencyKey: undefined }, vehicle, open, actorId);
  const [recorded] = await writeReadings(tx, [reading]);
  if (recorded === undefined) throw new Error('writeReadings returned no result for the reading');
  return recorded;
}

const NO_CHANGE = { body: {}, changes: [], checkVisits: [] };

const ownVisits = (open: readonly OpenVisit[], who: SignedIn): OpenVisit[] =>
  open.filter(({ personId }) => personId === who.personId);

function readingOf(open: OpenVisit | undefined, input: CalibrationInput): RecordAnswer | undefined {
  const there = open?.readings.find((reading) => isSamePlace(reading, input));
  return there === undefined ? undefined : { recorded: false, reason: 'recorded-already', id: there.id };
}

// The reading of a locked vehicle, with what else its visit makes it write: `open`, or a new one.
async function prepare(
  tx: Tx,
  entry: Entry,
  vehicle: VehicleOfVisit,
  open: OpenVisit | undefined,
  actorId: number,
): Promise<Reading> {
  const { input, now, zone } = entry;
  const visitId = open?.id ?? randomUUIDv7();
  const isConfirming = open !== undefined && input.confirmed && !open.isConfirmed;
  const there = [...(open?.readings ?? []), input];
  const closes =
    isComplete(axleGroupsOf(vehicle.axleGroups), there) &&
    isComplete(await fittedOf(tx, vehicle, { now: open?.openedAt ?? now, zone }), there);
  return {
    ...entry,
    vehicle,
    actorId,
    visitId,
    isOpening: open === undefined,
    records: open === undefined ? await prepareFirst(tx, vehicle, { now, zone }) : [],
    async after() {
      if (isConfirming) await tx.updateTable('visit').set({ isConfirmed: true }).where('id', '=', visitId).execute();
      const written = closes ? await findVisit(tx, visitId) : undefined;
      if (written === undefined)
        return isConfirming ? { ...NO_CHANGE, records: [{ table: 'visit', key: visitId }] } : undefined;
      const judged = await closeVisit(tx, vehicle, written, actorId, { now, zone });
      return { ...judged, closed: outcomeOf(judged) };
    },
  };
}

// Undefined for entries to write as singles: another transaction has locked their vehicle, their idempotency key is
// used by another entry, the batch already has a reading of their vehicle, or their open visit is to close before.
async function recordBatch(tx: Tx, entries: readonly Entry[]): Promise<(RecordAnswer | undefined)[]> {
  const { kept, vehicles, actors } = await lookUp(tx, entries);
  const open = await openVisits(
    tx,
    [...vehicles.values()].map(({ id }) => id),
  );
  const answers: (RecordAnswer | undefined)[] = [];
  const readings = new Map<number, Reading>();
  const regos = new Set<string>();
  const keys = new Set<string>();
  for (const [place, entry] of entries.entries()) {
    const { rego, who, input, now, idempotencyKey: key } = entry;
    const before = key === undefined ? undefined : kept.get(key);
    const vehicle = vehicles.get(rego);
    if (before?.personId === who.personId) answers[place] = recordedSchema.parse(before.outcome);
    else if (before !== undefined || (key !== undefined && keys.has(key))) answers[place] = undefined;
    else if (vehicle === undefined) answers[place] = await missing(tx, rego);
    else {
      const [own] = ownVisits(
        open.filter(({ vehicleId }) => vehicleId === vehicle.id),
        who,
      );
      if (regos.has(rego) || (own !== undefined && isExpired(own, now))) answers[place] = undefined;
      else {
        answers[place] = readingOf(own, input);
        if (answers[place] !== undefined) continue;
        regos.add(rego);
        if (key !== undefined) keys.add(key);
        const actorId = actors.get(actorName(namingOf(who))) ?? (await actorOf(tx, who));
        readings.set(place, await prepare(tx, entry, vehicle, own, actorId));
      }
    }
  }
  const recorded = readings.size === 0 ? [] : await writeReadings(tx, [...readings.values()]);
  for (const [index, place] of [...readings.keys()].entries()) answers[place] = recorded[index];
  return answers;
}

type Known = {
  kept: Map<string, StoredOutcome>;
  vehicles: Map<string, FreeVehicle>;
  actors: Map<string, number>;
};

// From here to the end of the transaction PostgreSQL plans no statement again for its values: all find their rows by a key,
// and planning those of a batch anew took it longer than running them. Keys are passed in arrays:
// PostgreSQL expects a hundred values in a JSON array, and would read whole tables of a registry of 10,000 trucks for them. In an
// array it expects ten.
const GENERIC_PLANS = sql`set_config('plan_cache_mode', 'force_generic_plan', true)`;

async function lookUp(tx: Tx, entries: readonly Entry[]): Promise<Known> {
  const { rows } = await sql<{
    kept: StoredOutcome[];
    vehicles: InJson<FreeVehicle>[];
    actors: KnownActor[];
  }>`select ${storedOutcomes(entries.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))} as kept,
    ${lockedFreeVehicles(entries.map(({ rego }) => rego))} as vehicles,
    ${knownActors(entries.map(({ who }) => who.personId))} as actors, ${GENERIC_PLANS}`.execute(tx.withoutPlugins());
  const [found] = rows;
  if (found === undefined) throw new Error('the look-up of a batch returned no row');
  return {
    kept: new Map(found.kept.map((outcome) => [outcome.key, outcome])),
    vehicles: new Map(found.vehicles.map((vehicle) => [vehicle.rego, freeVehicleFromJson(vehicle)])),
    actors: new Map(found.actors.map((actor) => [actorName(actor), actor.id])),
  };
}

const actorName = ({ personId, name, email }: KnownNaming) => JSON.stringify([personId, name, email]);

// Undefined if the vehicle is live: another transaction has locked, added or restored it, so the entry is written as a
// single.
async function missing(tx: Tx, rego: string): Promise<RecordAnswer | undefined> {
  const { state } = await findVehicle(tx, rego);
  return state === 'live' ? undefined : { recorded: false, reason: state };
}

/**
 * `records`: what the leaf covers beside the reading and the visit that it opens. `after` runs when it is written, and
 * returns what came of it for the visit.
 */
type Reading = ReadingToInsert & {
  records: readonly RecordRef[];
  after: () => Promise<
    (Pick<Judged, 'body' | 'records' | 'changes' | 'checkVisits'> & { closed?: VisitOutcome }) | undefined
  >;
};

// The caller has locked the vehicles.
async function writeReadings(tx: Tx, readings: readonly Reading[]): Promise<Recorded[]> {
  const { written, opened } = await insertReadings(tx, readings);
  const events: LeafEvent[] = [];
  const activities: ActivityEntry[] = [];
  const recorded: Recorded[] = [];
  const known = new Map([...coveredRows('calibration', written), ...coveredRows('visit', opened)]);
  for (const [place, reading] of readings.entries()) {
    const { who, rego, input, zone, vehicle, actorId, visitId, isOpening, records, after, idempotencyKey } = reading;
    const id = written[place]?.id;
    if (id === undefined) throw new Error('the insert returned no id for a reading');
    const { axle, attribute, value, due_date: dueOn } = input;
    const calibratedAt = new Date(id);
    const also = await after();
    const closed = also?.closed;
    // It may be another row now.
    if (also !== undefined) known.delete(recordName({ table: 'visit', key: visitId }));
    const visit: RecordRef[] = isOpening ? [{ table: 'visit', key: visitId }] : [];
    events.push(
      calibrationEvent({ id: vehicle.id, rego }, { id, axle, attribute, value, dueOn, calibratedAt }, who.name, {
        zone,
        ...(also === undefined ? {} : { body: also.body }),
        records: distinct([...visit, ...records, ...(also?.records ?? [])]),
      }),
      ...leavesOf(also?.checkVisits ?? []),
    );
    activities.push({
      kind: 'calibration.recorded',
      actorId,
      subject: 'calibration',
      subjectId: `${rego}/${id}`,
      details: `${rego}: ${axle} ${attribute} ${value}`,
      changes: also?.changes ?? [],
      rego,
      persons: [who.personId],
    });
    activities.push(...activitiesOf(also?.checkVisits ?? []));
    if (closed !== undefined && idempotencyKey !== undefined) await addToOutcome(tx, idempotencyKey, { closed });
    recorded.push({ recorded: true, id, ...(closed === undefined ? {} : { closed }) });
  }
  await appendLeaves(tx, events, known);
  await appendActivities(tx, activities);
  return recorded;
}
