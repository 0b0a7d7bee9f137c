// Trucks whose sensors drift, and what a visit reads on them.
import { AXLES } from '#app/vehicles/axle.ts';
import type { SampleAxle } from '#app/patterns/sample.ts';
import type { Parameters } from './parameters.ts';
import type { Random } from './random.ts';

/** One axle group: mass = slope × volts + offset, with volts in V. `shown`: the line that the scale converts by. */
type Sensor = {
  axle: SampleAxle['axle'];
  slope: number;
  offset: number;
  emptyKg: number;
  shown: { slope: number; offset: number };
};
export type Truck = {
  id: string;
  make: string;
  voltStep: number;
  sensors: Sensor[];
  lastDay: number;
  before: SampleAxle[];
};

const TYPICAL = [
  { slope: 1900, volts: 0.5, empty: 4200, limit: 6000 },
  { slope: 4800, volts: 0.4, empty: 4800, limit: 16_500 },
  { slope: 5400, volts: 0.4, empty: 5600, limit: 20_000 },
  { slope: 5200, volts: 0.4, empty: 5400, limit: 20_000 },
];

/** The trucks of a region, those of a fleet one behind the other. */
export function makeTrucks(count: number, region: number, { parameters, random }: Ground): Truck[] {
  const groups: Truck[][] = [];
  for (let made = 0; made < count;) {
    const { fleetShare, fleetSize } = parameters;
    const middle = ((fleetSize[0] ?? 1) + (fleetSize[1] ?? 1)) / 2;
    // So many of the groups are fleets that `fleetShare` of the trucks are in one.
    const isFleet = random.is(fleetShare / middle / (fleetShare / middle + 1 - fleetShare));
    const size = isFleet ? Math.min(count - made, Math.round(random.between(fleetSize))) : 1;
    const model = makeModel({ parameters, random });
    const fleet = Array.from({ length: size }, (_, at) =>
      makeTruck(`t${region}-${made + at}`, model, { parameters, random }),
    );
    groups.push(fleet);
    made += size;
  }
  return random.shuffle(groups).flat();
}

type Ground = { parameters: Parameters; random: Random };
type Model = { make: string; voltStep: number; sensors: { slope: number; volts: number; empty: number }[] };

function makeModel({ parameters, random }: Ground): Model {
  const { makes, makeSd, truckSd, emptySpreadKg, voltSteps, groups } = parameters;
  const place = random.below(makes.length);
  const ofMake = 1 + makeSd * Math.sin(place * 2.4);
  return {
    make: makes[place] ?? '',
    voltStep: random.choose(voltSteps),
    sensors: TYPICAL.slice(0, random.choose(groups)).map(({ slope, volts, empty }) => ({
      slope: slope * ofMake * random.normal(1, truckSd),
      volts: volts + random.normal(0, 0.1),
      empty: random.normal(empty, emptySpreadKg),
    })),
  };
}

function makeTruck(id: string, { make, voltStep, sensors }: Model, { parameters, random }: Ground): Truck {
  return {
    id,
    make,
    voltStep,
    lastDay: -random.below(365 / parameters.visitsPerTruck),
    before: [],
    sensors: sensors.map(({ slope, volts, empty }, at) => {
      const own = slope * random.normal(1, parameters.fleetSd);
      const line = { slope: own, offset: -own * (volts + random.normal(0, 0.008)) };
      return { axle: AXLES[at]!.axle, ...line, emptyKg: random.normal(empty, 40), shown: { ...line } };
    }),
  };
}

export type Reading = {
  day: number;
  /** Steps of the weighbridge and of the technician's own rounding of volts. */
  bridgeStep: number;
  ownVoltStep: number;
  drift: number;
  noise: number;
  hasFound: boolean;
  /** Writes what was left where the scale was found less than 100 kg out. */
  writesAsLeft: boolean;
};

const round = (value: number, step: number): number => Math.round(value / step) * step;

/** Weighs a truck empty and loaded, reads its volts, and adjusts its scale. */
export function calibrate(truck: Truck, reading: Reading, { parameters, random }: Ground): SampleAxle[] {
  const { day, bridgeStep, ownVoltStep, drift, noise, hasFound, writesAsLeft } = reading;
  const since = Math.sqrt(Math.max(1, day - truck.lastDay) / 182);
  truck.lastDay = day;
  truck.before = truck.sensors.map((sensor, at) => {
    const { limit = 20_000 } = TYPICAL[at] ?? {};
    sensor.offset += random.normal(0, parameters.driftKg * drift * since * (limit < 10_000 ? 0.6 : 1));
    sensor.slope *= random.normal(1, parameters.driftSlope * since);
    const voltsAt = (kg: number): number => (kg - sensor.offset + random.normal(0, noise)) / sensor.slope;
    const emptyKg = sensor.emptyKg + random.normal(0, parameters.emptyFuelKg);
    const loadedKg = limit * Math.min(1.02, random.normal(parameters.loadedShare, parameters.loadedSd));
    const volts = { empty: voltsAt(emptyKg), loaded: voltsAt(loadedKg) };
    const step = Math.max(truck.voltStep, ownVoltStep);
    const set = {
      emptyVolt: round(volts.empty * 100, step),
      loadedVolt: round(volts.loaded * 100, step),
      emptyWeight: round(emptyKg, bridgeStep),
      loadedWeight: round(loadedKg, bridgeStep),
    };
    const found = (at: number): number => round(sensor.shown.slope * at + sensor.shown.offset, parameters.scaleStepKg);
    const [foundEmpty, foundLoaded] = [found(volts.empty), found(volts.loaded)];
    const isNear = Math.abs(foundEmpty - emptyKg) < 100 && Math.abs(foundLoaded - loadedKg) < 100;
    const asLeft = writesAsLeft && isNear;
    const slope = (set.loadedWeight - set.emptyWeight) / ((set.loadedVolt - set.emptyVolt) / 100);
    sensor.shown = { slope, offset: set.emptyWeight - (slope * set.emptyVolt) / 100 };
    return {
      axle: sensor.axle,
      ...set,
      foundEmpty: hasFound ? (asLeft ? set.emptyWeight : foundEmpty) : null,
      foundLoaded: hasFound ? (asLeft ? set.loadedWeight : foundLoaded) : null,
      sensorReplaced: false,
      otherTrailer: false,
    };
  });
  return truck.before;
}

/** A new sensor, or another trailer: the line of that group begins again. */
export function change(truck: Truck, at: number, random: Random): void {
  const sensor = truck.sensors[at];
  if (sensor === undefined) return;
  sensor.slope *= random.normal(1, 0.06);
  sensor.offset += random.normal(0, 400);
}
