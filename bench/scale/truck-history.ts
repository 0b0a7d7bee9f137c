// The history of one generated truck: its visits twice a year, each with the four readings of each of its axle groups, on a
// straight line that is the truck's own.
import type { FourReadings } from '#app/readings/calibration-line.ts';
import { AXLES, type Axle } from '#app/vehicles/axle.ts';
import { addDays } from '#app/platform/time/calendar.ts';
import { demoRandom, type DemoRandom } from '#database/demo/demo-random.ts';
import { drawLine, RANGES, type Line } from '#database/demo/demo-visits.ts';
import { regoAt, type RegistryPlan } from './registry-plan.ts';

export const TECHNICIANS = 400;
export const WEIGHBRIDGES = 50;
export const INTERVAL_DAYS = 182;

export type GeneratedVisit = {
  on: string;
  /** The instant of the first reading, in ms. */
  at: number;
  technician: number;
  axles: readonly { axle: Axle; four: FourReadings }[];
  /** Recorded here since the import, rather than imported. */
  isRecorded: boolean;
  /** Undefined: none was named. */
  weighbridge: number | undefined;
};
export type GeneratedTruck = { index: number; rego: string; visits: readonly GeneratedVisit[] };

// What was imported ends so many days ago. A third of the trucks had no visit since.
const IMPORTED_BEFORE_DAYS = 400;
const READINGS_A_VISIT = 16;
// A truck that was calibrated more often than twice a year has its visits in so many days.
const OLDEST_DAYS = 4380;
const LAST_THE_DRIVE = ['STEER', 'TRAILERA', 'TRAILERB', 'DRIVE'] as const satisfies readonly Axle[];
const MS_PER_DAY = 86_400_000;

/** The history of truck `index`, up to the day before `today`. */
export function truckAt(plan: RegistryPlan, index: number, today: string): GeneratedTruck {
  const rego = regoAt(index);
  const random = demoRandom(`history of ${rego}`);
  const lines = linesOf(plan, index);
  const count = Math.max(1, plan.readingsOf(index) / READINGS_A_VISIT);
  const days = daysOf(count, today, random);
  // All that are planted among trucks with four readings. Of those, which stay as they were imported, none.
  const isVisited = (random.whole(1, 3) > 1 || plan.kind === 'four') && plan.isInUse && plan.readingsOf(index) > 4;
  const recordedFrom = addDays(today, -IMPORTED_BEFORE_DAYS);
  const usual = random.whole(0, TECHNICIANS - 1);
  return {
    index,
    rego,
    visits: days.map((on, place) => {
      // The oldest of several is imported: a first visit waits for an admin, and with it those after it.
      const isRecorded = isVisited && (place > 0 || days.length === 1) && on > recordedFrom;
      // A few wait for an admin: the load was another than the one that was written down.
      const off = isRecorded && random.whole(1, 50) === 1 ? 1500 : 0;
      return {
        on,
        at: Date.parse(`${on}T00:00:00Z`) + random.whole(0, MS_PER_DAY / 4),
        technician: random.whole(1, 9) === 1 ? random.whole(0, TECHNICIANS - 1) : usual,
        axles: lines.map(({ axle, line }) => ({ axle, four: readOn(axle, line, random, off) })),
        isRecorded,
        weighbridge: random.whole(1, 5) > 1 ? random.whole(0, WEIGHBRIDGES - 1) : undefined,
      };
    }),
  };
}

/**
 * What is read on truck `index` at a visit after those of `truckAt`, which it agrees with. The drive axle comes last:
 * a truck with four readings has no other in the registry, so that its fourth closes the visit.
 */
export function laterReadings(index: number, visit: string): GeneratedVisit['axles'] {
  const random = demoRandom(`visit ${visit} after the history of ${regoAt(index)}`);
  return LAST_THE_DRIVE.map((axle) => ({ axle, four: readOn(axle, lineOf(index, axle), random, 0) }));
}

function daysOf(count: number, today: string, random: DemoRandom): string[] {
  const interval = Math.min(INTERVAL_DAYS, Math.floor(OLDEST_DAYS / count));
  let day = addDays(today, random.whole(-60, 181) - INTERVAL_DAYS);
  const days = [day];
  while (days.length < count) days.unshift((day = addDays(day, random.whole(-7, 7) - interval)));
  return days;
}

function linesOf(plan: RegistryPlan, index: number): { axle: Axle; line: Line }[] {
  const groups = plan.readingsOf(index) > 4 ? AXLES : AXLES.filter(({ axle }) => axle === 'DRIVE');
  return groups.map(({ axle }) => ({ axle, line: lineOf(index, axle) }));
}

const lineOf = (index: number, axle: Axle): Line => drawLine(axle, demoRandom(`${axle} of ${regoAt(index)}`));

// Weights as a weighbridge prints them, and volts with four decimals: with three, some visits of a large registry would be
// equal to the digit, which is what a copy looks like.
function readOn(axle: Axle, { slope, offset }: Line, random: DemoRandom, off: number): FourReadings {
  const { empty, loaded } = RANGES[axle];
  const drifted = slope * random.between(0.997, 1.003);
  const round = (kg: number) => Math.round(kg / 20) * 20;
  const light = round((empty[0] + empty[1]) / 2 + random.between(-200, 200));
  const heavy = round(random.between(...loaded));
  const volts = (kg: number) => ((kg - offset) / drifted).toFixed(4);
  return {
    empty_volt: volts(light),
    empty_weight: String(light),
    loaded_volt: volts(heavy),
    loaded_weight: String(heavy + (axle === 'DRIVE' ? off : 0)),
  };
}
