// A reading is recorded: by whoever is signed in, in their own name, at the server's time. It never changes afterwards.
// Those of one moment are written in one transaction (docs/decisions/0013).
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { actorsOf, type SignedIn } from '#app/account/session.server.ts';
import type { Db, Tx } from '#app/platform/database.server.ts';
import { keyOfValues, once, onceEach } from '#app/platform/form-key.server.ts';
import { writeInGroups } from '#app/platform/group-writes.server.ts';
import { isUuid } from '#app/platform/uuid.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { calibrationEvent } from '#app/transparency-log/events.server.ts';
import { coveredRows, type WrittenRow } from '#app/transparency-log/record-snapshot.server.ts';
import { lockFreeVehicles, lockVehicle, type LockedVehicle } from '#app/vehicles/queries.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { CalibrationInput } from './calibration-entry.ts';

const SET_BACK_MAX_MS = 3_600_000;

const recordedSchema = z.object({ recorded: z.literal(true), id: z.number() });
type Recorded = z.infer<typeof recordedSchema>;
export type RecordAnswer = Recorded | { recorded: false; reason: 'removed' } | { recorded: false; reason: 'unknown' };

/** One that came in, as a form. */
type Entry = ReturnType<typeof entryOf>;
const entryOf = (who: SignedIn, rego: string, input: CalibrationInput, now: Date, formKey: unknown) => ({
  key: keyOfValues(formKey, { rego, ...input }),
  personId: who.personId,
  parse: (kept: unknown): RecordAnswer => recordedSchema.parse(kept),
  took: ({ recorded }: RecordAnswer) => recorded,
  who,
  rego,
  input,
  now,
});

const recorders = new WeakMap<Db, (entry: Entry) => Promise<RecordAnswer>>();

/** Records it, and moves the vehicle's next due date when this one is later. */
export function recordCalibration(
  db: Db,
  who: SignedIn,
  rego: string,
  input: CalibrationInput,
  { now, formKey }: { now: Date; formKey: unknown },
): Promise<RecordAnswer> {
  let record = recorders.get(db);
  if (record === undefined) recorders.set(db, (record = openRecorder(db)));
  return record(entryOf(who, rego, input, now, formKey));
}

const openRecorder = (db: Db) =>
  writeInGroups<Entry, RecordAnswer>({
    together: (entries, committing) =>
      db.transaction().execute(async (tx) => {
        const became = await onceEach<RecordAnswer, Entry>(tx, entries, (toDo) => recordFree(tx, toDo), {
          isBriefly: true,
        });
        committing();
        return became.map((one) => one?.outcome);
      }),
    alone: (entry) => once(db, entry, (tx) => recordOne(tx, entry)),
    isOnce: ({ key }) => isUuid(key),
    about: ({ rego }) => rego,
  });

async function recordOne(tx: Tx, entry: Entry): Promise<RecordAnswer> {
  // Held to the end: a removal waits, and two readings of one moment get two ids.
  const vehicle = await lockVehicle(tx, entry.rego);
  if (vehicle.state !== 'live') return { recorded: false, reason: vehicle.state };
  const [recorded] = await writeReadings(tx, [{ ...entry, vehicle: vehicle.vehicle }]);
  if (recorded === undefined) throw new Error('nothing was recorded');
  return recorded;
}

// Undefined for those that wait: for a vehicle that somebody else has locked, or for a due date to be moved once more.
async function recordFree(tx: Tx, entries: readonly Entry[]): Promise<({ outcome: RecordAnswer } | undefined)[]> {
  const vehicles = await lockFreeVehicles(
    tx,
    entries.map(({ rego }) => rego),
  );
  const moved = new Set<string>();
  const places: number[] = [];
  const readings: Reading[] = [];
  const answers = entries.map((entry, place): { outcome: RecordAnswer } | undefined => {
    const found = vehicles.get(entry.rego);
    if (found === undefined) return undefined;
    if (found.state !== 'live') return { outcome: { recorded: false, reason: found.state } };
    const { vehicle } = found;
    // A leaf covers the vehicle as its reading left it, so each that moves the date has a transaction of its own.
    if (movesDue(vehicle, entry.input)) {
      if (moved.has(vehicle.id)) return undefined;
      moved.add(vehicle.id);
    }
    places.push(place);
    readings.push({ ...entry, vehicle });
    return undefined;
  });
  const recorded = readings.length === 0 ? [] : await writeReadings(tx, readings);
  for (const [index, place] of places.entries()) {
    const outcome = recorded[index];
    if (outcome !== undefined) answers[place] = { outcome };
  }
  return answers;
}

