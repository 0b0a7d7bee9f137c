// Records a visit of the demo by the product's own writes, on its day, and what an admin decides about it.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findPersonByEmail } from '#app/access/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { fourIn, type FourReadings } from '#app/readings/calibration-line.ts';
import { READING_FIELD } from '#app/readings/calibration.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { DECISION_REASONS } from '#app/visits/visit.ts';
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import type { SetAxle } from '#app/readings/set-grid.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { addDays, instantAt, todayIn } from '#app/platform/time/calendar.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { OpenRegistry } from '../open-registry.ts';
import { emailOf, type FleetAxle, type FleetReadings, type FleetVisit } from './fleet.ts';
import { INTERVAL_DAYS, voltsAt } from './readings.ts';
import { type Row, tableOf } from './table.ts';

export type Demo = Pick<OpenRegistry, 'db' | 'files' | 'config'> & { now: () => Date };
/** By the weighbridge's name: its id, and the line that names it. */
export type Register = ReadonlyMap<string, { id: string; line: string }>;

type Visit = Record<'at' | 'recordedAt' | 'decidedAt', Date> & { axles: SetAxle[] };

const HOUR_MS = 3_600_000;
/** What lies on the truck this time, against the time before: in the weighbridge's steps. */
const MORE_KG = { empty: 60, loaded: -80 };
export const NOTHING_ELSE = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};
const DECISIONS = tableOf('decisions');

export async function recordFleetVisit(demo: Demo, register: Register, visit: FleetVisit): Promise<void> {
  const { rego, by, weighbridge, ticket, minute, hasPhoto } = visit;
  const at = new Date(dayAt(demo, visit.daysAgo, '00:00').getTime() + minute * 60_000);
  const [recordedAt, decidedAt] = [new Date(at.getTime() + HOUR_MS), new Date(at.getTime() + 24 * HOUR_MS)];
  const photo = hasPhoto ? '90417' : '';
  const said = { rego, by: emailOf(by), weighbridge, ticket, photo, decision: 'any of the fleet' };
  await record(demo, register, { said, visit: { at, recordedAt, decidedAt, axles: visit.axles.map(setAxle) } });
}

export async function recordStory(demo: Demo, register: Register, story: Row): Promise<void> {
  const { rego = '', daysAgo, at = '', ticket = '', photo = '', read, off = '' } = story;
  const now = demo.now();
  const before = await readingsBefore(demo, rego);
  const chosen = [...before].filter(([axle]) => read === '' || read === 'copied' || read === axle);
  const axles = chosen.map(([axle, four]) => {
    const kg = Number(new RegExp(`${axle} (-?\\d+)`).exec(off)?.[1] ?? 0);
    return { axle, readings: read === 'copied' ? four : readAgain(four, kg), extras: NOTHING_ELSE };
  });
  const visitedAt = daysAgo === '' ? new Date(now.getTime() - HOUR_MS) : dayAt(demo, Number(daysAgo), at);
  const said = { ...story, photo: photo && ticket, decision: rego };
  await record(demo, register, { said, visit: { at: visitedAt, recordedAt: now, decidedAt: now, axles } });
}

