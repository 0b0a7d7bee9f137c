// Every figure of the invented registries. Shares are 0 to 1, masses kilograms, volts hundredths of a volt, times
// minutes.

/** A choice: how often which value. */
export type Choice = readonly (readonly [share: number, value: number])[];

export type RegistryParameters = typeof HONEST;

export const HONEST = {
  technicians: 1000,
  visits: 100_000,
  regions: 50,
  bridgesPerRegion: 3,
  /** Visits of a truck in a year. */
  visitsPerTruck: 2,
  /** Busy and idle people: the standard deviation of the logarithm of visits a year. */
  activitySd: 0.8,
  visitsPerDay: 3,
  firstDay: '2025-11-01',
  days: 365,

  /** Makes differ in the slope of their sensors by so much; trucks of a make by so much. */
  makes: ['Kenworth', 'Volvo', 'Mack', 'Scania', 'Iveco', 'Isuzu', 'DAF', ''],
  makeSd: 0.12,
  truckSd: 0.08,
  /** Trucks that belong to a fleet of identical ones, and how many are in it. */
  fleetShare: 0.35,
  fleetSize: [15, 70],
  fleetSd: 0.005,
  /** Axle groups: steer and drive, with one trailer, with two. */
  groups: [
    [0.35, 2],
    [0.5, 3],
    [0.15, 4],
  ],
  emptySpreadKg: 350,
  emptyFuelKg: 60,
  loadedShare: 0.95,
  loadedSd: 0.03,

  /** Steps: of displays in volts, of weighbridges, of a scale's own display. */
  voltSteps: [
    [0.7, 1],
    [0.15, 2],
    [0.15, 5],
  ],
  bridgeSteps: [
    [0.3, 10],
    [0.5, 20],
    [0.2, 50],
  ],
  scaleStepKg: 20,
  /** Technicians who round every reading to 0.05 V. */
  roundsVolts: 0.04,
  timeSteps: [
    [0.2, 1],
    [0.3, 5],
    [0.3, 15],
    [0.2, 30],
  ],

  /** Drift in half a year: of the zero, of the slope; by region as the standard deviation of the logarithm. */
  driftKg: 205,
  driftSlope: 0.004,
  regionDriftSd: 0.06,
  /** What a technician's own reading adds, by person too. */
  noiseKg: 60,
  technicianNoiseSd: 0.15,

  /** The share of visits with as-found readings, of each technician: from, to. */
  asFound: [0.05, 0.8],
  /** Who finds a scale less than 100 kg out, and writes what was left: mean and deviation between technicians. */
  writesAsLeft: [0.04, 0.04],
  sensorReplaced: [0.02, 0.012],
  otherTrailer: [0.06, 0.045],

  hasPlace: 0.85,
  hasTime: 0.98,
  hasTicket: 0.8,
  hasPhoto: 0.6,
  plainPhoto: 0.03,
  ticketDigits: [
    [0.15, 4],
    [0.25, 5],
    [0.4, 6],
    [0.2, 7],
  ],
  ticketsPerDay: [40, 400],
  secondBridge: 0.1,

  slips: {
    wrongDay: 0.001,
    ticketAgain: 0.0005,
    photoAgain: 0.001,
    readingsAgain: 0.0001,
    wrongTruck: 0.0002,
  },
} as const satisfies Record<string, unknown>;

/** Honest habits, and how many people have each; one has at most one. The rest have none. */
export const HABITS = {
  // Rounding: volts of half of the visits to 0.05; all volts to 0.02; all weights, or the loaded ones, to 100 kg, or
  // those of some visits; the mean of three weighings; times on the hour, or mostly on the half hour.
  roundsVoltsSometimes: 0.03,
  evenVolts: 0.02,
  roundsWeights: 0.03,
  roundsLoadedWeights: 0.02,
  roundsWeightsSometimes: 0.02,
  averagesThree: 0.03,
  timesOnTheHour: 0.03,
  timesMostlyRound: 0.03,
  // All visits of a day at its end, two minutes apart; two people under one account; clocks of another zone; flights.
  offeredTime: 0.03,
  team: 0.03,
  otherZone: 0.01,
  flies: 0.01,
  nightShift: 0.01,
  // One photo of a day's tickets; a camera that never moves; the ticket's number is the day.
  dayPhoto: 0.03,
  fixedCamera: 0.03,
  dayTicket: 0.01,
  // Repairs only; trailers that change; writes what was left where that is near; as found only where it is out, or
  // never.
  workshop: 0.015,
  trailerFleet: 0.015,
  writesAsLeft: 0.03,
  foundOnlyOut: 0.01,
  neverFound: 0.02,
  // On the day on which it is due; always to one test load; a sloppy one, whose slips are ten times as many.
  planner: 0.02,
  testLoad: 0.02,
  sloppy: 0.015,
  freeText: 0.02,
  noTicket: 0.02,
  noPhoto: 0.02,
} as const satisfies Record<string, number>;
export type Habit = keyof typeof HABITS;

/**
 * Of weighbridges: those with a second range above 10 t, tickets that begin anew each day, a wrong e, a wrong weight.
 */
export const BRIDGES = { twoRange: 0.15, dailyTickets: 0.1, wrongStep: 0.03, offset: 0.05, offsetKg: 120 };

type Loose<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends Choice
      ? Choice
      : T extends readonly (infer V)[]
        ? readonly Loose<V>[]
        : { readonly [K in keyof T]: Loose<T[K]> };
export type Parameters = Loose<RegistryParameters>;

/**
 * Other honest registries, by number: larger and smaller differences between people, other displays, more and fewer
 * slips.
 */
export function variant(number: number): Parameters {
  const turn = (values: readonly number[]): number => values[number % values.length] ?? 1;
  const more = turn([1, 0.7, 1.3, 1]);
  return {
    ...HONEST,
    activitySd: turn([0.8, 0.5, 1.1]),
    regions: turn([50, 20, 100]),
    fleetShare: turn([0.35, 0.1, 0.6, 0.8]),
    driftKg: HONEST.driftKg * turn([1, 0.85, 1.15]),
    regionDriftSd: HONEST.regionDriftSd * more,
    technicianNoiseSd: HONEST.technicianNoiseSd * more,
    roundsVolts: turn([0.04, 0.15, 0]),
    asFound:
      [
        [0.05, 0.8],
        [0.5, 1],
        [0, 0.4],
      ][number % 3] ?? HONEST.asFound,
    visitsPerDay: turn([3, 5, 2]),
    slips: {
      wrongDay: HONEST.slips.wrongDay * turn([1, 3, 0.3]),
      ticketAgain: HONEST.slips.ticketAgain * turn([1, 2, 0.3]),
      photoAgain: HONEST.slips.photoAgain * turn([1, 3, 0.3]),
      readingsAgain: HONEST.slips.readingsAgain * turn([1, 3]),
      wrongTruck: HONEST.slips.wrongTruck * turn([1, 3]),
    },
  };
}