type Reading = Pick<Entry, 'who' | 'rego' | 'input' | 'now'> & {
  vehicle: Extract<LockedVehicle, { state: 'live' }>['vehicle'];
};

const movesDue = ({ nextCalibrationDueOn: before }: Reading['vehicle'], { due_date: dueOn }: CalibrationInput) =>
  dueOn !== null && (before === null || dueOn > before);

// Their vehicles are locked, and each one's due date is moved by one of them at most.
async function writeReadings(tx: Tx, readings: readonly Reading[]): Promise<Recorded[]> {
  const actors = await actorsOf(
    tx,
    readings.map(({ who }) => who),
  );
  const ids = await nextFreeIds(
    tx,
    readings.map(({ rego, now }) => ({ rego, now: now.getTime() })),
  );
  const rows: object[] = [];
  const events: LeafEvent[] = [];
  const activities: ActivityEntry[] = [];
  const recorded: Recorded[] = [];
  const moving: Due[] = [];
  for (const [place, { who, rego, input, vehicle }] of readings.entries()) {
    const [id, actorId] = [ids[place], actors[place]];
    if (id === undefined || actorId === undefined) throw new Error('a reading has an id and an actor');
    const { axle, attribute, value, due_date: dueOn } = input;
    const moved = movesDue(vehicle, input);
    const reading = { id, axle, attribute, value, dueOn, calibratedAt: new Date(id) };
    rows.push({
      rego,
      id,
      vehicle_id: vehicle.id,
      axle,
      attribute,
      value,
      due_on: dueOn,
      calibrated_at: reading.calibratedAt,
      technician_id: actorId,
    });
    if (moved) moving.push({ vehicleId: vehicle.id, dueOn, actorId });
    events.push(calibrationEvent({ id: vehicle.id, rego }, reading, who.name, { moved }));
    activities.push({
      kind: 'calibration.recorded',
      actorId,
      subject: 'calibration',
      subjectId: `${rego}/${id}`,
      details: `${rego}: ${axle} ${attribute} ${value}`,
      changes: moved ? [dueChange(vehicle.nextCalibrationDueOn, dueOn)] : [],
      topics: [`vehicle:${rego}`, 'vehicles', 'logs', `person:${who.personId}`],
    });
    recorded.push({ recorded: true, id });
  }
  // One text whatever their number, so that it is planned once.
  const { rows: written } = await sql<WrittenRow>`insert into calibration
      (rego, id, vehicle_id, axle, attribute, value, due_on, calibrated_at, technician_id)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reading (rego text, id bigint, vehicle_id uuid,
      axle text, attribute text, value text, due_on date, calibrated_at timestamptz, technician_id bigint)
    returning rego || '/' || id as key, row_to_json(calibration) as row`.execute(tx.withoutPlugins());
  if (moving.length > 0) await setNextDues(tx, moving);
  await appendLeaves(tx, events, coveredRows('calibration', written));
  await appendActivities(tx, activities);
  return recorded;
}

/**
 * The millisecond `now`, or the first after the latest record of this rego where the clock was set back, so that what is
 * recorded later is never the older one. By more than an hour it had been wrong, and what follows does not go on with it:
 * then the first that no record has as an id.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const [id] = await nextFreeIds(tx, [{ rego, now }]);
  if (id === undefined) throw new Error('a reading has an id');
  return id;
}

// The same for several of one transaction, each after those before it.
async function nextFreeIds(tx: Tx, readings: readonly { rego: string; now: number }[]): Promise<number[]> {
  const { rows } = await sql<{ last: number | null }>`select (select max(id) from calibration c
      where c.rego = wanted.rego and c.id >= wanted.now and c.id < wanted.now + ${SET_BACK_MAX_MS}) as last
    from unnest(${readings.map(({ rego }) => rego)}::text[], ${readings.map(({ now }) => now)}::bigint[])
      with ordinality as wanted (rego, now, place) order by place`.execute(tx);
  const taken = new Map<string, number[]>();
  return readings.map(({ rego, now }, place) => {
    const own = taken.get(rego) ?? [];
    const last = rows[place]?.last ?? null;
    const near = own.filter((id) => id >= now && id < now + SET_BACK_MAX_MS);
    const latest = Math.max(last ?? -1, ...near);
    const id = latest < 0 ? now : latest + 1;
    taken.set(rego, [...own, id]);
    return id;
  });
}

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

export const dueChange = (from: string | null, to: string | null): ActivityChange => ({
  field: 'next_calibration_due',
  from,
  to,
});
