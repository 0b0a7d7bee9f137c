// Records a visit of the demo by the product's own writes, on its day, and what an admin decides about it.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { FourReadings } from '#app/readings/calibration-line.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import type { SetAxle } from '#app/readings/set-grid.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { addDays, instantAt, todayIn } from '#app/platform/time/calendar.ts';
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import type { OpenRegistry } from '../open-registry.ts';
import { emailOf, type FleetAxle, type FleetVisit } from './fleet.ts';
import { DANIEL } from './people.ts';
import { INTERVAL_DAYS } from './readings.ts';
import { DEMO_DECISIONS, type DEMO_STORIES, type DemoDecision } from './stories.ts';

export type Demo = Pick<OpenRegistry, 'db' | 'files' | 'config'> & { now: () => Date };
/** By the weighbridge's name: its id, and the line that names it. */
export type Register = ReadonlyMap<string, { id: string; line: string }>;

type Visit = {
  rego: string;
  by: string;
  at: Date;
  /** When it is recorded, and decided about. */
  recordedAt: Date;
  decidedAt: Date;
  weighbridge: string;
  ticket: string;
  notes: string;
  /** A file of the folder tickets/. */
  photo: string | undefined;
  axles: SetAxle[];
  /** If it waits. */
  decided: DemoDecision | undefined;
};

const HOUR_MS = 3_600_000;
/** What lies on the truck this time, against the time before: in the weighbridge's steps. */
const MORE_KG = { empty: 60, loaded: -80 };
const NOTHING_ELSE = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};
const WEIGHED_AGAIN: DemoDecision = {
  by: DANIEL,
  decision: 'accepted',
  reason: 'weighed-again',
  note: 'The technician sent the tickets of both weighings.',
};

export async function recordFleetVisit(demo: Demo, register: Register, visit: FleetVisit): Promise<void> {
  const { rego, by, weighbridge, ticket, minute, hasPhoto, axles } = visit;
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const at = dayAt(demo, visit.daysAgo, time);
  const [recordedAt, decidedAt] = [new Date(at.getTime() + HOUR_MS), new Date(at.getTime() + 24 * HOUR_MS)];
  const photo = hasPhoto ? '90417.png' : undefined;
  const said = { rego, by: emailOf(by), weighbridge, ticket, notes: '', photo, decided: WEIGHED_AGAIN };
  await record(demo, register, { ...said, at, recordedAt, decidedAt, axles: axles.map(setAxle) });
}

export async function recordStory(demo: Demo, register: Register, story: (typeof DEMO_STORIES)[number]): Promise<void> {
  const { rego = '', by = '', daysAgo, at = '', ticket = '', read, off = '', notes = '', weighbridge = '' } = story;
  const now = demo.now();
  const before = await readingsBefore(demo, rego);
  const chosen = [...before].filter(([axle]) => read === '' || read === 'copied' || read === axle);
  const axles = chosen.map(([axle, four]) => {
    const kg = Number(new RegExp(`${axle} (-?\\d+)`).exec(off)?.[1] ?? 0);
    return { axle, readings: read === 'copied' ? four : readAgain(four, kg), extras: NOTHING_ELSE };
  });
  const visitedAt = daysAgo === '' ? new Date(now.getTime() - HOUR_MS) : dayAt(demo, Number(daysAgo), at);
  const photo = story.photo === '' ? undefined : `${ticket}.png`;
  const said = { rego, by, weighbridge, ticket, notes, photo, decided: DEMO_DECISIONS[rego] };
  await record(demo, register, { ...said, at: visitedAt, recordedAt: now, decidedAt: now, axles });
}

