// Records the demo's year of visits, each by the product's own writes as on its day, decides those that wait, and looks for
// patterns as the night does. The log has them from the first start on, as it has whatever was recorded elsewhere before.
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import { lookAtNight } from '#app/patterns/look-for-patterns.server.ts';
import { addDays, instantAt, todayIn } from '#app/platform/time/calendar.ts';
import { demoFleet, emailOf, type FleetVisit } from '#database/demo/demo-fleet.ts';
import { DANIEL } from '#database/demo/demo-stories.ts';
import { INTERVAL_DAYS, NOTHING_ELSE } from './demo-readings.ts';
import { keyOf, signedIn, uploadPhoto, type Demo, type Register } from './demo-writes.ts';

const PHOTO = '90417.png';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `register`: the weighbridges by name. */
export async function addFleet(demo: Demo, register: Register): Promise<void> {
  const { db, config, now } = demo;
  const vins = new Map(
    (await db.selectFrom('vehicle').select(['rego', 'vin']).execute()).map((it) => [it.rego, it.vin]),
  );
  for (const visit of demoFleet().visits) await record(demo, visit, vins.get(visit.rego) ?? '', register);
  await lookAtNight({ db, now, zone: config.timeZone }, todayIn(config.timeZone, now()));
}

async function record(demo: Demo, visit: FleetVisit, vin: string, register: Register): Promise<void> {
  const { rego, by, daysAgo, minute } = visit;
  const { timeZone } = demo.config;
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const visitedAt = instantAt(addDays(todayIn(timeZone, demo.now()), -daysAgo), time, timeZone);
  const then = { ...demo, now: () => new Date(visitedAt.getTime() + HOUR_MS) };
  const who = await signedIn(demo, emailOf(by));
  const photos = visit.hasPhoto ? [await uploadPhoto(demo, who, PHOTO)] : [];
  const key = (what: string) => keyOf(rego, String(daysAgo), what);
  const input = inputOf(visit, { vin, weighbridge: register.get(visit.weighbridge), visitedAt, timeZone });
  const recorded = await recordCalibrationSet(then, who, rego, input, { photos, key: key('visit') });
  if (!recorded.recorded) throw new Error(`the demo's visit of ${rego} was refused: ${recorded.reason}`);
  if (recorded.state !== 'waits') return;
  const note = 'The technician sent the tickets of both weighings.';
  const decision = { decision: 'accepted', reason: 'weighed-again', note, openedState: 'waits' } as const;
  const when = { now: new Date(visitedAt.getTime() + DAY_MS), key: key('decision') };
  const answer = await decideVisit(demo.db, await signedIn(demo, DANIEL), recorded.setId, decision, when);
  if (!answer.decided) throw new Error(`the demo's decision about ${rego} was refused: ${answer.reason}`);
}

type Around = { vin: string; weighbridge: { id: string; line: string } | undefined; visitedAt: Date; timeZone: string };

function inputOf({ ticket, axles }: FleetVisit, { vin, weighbridge, visitedAt, timeZone }: Around): SetInput {
  return {
    vin,
    visitedAt,
    weighbridge: weighbridge?.line ?? '',
    reference_id: weighbridge?.id ?? '',
    ticket_number: ticket,
    lift_axle: '',
    not_behind: '',
    due_date: addDays(todayIn(timeZone, visitedAt), INTERVAL_DAYS),
    notes: '',
    axles: axles.map(({ axle, found, ...read }) => ({
      axle,
      readings: {
        empty_volt: read.emptyVolt.toFixed(2),
        loaded_volt: read.loadedVolt.toFixed(2),
        empty_weight: String(read.emptyWeight),
        loaded_weight: String(read.loadedWeight),
      },
      extras: {
        ...NOTHING_ELSE,
        as_found_empty: found === undefined ? null : String(found[0]),
        as_found_loaded: found === undefined ? null : String(found[1]),
        sensor_replaced: read.sensorReplaced === true,
        other_trailer: read.otherTrailer === true,
      },
    })),
  };
}
