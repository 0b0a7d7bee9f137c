// Visits of tests: honest sets of a truck, and single readings.
import { correctCalibration, type CorrectAnswer } from '#app/recording/correct-calibration.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { recordCalibration, type RecordAnswer } from '#app/recording/record-calibration.server.ts';
import { recordCalibrationSet, type RecordSetAnswer } from '#app/recording/record-calibration-set.server.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { calibrationSchema, correctionSchema } from '#app/recording/calibration-entry.ts';
import { NO_FACTS } from '#app/readings/visit-fact.ts';
import type { SetInput } from '#app/recording/set-entry.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import type { FourReadings, ReadingField } from '#app/readings/calibration-line.ts';
import { isSamePlace, type ReadingPlace, type VisitState } from '#app/visits/visit.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { USUAL_AXLES, axleGroupsOf, type Axle } from '#app/vehicles/axle.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

const TRI = { empty_volt: '0.86', empty_weight: '4150', loaded_volt: '3.41', loaded_weight: '18700' };
const TRUE: Partial<Record<Axle, FourReadings>> = {
  STEER: { empty_volt: '0.84', empty_weight: '3940', loaded_volt: '1.46', loaded_weight: '5880' },
  DRIVE: { empty_volt: '0.92', empty_weight: '4780', loaded_volt: '3.18', loaded_weight: '15640' },
  TRAILERA: { empty_volt: '0.88', empty_weight: '4100', loaded_volt: '3.42', loaded_weight: '18900' },
  TRAILERB: { empty_volt: '0.90', empty_weight: '4220', loaded_volt: '3.40', loaded_weight: '18600' },
};

/** Each axle and attribute once: a visit has each once. */
export const READING_PLACES: readonly ReadingPlace[] = USUAL_AXLES.flatMap((axle) =>
  CALIBRATION_ATTRIBUTES.map(({ attribute }) => ({ axle, attribute })),
);

let spreads = 0;
/** Of all visits that one process records. Below zero: the others are for tests that state one. */
export function nextNudge(): number {
  spreads += 1;
  return -spreads;
}

const STEP_VOLTS = 0.02;
const STEP_KG = 21;
// So many choices of the four readings: no two visits are within a step (0.01 V, 20 kg) of each other in all four, nor
// of the true line's own, so that no two trucks have the same readings, and all lie within the tolerance of one line.
const SPREAD = [4, 4, 10, 8] as const;

function spread(four: FourReadings, nth: number): FourReadings {
  let rest = nth;
  const [first = 0, alongLoaded = 0, offEmpty = 0, offLoaded = 0] = SPREAD.map((size) => {
    const part = rest % size;
    rest = Math.floor(rest / size);
    return part;
  });
  const along = first + 1;
  const [emptyVolt, emptyWeight] = [Number(four.empty_volt), Number(four.empty_weight)];
  const [loadedVolt, loadedWeight] = [Number(four.loaded_volt), Number(four.loaded_weight)];
  const kgPerStep = ((loadedWeight - emptyWeight) / (loadedVolt - emptyVolt)) * STEP_VOLTS;
  const kilograms = (weight: number, steps: number, off: number) =>
    String(Math.round(weight + steps * kgPerStep + off * STEP_KG));
  return {
    empty_volt: (emptyVolt + along * STEP_VOLTS).toFixed(2),
    empty_weight: kilograms(emptyWeight, along, offEmpty),
    loaded_volt: (loadedVolt + alongLoaded * STEP_VOLTS).toFixed(2),
    loaded_weight: kilograms(loadedWeight, alongLoaded, offLoaded),
  };
}

/**
 * What an honest technician reads: the truck's true line, `nudge` kilograms off. Below zero: another choice of loads,
 * so that no two visits are the same.
 */
export function honestReadings(axle: Axle, nudge: number): FourReadings {
  if (nudge < 0) return spread(TRUE[axle] ?? TRI, -nudge);
  const { empty_volt, empty_weight, loaded_volt, loaded_weight } = TRUE[axle] ?? TRI;
  const moved = (weight: string) => String(Number(weight) + nudge);
  return { empty_volt, empty_weight: moved(empty_weight), loaded_volt, loaded_weight: moved(loaded_weight) };
}

export type SetChange = Partial<Omit<SetInput, 'axles'>> & {
  axles?: readonly Axle[];
  nudge?: number;
  readings?: Partial<Record<Axle, Partial<FourReadings>>>;
  extras?: Partial<SetInput['axles'][number]['extras']>;
  /** Axles whose line is not held against the lines before. */
  begins?: Partial<Record<Axle, 'sensor_replaced' | 'other_trailer'>>;
  /** Id of a temporary upload. */
  photo?: string;
};

