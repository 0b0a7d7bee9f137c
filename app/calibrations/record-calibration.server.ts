// A reading is recorded: by whoever is signed in, in their own name, at the server's time. It never changes afterwards.
// Those of one moment are written in one transaction (docs/decisions/0013).
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { knownActors, type KnownNaming } from '#app/activity-log/actor.server.ts';
import { actorOf, namingOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { keptForms, keyOfForm, once, type KeptForm } from '#app/platform/database/form-key.server.ts';
import { writeInGroups } from '#app/platform/database/group-writes.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { calibrationEvent } from './calibration-event.server.ts';
import { coveredRows, type WrittenRow } from '#app/transparency-log/record-snapshot.server.ts';
import { findVehicle, lockedFreeVehicles, lockVehicle, type VehicleOfReading } from '#app/vehicles/queries.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { CalibrationInput } from './calibration-entry.ts';

const SET_BACK_MAX_MS = 3_600_000;

const recordedSchema = z.object({ recorded: z.literal(true), id: z.number() });
type Recorded = z.infer<typeof recordedSchema>;
export type RecordAnswer = Recorded | { recorded: false; reason: 'removed' } | { recorded: false; reason: 'unknown' };

/** One that came in, as a form. */
type Entry = ReturnType<typeof entryOf>;
const entryOf = (who: SignedIn, rego: string, input: CalibrationInput, now: Date, formKey: unknown) => ({
  key: keyOfForm(formKey, 'calibration.recorded', { rego, ...input }),
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
        const answers = await recordFree(tx, entries);
        committing();
        return answers;
      }),
    alone: (entry) => once(db, entry, (tx) => recordOne(tx, entry)),
    isOnce: ({ key }) => key !== undefined,
    about: ({ rego }) => rego,
  });

async function recordOne(tx: Tx, entry: Entry): Promise<RecordAnswer> {
  // Held to the end: a removal waits, and two readings of one moment get two ids.
  const found = await lockVehicle(tx, entry.rego);
  if (found.state !== 'live') return { recorded: false, reason: found.state };
  const actorId = await actorOf(tx, entry.who);
  const [recorded] = await writeReadings(tx, [{ ...entry, vehicle: found.vehicle, actorId }]);
  if (recorded === undefined) throw new Error('nothing was recorded');
  return recorded;
}

// Undefined for those that wait: for a vehicle that somebody else has locked, or for a due date to be moved once more.
async function recordFree(tx: Tx, entries: readonly Entry[]): Promise<(RecordAnswer | undefined)[]> {
  const { kept, vehicles, actors } = await lookUp(tx, entries);
  const answers: (RecordAnswer | undefined)[] = [];
  const readings = new Map<number, Reading>();
  const moved = new Set<string>();
  const byKey = new Map<string, number>();
  const twice = new Map<number, number>();
  for (const [place, entry] of entries.entries()) {
    const { personId, rego, who, input } = entry;
    const { key } = entry;
    const before = key === undefined ? undefined : kept.get(key);
    const first = key === undefined ? undefined : byKey.get(key);
    const vehicle = vehicles.get(rego);
    if (before?.personId === personId) answers[place] = entry.parse(before.outcome);
    else if (first !== undefined && entries[first]?.personId === personId) twice.set(place, first);
    else if (vehicle === undefined) answers[place] = await missing(tx, rego);
    // A leaf covers the vehicle as its reading left it, so each that moves the date has a transaction of its own.
    else if (movesDue(vehicle, input) && moved.has(rego)) answers[place] = undefined;
    else {
      if (movesDue(vehicle, input)) moved.add(rego);
      const actorId = actors.get(actorName(namingOf(who))) ?? (await actorOf(tx, who));
      const isKept = key !== undefined && before === undefined && first === undefined;
      if (isKept) byKey.set(key, place);
      readings.set(place, { ...entry, vehicle, actorId, ...(isKept ? { keepAs: key } : {}) });
    }
  }
  const recorded = readings.size === 0 ? [] : await writeReadings(tx, [...readings.values()]);
  for (const [index, place] of [...readings.keys()].entries()) answers[place] = recorded[index];
  for (const [place, first] of twice) answers[place] = answers[first];
  return answers;
}

