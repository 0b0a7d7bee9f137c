// Records a reading in the name of the signed-in person, at the server's time. A recorded reading never changes.
// Concurrent readings are written in one batch (docs/decisions/0013): by `recordBatch`, or by `recordSingle` for a
// reading that has to wait. Both call `writeReadings`, which writes the row, the leaf in the public log and the
// activity entry.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { type KnownActor, knownActors, type KnownNaming } from '#app/activity-log/actor.server.ts';
import { actorOf, namingOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { groupCommit } from '#app/platform/database/group-commit.server.ts';
import {
  idempotencyKeyOf,
  idempotent,
  storedOutcomes,
  type StoredOutcome,
} from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { readingEvent, type LoggedReading, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { coveredRows, type WrittenRow } from '#app/transparency-log/record-snapshot.server.ts';
import { findVehicle, lockedFreeVehicles, lockVehicle, type VehicleOfReading } from '#app/vehicles/queries.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Axle } from '#app/vehicles/axle.ts';
import { unitOf, type CalibrationAttribute } from './calibration.ts';
import type { CalibrationInput } from './calibration-entry.ts';

const SET_BACK_MAX_MS = 3_600_000;

const recordedSchema = z.object({ recorded: z.literal(true), id: z.number() });
type Recorded = z.infer<typeof recordedSchema>;
export type RecordAnswer = Recorded | { recorded: false; reason: 'removed' } | { recorded: false; reason: 'unknown' };

/**
 * A request. `key`: as the form sent it. `idempotencyKey`: under which the outcome is stored; undefined without a key.
 */
type Entry = {
  who: SignedIn;
  rego: string;
  input: CalibrationInput;
  now: Date;
  key: unknown;
  idempotencyKey: string | undefined;
};
const writeOf = ({ rego, input, key }: Pick<Entry, 'rego' | 'input' | 'key'>) =>
  ({ kind: 'calibration.recorded', key, values: { rego, ...input }, done: recordedSchema }) as const;

const recorders = new WeakMap<Db, (entry: Entry) => Promise<RecordAnswer>>();

/** Records the reading, and moves the vehicle's next due date if the reading's is later. */
export function recordCalibration(
  db: Db,
  who: SignedIn,
  rego: string,
  input: CalibrationInput,
  { now, key }: { now: Date; key: unknown },
): Promise<RecordAnswer> {
  let record = recorders.get(db);
  if (record === undefined) recorders.set(db, (record = openRecorder(db)));
  return record({ who, rego, input, now, key, idempotencyKey: idempotencyKeyOf(writeOf({ rego, input, key })) });
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
  const actorId = await actorOf(tx, entry.who);
  // `idempotent` stores the outcome.
  const [recorded] = await writeReadings(tx, [
    { ...entry, idempotencyKey: undefined, vehicle: found.vehicle, actorId },
  ]);
  if (recorded === undefined) throw new Error('writeReadings returned no result for the reading');
  return recorded;
}

// Undefined for entries to write as singles: another transaction has locked their vehicle, their idempotency key is
// used by another entry, or the batch already moves the due date of their vehicle.
async function recordBatch(tx: Tx, entries: readonly Entry[]): Promise<(RecordAnswer | undefined)[]> {
  const { kept, vehicles, actors } = await lookUp(tx, entries);
  const answers: (RecordAnswer | undefined)[] = [];
  const readings = new Map<number, Reading>();
  const moved = new Set<string>();
  const keys = new Set<string>();
  for (const [place, entry] of entries.entries()) {
    const { rego, who, input, idempotencyKey: key } = entry;
    const before = key === undefined ? undefined : kept.get(key);
    const vehicle = vehicles.get(rego);
    if (before?.personId === who.personId) answers[place] = recordedSchema.parse(before.outcome);
    else if (before !== undefined || (key !== undefined && keys.has(key))) answers[place] = undefined;
    else if (vehicle === undefined) answers[place] = await missing(tx, rego);
    // A leaf covers the vehicle's state after its reading, so each reading that moves the due date needs its own
    // transaction.
    else if (movesDue(vehicle, input) && moved.has(rego)) answers[place] = undefined;
    else {
      if (movesDue(vehicle, input)) moved.add(rego);
      if (key !== undefined) keys.add(key);
      const actorId = actors.get(actorName(namingOf(who))) ?? (await actorOf(tx, who));
      readings.set(place, { ...entry, vehicle, actorId });
    }
  }
  const recorded = readings.size === 0 ? [] : await writeReadings(tx, [...readings.values()]);
  for (const [index, place] of [...readings.keys()].entries()) answers[place] = recorded[index];
  return answers;
}

type Known = {
  kept: Map<string, StoredOutcome>;
  vehicles: Map<string, VehicleOfReading>;
  actors: Map<string, number>;
};

async function lookUp(tx: Tx, entries: readonly Entry[]): Promise<Known> {
  const { rows } = await sql<{
    kept: StoredOutcome[];
    vehicles: VehicleOfReading[];
    actors: KnownActor[];
  }>`select ${storedOutcomes(entries.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))} as kept,
    ${lockedFreeVehicles(entries.map(({ rego }) => rego))} as vehicles,
    ${knownActors(entries.map(({ who }) => namingOf(who)))} as actors`.execute(tx.withoutPlugins());
  const [found] = rows;
  if (found === undefined) throw new Error('the look-up of a batch returned no row');
  return {
    kept: new Map(found.kept.map((outcome) => [outcome.key, outcome])),
    vehicles: new Map(found.vehicles.map((vehicle) => [vehicle.rego, vehicle])),
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

type Reading = Pick<Entry, 'who' | 'rego' | 'input' | 'now' | 'idempotencyKey'> & {
  vehicle: VehicleOfReading;
  actorId: number;
};

const movesDue = ({ nextCalibrationDueOn: before }: VehicleOfReading, { due_date: dueOn }: CalibrationInput) =>
  dueOn !== null && (before === null || dueOn > before);

// The caller has locked the vehicles. At most one of the readings of a vehicle moves its due date.
async function writeReadings(tx: Tx, readings: readonly Reading[]): Promise<Recorded[]> {
  const written = await insertReadings(tx, readings);
  const events: LeafEvent[] = [];
  const activities: ActivityEntry[] = [];
  const recorded: Recorded[] = [];
  const moving: Due[] = [];
  for (const [place, { who, rego, input, vehicle, actorId }] of readings.entries()) {
    const id = written[place]?.id;
    if (id === undefined) throw new Error('the insert returned no id for a reading');
    const { axle, attribute, value, due_date: dueOn } = input;
    const moved = movesDue(vehicle, input);
    const reading = { id, axle, attribute, value, dueOn, calibratedAt: new Date(id) };
    if (moved) moving.push({ vehicleId: vehicle.id, dueOn, actorId });
    events.push(calibrationEvent({ id: vehicle.id, rego }, reading, who.name, { moved }));
    activities.push({
      kind: 'calibration.recorded',
      actorId,
      subject: 'calibration',
      subjectId: `${rego}/${id}`,
      details: `${rego}: ${axle} ${attribute} ${value}`,
      changes: moved ? [dueChange(vehicle.nextCalibrationDueOn, dueOn)] : [],
      rego,
      persons: [who.personId],
    });
    recorded.push({ recorded: true, id });
  }
  if (moving.length > 0) await setNextDues(tx, moving);
  await appendLeaves(tx, events, coveredRows('calibration', written));
  await appendActivities(tx, activities);
  return recorded;
}

// Inserts readings in their order. The SQL text does not depend on their number, so it is planned once. The vehicles
// are locked, so no other transaction takes the ids.
async function insertReadings(tx: Tx, readings: readonly Reading[]): Promise<(WrittenRow & { id: number })[]> {
  // Each reading gets the id that it would get if the readings were written one by one.
  const counts = new Map<string, number>();
  const rows = readings.map(({ who, rego, input, now, vehicle, actorId, idempotencyKey }, place) => {
    const nth = counts.get(rego) ?? 0;
    counts.set(rego, nth + 1);
    const { axle, attribute, value, due_date: due_on } = input;
    const reading = { rego, now: now.getTime(), nth, vehicle_id: vehicle.id, axle, attribute, value, due_on };
    return { place, ...reading, technician_id: actorId, person_id: who.personId, form_key: idempotencyKey };
  });
  const { rows: written } = await sql<WrittenRow & { id: number; kept: number }>`with reading as (
      select nth + max(free - nth) over (partition by rego order by nth) as id, came.*
      from (
        select ${nextFreeIdOf(sql`r.rego`, sql`r.now`)} as free, r.*
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (place int, rego text, now bigint, nth int, vehicle_id uuid,
          axle text, attribute text, value text, due_on date, technician_id bigint, person_id uuid, form_key uuid)
      ) came
    ), written as (
      insert into calibration (rego, id, vehicle_id, axle, attribute, value, due_on, calibrated_at, technician_id)
        select rego, id, vehicle_id, axle, attribute, value, due_on,
          timestamptz 'epoch' + id * interval '1 millisecond', technician_id from reading
        returning rego, id, row_to_json(calibration) as row
    ), outcome as (
      select keep_forms(array_agg(form_key), array_agg(person_id), array_agg(jsonb_build_object('recorded', true, 'id', id)))
        as kept from reading where form_key is not null
    )
    select id, rego || '/' || id as key, row, kept from written join reading using (rego, id), outcome
    order by place`.execute(tx.withoutPlugins());
  // Another transaction stored one of the keys. The batch fails, each entry is written as a single, and the one with
  // that key finds the stored outcome.
  const keys = rows.filter(({ form_key: key }) => key !== undefined).length;
  if (written.some(({ kept }) => kept !== keys)) throw new Error('another transaction stored an idempotency key');
  return written;
}

/**
 * The id of a new record of this rego: `now` in milliseconds. If records up to an hour ahead exist, because the clock
 * was set back, it is the first millisecond after the latest of them, so a later record never looks older. Records
 * further ahead come from a clock that was wrong, and are ignored.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select ${nextFreeIdOf(sql`${rego}::text`, sql`${now}::bigint`)} as id`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('the query for the next free id returned no row');
  return found.id;
}

const nextFreeIdOf = (rego: RawBuilder<string>, now: RawBuilder<number>): RawBuilder<number> => sql`coalesce((
  select max(c.id) + 1 from calibration c
  where c.rego = ${rego} and c.id >= ${now} and c.id < ${now} + ${sql.lit(SET_BACK_MAX_MS)}), ${now})`;

type Due = { vehicleId: string; dueOn: string | null; actorId: number };

/** Sets the vehicle's next due date, as part of a calibration. */
export const setNextDue = (tx: Tx, vehicleId: string, dueOn: string | null, actorId: number): Promise<void> =>
  setNextDues(tx, [{ vehicleId, dueOn, actorId }]);

async function setNextDues(tx: Tx, dues: readonly Due[]): Promise<void> {
  await sql`update vehicle v
    set next_calibration_due_on = due."dueOn", version = v.version + 1, updated_at = ${new Date()}, updated_by = due."actorId"
    from jsonb_to_recordset(${JSON.stringify(dues)}::jsonb) as due ("vehicleId" uuid, "dueOn" date, "actorId" bigint)
    where v.id = due."vehicleId"`.execute(tx);
}

export type RecordedReading = Omit<LoggedReading, 'unit'> & { axle: Axle; attribute: CalibrationAttribute };

/**
 * A reading as an event of the public log, with its unit. `more.corrects`: the leaf of the entry that it corrects;
 * `more.moved`: it also changed the vehicle's due date.
 */
export const calibrationEvent = (
  vehicle: LoggedVehicle,
  reading: RecordedReading,
  technician: string | null,
  more: Parameters<typeof readingEvent>[3] = {},
): LeafEvent => readingEvent(vehicle, { ...reading, unit: unitOf(reading.attribute) }, technician, more);

export const dueChange = (from: string | null, to: string | null): ActivityChange => ({
  field: 'next_calibration_due',
  from,
  to,
});