// `photo`: a file of the folder tickets/. `decision`: which of the table of decisions it gets, if it waits.
async function record(demo: Demo, register: Register, { said, visit }: { said: Row; visit: Visit }): Promise<void> {
  const { db, config } = demo;
  const { rego = '', by: technician = '', weighbridge = '', ticket = '', photo, notes = '' } = said;
  const { at, axles } = visit;
  const [who, bridge] = [await signedIn(demo, technician), register.get(weighbridge)];
  const { vin } = await db.selectFrom('vehicle').select('vin').where('rego', '=', rego).executeTakeFirstOrThrow();
  const input: SetInput = {
    ...NO_FACTS,
    vin,
    axles,
    notes,
    visitedAt: at,
    ticket_number: ticket,
    weighbridge: bridge?.line ?? '',
    reference_id: bridge?.id ?? '',
    due_date: addDays(todayIn(config.timeZone, at), INTERVAL_DAYS),
  };
  const photos = photo === '' ? [] : [await uploadPhoto(demo, who, `${photo}.png`)];
  const then = { ...demo, now: () => visit.recordedAt };
  const recorded = await recordCalibrationSet(then, who, { rego, input, photos, key: randomUUID() });
  if (!recorded.recorded) throw new Error(`the demo's visit of ${rego} was refused: ${recorded.reason}`);
  const decided = DECISIONS.find((row) => row.rego === said.decision);
  const reason = DECISION_REASONS.find((known) => known.reason === decided?.reason)?.reason;
  if (decided === undefined || reason === undefined || recorded.state !== 'waits') return;
  const { by = '', note = '' } = decided;
  const decision = decided.decision === 'accepted' ? 'accepted' : 'set-aside';
  const choice = { decision, reason, note, openedState: recorded.state } as const;
  const when = { now: visit.decidedAt, key: randomUUID() };
  const answer = await decideVisit(db, await signedIn(demo, by), { visitId: recorded.setId, input: choice, ...when });
  if (!answer.decided) throw new Error(`the demo's decision about ${rego} was refused: ${answer.reason}`);
}

/** The newest imported readings of each axle that has all four. */
export async function readingsBefore({ db }: Demo, rego: string): Promise<Map<Axle, FourReadings>> {
  const columns = ['axle', 'attribute', 'value'] as const;
  const imported = await db.selectFrom('calibration').select(columns).where('rego', '=', rego).orderBy('id').execute();
  const newest = [...Map.groupBy(imported, ({ axle }) => axle)].flatMap(([axle, read]) => {
    const four = fourIn(Object.fromEntries(read.map(({ attribute, value }) => [READING_FIELD[attribute], value])));
    return four === undefined ? [] : [[axle, four] as const];
  });
  return new Map(newest);
}

/** Another load on the same line, the volts as a display shows them. `off`: kilograms too many at the loaded point. */
export function readAgain(before: FourReadings, off = 0): FourReadings {
  const [emptyVolt, emptyWeight] = [Number(before.empty_volt), Number(before.empty_weight)];
  const slope = (Number(before.loaded_weight) - emptyWeight) / (Number(before.loaded_volt) - emptyVolt);
  const line = { slope, offset: emptyWeight - slope * emptyVolt };
  const [light, heavy] = [emptyWeight + MORE_KG.empty, Number(before.loaded_weight) + MORE_KG.loaded];
  const volts = { emptyVolt: voltsAt(line, light), loadedVolt: voltsAt(line, heavy) };
  return shown({ ...volts, emptyWeight: light, loadedWeight: heavy + off });
}

export const shown = ({ emptyVolt, loadedVolt, emptyWeight, loadedWeight }: FleetReadings): FourReadings => ({
  empty_volt: emptyVolt.toFixed(2),
  loaded_volt: loadedVolt.toFixed(2),
  empty_weight: String(emptyWeight),
  loaded_weight: String(loadedWeight),
});

const setAxle = ({ axle, found, sensorReplaced, otherTrailer, ...read }: FleetAxle): SetAxle => ({
  axle,
  readings: shown(read),
  extras: {
    ...NOTHING_ELSE,
    ...(found && { as_found_empty: String(found[0]), as_found_loaded: String(found[1]) }),
    sensor_replaced: sensorReplaced === true,
    other_trailer: otherTrailer === true,
  },
});

async function uploadPhoto(demo: Demo, who: SignedIn, name: string): Promise<string> {
  const bytes = await readFile(path.join(import.meta.dirname, 'tickets', name));
  const upload = await addTemporaryUpload(demo, who.personId, { role: 'image', upload: { name, bytes } });
  if (!upload.added) throw new Error(`the demo's photo ${name} was refused: ${upload.reason}`);
  return upload.id;
}

export async function signedIn({ db }: Demo, email: string): Promise<SignedIn> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) throw new Error(`the demo has no ${email}`);
  const { personId, account } = person;
  return { ...account, personId, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
}

function dayAt({ config, now }: Demo, daysAgo: number, time: string): Date {
  return instantAt(addDays(todayIn(config.timeZone, now()), -daysAgo), time, config.timeZone);
}