async function record(demo: Demo, register: Register, visit: Visit): Promise<void> {
  const { db, config } = demo;
  const { rego, at, photo, axles, decided } = visit;
  const [who, bridge] = [await signedIn(demo, visit.by), register.get(visit.weighbridge)];
  const { vin } = await db.selectFrom('vehicle').select('vin').where('rego', '=', rego).executeTakeFirstOrThrow();
  const input: SetInput = {
    vin,
    visitedAt: at,
    axles,
    notes: visit.notes,
    ticket_number: visit.ticket,
    lift_axle: '',
    not_behind: '',
    weighbridge: bridge?.line ?? '',
    reference_id: bridge?.id ?? '',
    due_date: addDays(todayIn(config.timeZone, at), INTERVAL_DAYS),
  };
  const photos = photo === undefined ? [] : [await uploadPhoto(demo, who, photo)];
  const then = { ...demo, now: () => visit.recordedAt };
  const recorded = await recordCalibrationSet(then, who, rego, input, { photos, key: randomUUID() });
  if (!recorded.recorded) throw new Error(`the demo's visit of ${rego} was refused: ${recorded.reason}`);
  if (decided === undefined || recorded.state !== 'waits') return;
  const decision = { ...decided, openedState: recorded.state };
  const admin = await signedIn(demo, decided.by);
  const when = { now: visit.decidedAt, key: randomUUID() };
  const answer = await decideVisit(db, admin, recorded.setId, decision, when);
  if (!answer.decided) throw new Error(`the demo's decision about ${rego} was refused: ${answer.reason}`);
}

/** The newest imported readings of each axle. */
export async function readingsBefore({ db }: Demo, rego: string): Promise<Map<Axle, FourReadings>> {
  const imported = await db
    .selectFrom('calibration')
    .select(['axle', 'attribute', 'value'])
    .where('rego', '=', rego)
    .orderBy('id')
    .execute();
  const newest = new Map(imported.map(({ axle, attribute, value }) => [`${axle} ${attribute}`, value]));
  const four = (axle: Axle) => ({
    empty_volt: newest.get(`${axle} Empty Volt`) ?? '',
    loaded_volt: newest.get(`${axle} Loaded Volt`) ?? '',
    empty_weight: newest.get(`${axle} Empty Weight`) ?? '',
    loaded_weight: newest.get(`${axle} Loaded Weight`) ?? '',
  });
  const read = AXLES.filter(({ axle }) => newest.has(`${axle} Empty Volt`));
  return new Map(read.map(({ axle }) => [axle, four(axle)]));
}

/** Another load on the same line, the volts as a display shows them. `off`: kilograms too many at the loaded point. */
export function readAgain(before: FourReadings, off = 0): FourReadings {
  const [emptyVolt, emptyWeight] = [Number(before.empty_volt), Number(before.empty_weight)];
  const kgPerVolt = (Number(before.loaded_weight) - emptyWeight) / (Number(before.loaded_volt) - emptyVolt);
  const volts = (kg: number) => (emptyVolt + (kg - emptyWeight) / kgPerVolt).toFixed(2);
  const [empty, loaded] = [emptyWeight + MORE_KG.empty, Number(before.loaded_weight) + MORE_KG.loaded];
  return {
    empty_volt: volts(empty),
    empty_weight: String(empty),
    loaded_volt: volts(loaded),
    loaded_weight: String(loaded + off),
  };
}

function setAxle({ axle, found, ...read }: FleetAxle): SetAxle {
  return {
    axle,
    readings: {
      empty_volt: read.emptyVolt.toFixed(2),
      loaded_volt: read.loadedVolt.toFixed(2),
      empty_weight: String(read.emptyWeight),
      loaded_weight: String(read.loadedWeight),
    },
    extras: {
      ...NOTHING_ELSE,
      ...(found && { as_found_empty: String(found[0]), as_found_loaded: String(found[1]) }),
      sensor_replaced: read.sensorReplaced === true,
      other_trailer: read.otherTrailer === true,
    },
  };
}

async function uploadPhoto(demo: Demo, who: SignedIn, name: string): Promise<string> {
  const bytes = await readFile(path.join(import.meta.dirname, 'tickets', name));
  const upload = await addTemporaryUpload(demo, who.personId, 'image', { name, bytes });
  if (!upload.added) throw new Error(`the demo's photo ${name} was refused: ${upload.reason}`);
  return upload.id;
}

export async function signedIn({ db }: Demo, email: string): Promise<SignedIn> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) throw new Error(`the demo has no ${email}`);
  const { personId, standing } = person;
  return { ...standing, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}

function dayAt({ config, now }: Demo, daysAgo: number, time: string): Date {
  return instantAt(addDays(todayIn(config.timeZone, now()), -daysAgo), time, config.timeZone);
}