/** An honest set of a truck with these axle groups, read at `visitedAt`, due 182 days later. */
export function honestSet(
  vin: string,
  axleGroups: string,
  visitedAt: Date,
  change: Omit<SetChange, 'photo'> = {},
): SetInput {
  const {
    axles = axleGroupsOf(axleGroups),
    nudge = nextNudge(),
    readings = {},
    extras = {},
    begins = {},
    ...more
  } = change;
  return {
    ...NO_FACTS,
    vin,
    visitedAt,
    reference_id: '',
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
        sensor_replaced: begins[axle] === 'sensor_replaced',
        other_trailer: begins[axle] === 'other_trailer',
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
  { photo, ...change }: SetChange = {},
): Promise<RecordSetAnswer> {
  const { vin, axleGroups } = await liveVehicle(services, rego);
  const input = honestSet(vin, axleGroups, services.now(), change);
  return recordCalibrationSet(services, who, {
    rego,
    input,
    photos: photo === undefined ? [] : [photo],
    key: undefined,
  });
}

/** `only`: the readings to record, in place of all four. `dueOn` '': none is stated. */
export type Singles = {
  nudge?: number;
  dueOn?: string | undefined;
  confirmed?: boolean;
  readings?: Partial<FourReadings>;
  only?: readonly ReadingField[];
};
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
  { nudge = nextNudge(), dueOn, confirmed = true, readings: given, only }: Singles,
): (() => Promise<RecordAnswer>)[] {
  const readings = { ...honestReadings(axle, nudge), ...given };
  return READING_FIELDS.filter(({ field }) => only?.includes(field) ?? true).map(({ field, label }) => async () => {
    const now = services.now();
    const today = todayIn(services.config.timeZone, now);
    const { longestIntervalDays } = await currentPolicy(services.db);
    const input = calibrationSchema(today, longestIntervalDays).parse({
      axle,
      attribute: label,
      value: readings[field],
      due_date: dueOn ?? addDays(today, 182),
      confirmed: confirmed ? 'yes' : '',
    });
    return recordCalibration(services.db, who, { rego, input, now, zone: services.config.timeZone, key: undefined });
  });
}

export type Correction = Partial<Record<'axle' | 'attribute' | 'value' | 'due_date', string>>;

/** Corrects the readings of a visit that no correction supersedes, or only the one of `place`. */
export async function correctVisit(
  services: Services,
  who: SignedIn,
  rego: string,
  visitId: string,
  change: Correction,
  place?: ReadingPlace,
): Promise<CorrectAnswer[]> {
  const { id: vehicleId } = await liveVehicle(services, rego);
  const readings = await listCalibrations(services.db, vehicleId);
  const answers: CorrectAnswer[] = [];
  for (const reading of readings.toReversed()) {
    const { id, axle, attribute, value, dueOn } = reading;
    if (reading.visitId !== visitId || reading.supersededBy !== null) continue;
    if (place !== undefined && !isSamePlace(reading, place)) continue;
    const wrong = { axle, attribute, value, due_date: dueOn ?? '', reason: 'Read wrongly' };
    const input = correctionSchema.parse({ ...wrong, ...change });
    const moment = { now: services.now(), zone: services.config.timeZone, key: undefined };
    answers.push(await correctCalibration(services.db, who, { rego: reading.rego, id, input, ...moment }));
  }
  return answers;
}

/** What anybody reads of the truck: its verdict, and until when. */
export async function publicVerdict(
  services: Services,
  rego: string,
): Promise<{ verdict: Verdict; dueOn: string | null }> {
  const vehicle = await liveVehicle(services, rego);
  const today = todayIn(services.config.timeZone, services.now());
  const { verdict } = judge(verdictFacts(vehicle), today, await currentPolicy(services.db));
  return { verdict, dueOn: vehicle.nextCalibrationDueOn };
}

export type VisitOfRego = { id: string; state: VisitState; dueOn: string | null; checks: unknown };

/** The visits of the truck, in the order of their recording. */
export async function visitsOf(services: Services, rego: string): Promise<VisitOfRego[]> {
  const { id } = await liveVehicle(services, rego);
  return services.db
    .selectFrom('visit')
    .select(['id', 'state', 'dueOn', 'checks'])
    .where('vehicleId', '=', id)
    .orderBy('openedAt')
    .execute();
}

/** The live record of a rego. */
export async function liveVehicle(services: Pick<Services, 'db'>, rego: string): Promise<Vehicle> {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(`${rego} is not there`);
  return found.vehicle;
}
