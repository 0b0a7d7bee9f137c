// Visits of tests: honest sets of a truck, and single readings.
import { recordCalibration, type RecordAnswer } from '#app/calibrations/record-calibration.server.ts';
import { recordCalibrationSet, type RecordSetAnswer } from '#app/calibrations/record-calibration-set.server.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/calibrations/calibration.ts';
import { calibrationSchema } from '#app/calibrations/calibration-entry.ts';
import type { SetInput } from '#app/calibrations/set-entry.server.ts';
import { READING_FIELDS } from '#app/calibrations/set-grid.ts';
import type { FourReadings } from '#app/calibrations/calibration-line.ts';
import type { ReadingPlace } from '#app/calibrations/visit.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { AXLES, axleGroupsOf, type Axle } from '#app/vehicles/axle.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';

const TRUE: Record<Axle, FourReadings> = {
  STEER: { empty_volt: '0.84', empty_weight: '3940', loaded_volt: '1.46', loaded_weight: '5880' },
  DRIVE: { empty_volt: '0.92', empty_weight: '4780', loaded_volt: '3.18', loaded_weight: '15640' },
  TRAILERA: { empty_volt: '0.88', empty_weight: '4100', loaded_volt: '3.42', loaded_weight: '18900' },
  TRAILERB: { empty_volt: '0.90', empty_weight: '4220', loaded_volt: '3.40', loaded_weight: '18600' },
};

/** Each axle and attribute once: a visit has each once. */
export const READING_PLACES: readonly ReadingPlace[] = AXLES.flatMap(({ axle }) =>
  CALIBRATION_ATTRIBUTES.map(({ attribute }) => ({ axle, attribute })),
);

let nudges = 0;
// 2 kg from visit to visit: within the tolerance, and no two visits are equal to the digit.
const nextNudge = (): number => ((nudges += 1) * 2) % 200;

/** What an honest technician reads: the truck's true line, `nudge` kilograms off, so that no two visits are the same. */
export function honestReadings(axle: Axle, nudge: number): FourReadings {
  const { empty_volt, empty_weight, loaded_volt, loaded_weight } = TRUE[axle];
  const moved = (weight: string) => String(Number(weight) + nudge);
  return { empty_volt, empty_weight: moved(empty_weight), loaded_volt, loaded_weight: moved(loaded_weight) };
}

export type SetChange = Partial<Omit<SetInput, 'axles'>> & {
  axles?: readonly Axle[];
  nudge?: number;
  readings?: Partial<Record<Axle, Partial<FourReadings>>>;
  extras?: Partial<SetInput['axles'][number]['extras']>;
};

/** An honest set of a truck with these axle groups, read at `visitedAt`, due 182 days later. */
export function honestSet(vin: string, axleGroups: string, visitedAt: Date, change: SetChange = {}): SetInput {
  const { axles = axleGroupsOf(axleGroups), nudge = nextNudge(), readings = {}, extras = {}, ...more } = change;
  return {
    vin,
    visitedAt,
    weighbridge: '',
    ticket_number: '',
    lift_axle: '',
    due_date: addDays(todayIn('Australia/Sydney', visitedAt), 182),
    notes: '',
    ...more,
    axles: axles.map((axle) => ({
      axle,
      readings: { ...honestReadings(axle, nudge), ...readings[axle] },
      extras: {
        check_volt: null,
        check_weight: null,
        as_found_empty: null,
        as_found_loaded: null,
        sensor_replaced: false,
        other_trailer: false,
        ...extras,
      },
    })),
  };
}

/** Records an honest set now, by the services' clock. */
export async function recordHonestSet(
  services: Services,
  who: SignedIn,
  rego: string,
  change: SetChange = {},
): Promise<RecordSetAnswer> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(`${rego} is not there`);
  const { vin, axleGroups } = found.vehicle;
  const input = honestSet(vin, axleGroups, services.now(), change);
  return recordCalibrationSet(services, who, rego, input, { photo: '', key: undefined });
}

type Singles = { nudge?: number; dueOn?: string | undefined; confirmed?: boolean };
type Clocked = Services & { setNow: (instant: string) => void };

/** Records the four readings of an axle one by one, a minute apart. */
export async function recordSingles(
  services: Clocked,
  who: SignedIn,
  rego: string,
  axle: Axle,
  given: Singles = {},
): Promise<RecordAnswer[]> {
  const answers: RecordAnswer[] = [];
  for (const record of singlesOf(services, who, rego, axle, given)) {
    answers.push(await record());
    pass(services);
  }
  return answers;
}

/** Records three of the four. What it returns records the last, which closes the visit of a truck with nothing else. */
export async function recordAllButOne(
  services: Clocked,
  who: SignedIn,
  rego: string,
  axle: Axle,
  given: Singles = {},
): Promise<() => Promise<RecordAnswer>> {
  const records = singlesOf(services, who, rego, axle, given);
  for (const record of records.slice(0, -1)) {
    await record();
    pass(services);
  }
  return () => records.at(-1)?.() ?? Promise.reject(new Error('no readings'));
}

const pass = (services: Clocked) => services.setNow(new Date(services.now().getTime() + 60_000).toISOString());

function singlesOf(
  services: Clocked,
  who: SignedIn,
  rego: string,
  axle: Axle,
  { nudge = nextNudge(), dueOn, confirmed = true }: Singles,
): (() => Promise<RecordAnswer>)[] {
  const readings = honestReadings(axle, nudge);
  return READING_FIELDS.map(({ field, label }) => () => {
    const now = services.now();
    const today = todayIn(services.config.timeZone, now);
    const input = calibrationSchema(today).parse({
      axle,
      attribute: label,
      value: readings[field],
      due_date: dueOn ?? addDays(today, 182),
      confirmed: confirmed ? 'yes' : '',
    });
    return recordCalibration(services.db, who, rego, input, { now, zone: services.config.timeZone, key: undefined });
  });
}