type Known = {
  kept: Map<string, KeptForm>;
  vehicles: Map<string, VehicleOfReading>;
  actors: Map<string, number>;
};

async function lookUp(tx: Tx, entries: readonly Entry[]): Promise<Known> {
  const { rows } = await sql<{
    kept: KeptForm[];
    vehicles: VehicleOfReading[];
    actors: (KnownNaming & { id: number })[];
  }>`select ${keptForms(entries.flatMap(({ key }) => key ?? []))} as kept,
    ${lockedFreeVehicles(entries.map(({ rego }) => rego))} as vehicles,
    ${knownActors(entries.map(({ who }) => namingOf(who)))} as actors`.execute(tx.withoutPlugins());
  const [found] = rows;
  if (found === undefined) throw new Error('nothing was looked up');
  return {
    kept: new Map(found.kept.map((form) => [form.key, form])),
    vehicles: new Map(found.vehicles.map((vehicle) => [vehicle.rego, vehicle])),
    actors: new Map(found.actors.map((actor) => [actorName(actor), actor.id])),
  };
}

const actorName = ({ personId, name, email }: KnownNaming) => JSON.stringify([personId, name, email]);

// Locked by somebody else, or added or restored in this moment: it waits.
async function missing(tx: Tx, rego: string): Promise<RecordAnswer | undefined> {
  const { state } = await findVehicle(tx, rego);
  return state === 'live' ? undefined : { recorded: false, reason: state };
}

/** `keepAs`: the key of its form, under which to keep the outcome. */
type Reading = Pick<Entry, 'who' | 'rego' | 'input' | 'now' | 'personId'> & {
  vehicle: VehicleOfReading;
  actorId: number;
  keepAs?: string;
};

const movesDue = ({ nextCalibrationDueOn: before }: VehicleOfReading, { due_date: dueOn }: CalibrationInput) =>
  dueOn !== null && (before === null || dueOn > before);

// Their vehicles are locked, and each one's due date is moved by one of them at most.
async function writeReadings(tx: Tx, readings: readonly Reading[]): Promise<Recorded[]> {
  const written = await insertReadings(tx, readings);
  const events: LeafEvent[] = [];
  const activities: ActivityEntry[] = [];
  const recorded: Recorded[] = [];
  const moving: Due[] = [];
  for (const [place, { who, rego, input, vehicle, actorId }] of readings.entries()) {
    const id = written[place]?.id;
    if (id === undefined) throw new Error('a reading was not written');
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

// In their order. One text whatever their number, so that it is planned once. The ids are found when the vehicles are locked.
async function insertReadings(tx: Tx, readings: readonly Reading[]): Promise<(WrittenRow & { id: number })[]> {
  // Each has the id that it would have after those before it, one by one.
  const counts = new Map<string, number>();
  const rows = readings.map(({ rego, input, now, vehicle, actorId, personId, keepAs }, place) => {
    const nth = counts.get(rego) ?? 0;
    counts.set(rego, nth + 1);
    const { axle, attribute, value, due_date: due_on } = input;
    const reading = { rego, now: now.getTime(), nth, vehicle_id: vehicle.id, axle, attribute, value, due_on };
    return { place, ...reading, technician_id: actorId, person_id: personId, form_key: keepAs };
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
  // A form is being recorded elsewhere: each goes alone, and that one finds what became of it.
  const keys = rows.filter(({ form_key: key }) => key !== undefined).length;
  if (written.some(({ kept }) => kept !== keys)) throw new Error('a form was recorded meanwhile');
  return written;
}

/**
 * The millisecond `now`, or the first after the latest record of this rego where the clock was set back, so that what is
 * recorded later is never the older one. By more than an hour it had been wrong, and what follows does not go on with it:
 * then the first that no record has as an id.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select ${nextFreeIdOf(sql`${rego}::text`, sql`${now}::bigint`)} as id`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('a reading has an id');
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

export const dueChange = (from: string | null, to: string | null): ActivityChange => ({
  field: 'next_calibration_due',
  from,
  to,
});
