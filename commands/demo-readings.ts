// Readings for the visits of the demo: on the truck's true line, which is that of its newest imported readings.
import type { SignedIn } from '#app/access/session.server.ts';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { fourIn, type FourReadings } from '#app/readings/calibration-line.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { addDays, instantAt, todayIn } from '#app/platform/time/calendar.ts';
import { axleGroupsOf, type Axle } from '#app/vehicles/axle.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import type { DemoStory } from '#database/demo/demo-stories.ts';
import type { Demo as WholeDemo } from './demo-writes.ts';

export const INTERVAL_DAYS = 182;
/** What lies on the truck this time, against the time before: as a weighbridge prints it, in steps of 20 kg. */
const MORE_KG = { empty: 60, loaded: -80 };
export const NOTHING_ELSE = {
  check_volt: null,
  check_weight: null,
  as_found_empty: null,
  as_found_loaded: null,
  sensor_replaced: false,
  other_trailer: false,
};

type Demo = Pick<WholeDemo, 'db' | 'config' | 'now'>;
/** `before`: the newest readings of each axle group. */
type Truck = { vin: string; axles: readonly Axle[]; before: ReadonlyMap<Axle, FourReadings> };

export async function findTruck({ db }: Pick<Demo, 'db'>, rego: string): Promise<Truck> {
  const found = await findVehicle(db, rego);
  if (found.state !== 'live') throw new Error(`the demo has no ${rego}`);
  const { id, vin, axleGroups } = found.vehicle;
  const readings = (await listCalibrations(db, id)).filter(({ visitId }) => visitId === null);
  const axles = axleGroupsOf(axleGroups);
  const before = new Map<Axle, FourReadings>();
  for (const axle of axles) {
    const values = READING_FIELDS.flatMap(({ field, label }) => {
      const newest = readings.find((one) => one.axle === axle && one.attribute === label);
      return newest === undefined ? [] : [[field, newest.value] as const];
    });
    const four = fourIn(Object.fromEntries(values));
    if (four !== undefined) before.set(axle, four);
  }
  return { vin, axles, before };
}

/** The form of a visit, as its technician fills it in. */
export function setOf(
  { config, now }: Demo,
  truck: Truck,
  { on, ticket = '', notes = '', axles = truck.axles, off = {}, isCopied = false }: DemoStory,
  weighbridge: { id: string; line: string } | undefined,
): SetInput {
  const { timeZone } = config;
  const visitedAt =
    on === undefined ? anHourAgo(now()) : instantAt(addDays(todayIn(timeZone, now()), -on.daysAgo), on.time, timeZone);
  return {
    vin: truck.vin,
    visitedAt,
    weighbridge: weighbridge?.line ?? '',
    reference_id: weighbridge?.id ?? '',
    ticket_number: ticket,
    lift_axle: '',
    not_behind: '',
    due_date: addDays(todayIn(timeZone, visitedAt), INTERVAL_DAYS),
    notes,
    axles: axles.map((axle) => {
      const before = readingsBefore(truck, axle);
      return { axle, readings: isCopied ? before : readAgain(before, off[axle]), extras: NOTHING_ELSE };
    }),
  };
}

// A full hour, so that a start that goes on after another writes the same.
const HOUR_MS = 3_600_000;
const anHourAgo = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR_MS) - 1) * HOUR_MS);

/** Records the readings of these axle groups now, as ordinary entries. `key`: of the write of a reading. */
export async function recordOneByOne(
  { db, config, now }: Demo,
  who: SignedIn,
  rego: string,
  { axles, key }: { axles: readonly Axle[]; key: (place: string) => string },
): Promise<void> {
  const truck = await findTruck({ db }, rego);
  const zone = config.timeZone;
  for (const axle of axles) {
    const readings = readAgain(readingsBefore(truck, axle));
    for (const { field, label } of READING_FIELDS) {
      const today = todayIn(zone, now());
      const entered = { axle, attribute: label, value: readings[field], due_date: addDays(today, INTERVAL_DAYS) };
      const input = calibrationSchema(today).parse({ ...entered, confirmed: 'yes' });
      const answer = await recordCalibration(db, who, rego, input, { now: now(), zone, key: key(`${axle} ${label}`) });
      if (!answer.recorded) throw new Error(`the demo's reading of ${rego} was refused: ${answer.reason}`);
    }
  }
}

function readingsBefore({ before }: Truck, axle: Axle): FourReadings {
  const readings = before.get(axle);
  if (readings === undefined) throw new Error(`the demo has no readings of ${axle} to go on from`);
  return readings;
}

/** Another load on the same line, the volts as a display shows them. `off`: kilograms too many at the loaded point. */
function readAgain(before: FourReadings, off = 0): FourReadings {
  const [emptyVolt, emptyWeight] = [Number(before.empty_volt), Number(before.empty_weight)];
  const [loadedVolt, loadedWeight] = [Number(before.loaded_volt), Number(before.loaded_weight)];
  const kgPerVolt = (loadedWeight - emptyWeight) / (loadedVolt - emptyVolt);
  const point = (kg: number) => ({ kg, volts: (emptyVolt + (kg - emptyWeight) / kgPerVolt).toFixed(2) });
  const [empty, loaded] = [point(emptyWeight + MORE_KG.empty), point(loadedWeight + MORE_KG.loaded)];
  return {
    empty_volt: empty.volts,
    empty_weight: String(empty.kg),
    loaded_volt: loaded.volts,
    loaded_weight: String(loaded.kg + off),
  };
}
