// A registry of honest people: a year of visits in the order in which they happened. Their mistakes are in it.
import type { SampleVisit } from '#app/patterns/sample.ts';
import type { Parameters } from './parameters.ts';
import { randomFrom, type Random } from './random.ts';
import { calibrate, change, makeTrucks, type Truck } from './trucks.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type Bridge = {
  id: string;
  latitude: number;
  longitude: number;
  step: number;
  digits: number;
  perDay: number;
  start: number;
  /** The last number given, before its digits are cut. */
  issued: number;
};
type Region = { trucks: Truck[]; turn: number; bridges: Bridge[]; drift: number };
type Technician = {
  id: string;
  region: Region;
  ownVoltStep: number;
  timeStep: number;
  noise: number;
  asFound: number;
  writesAsLeft: number;
  sensorReplaced: number;
  otherTrailer: number;
  /** Of slips: what he recorded last. */
  last: SampleVisit | undefined;
};
type Ground = { parameters: Parameters; random: Random };

export function* honestRegistry(parameters: Parameters, seed: number): Generator<SampleVisit> {
  const ground = { parameters, random: randomFrom(seed) };
  const { random } = ground;
  const regions = Array.from({ length: parameters.regions }, (_, at) => makeRegion(at, ground));
  const technicians = Array.from({ length: parameters.technicians }, (_, at) =>
    makeTechnician(at, regions[at % regions.length]!, ground),
  );
  const start = Date.parse(`${parameters.firstDay}T00:00:00Z`);
  let number = 0;
  for (const [day, shifts] of rota(technicians, ground).entries())
    for (const { technician, count } of random.shuffle(shifts))
      for (const visit of workDay(technician, { day, start, count }, ground)) {
        number += 1;
        yield { ...visit, id: `v${number}` };
      }
}

function makeRegion(at: number, { parameters, random }: Ground): Region {
  const { visits, visitsPerTruck, regions, bridgesPerRegion } = parameters;
  const centre = { latitude: random.between([-38, -17]), longitude: random.between([116, 152]) };
  return {
    trucks: makeTrucks(Math.ceil(visits / visitsPerTruck / regions), at, { parameters, random }),
    turn: 0,
    drift: Math.exp(random.normal(0, parameters.regionDriftSd)),
    bridges: Array.from({ length: bridgesPerRegion }, (_, bridge) => ({
      id: `b${at}-${bridge}`,
      latitude: centre.latitude + random.normal(0, 0.4),
      longitude: centre.longitude + random.normal(0, 0.4),
      step: random.choose(parameters.bridgeSteps),
      digits: random.choose(parameters.ticketDigits),
      perDay: Math.round(random.between(parameters.ticketsPerDay)),
      start: random.below(1_000_000),
      issued: 0,
    })),
  };
}

const makeTechnician = (at: number, region: Region, { parameters, random }: Ground): Technician => ({
  id: `p${at}`,
  region,
  ownVoltStep: random.is(parameters.roundsVolts) ? 5 : 1,
  timeStep: random.choose(parameters.timeSteps),
  noise: parameters.noiseKg * Math.exp(random.normal(0, parameters.technicianNoiseSd)),
  asFound: random.between(parameters.asFound),
  writesAsLeft: random.share(parameters.writesAsLeft),
  sensorReplaced: random.share(parameters.sensorReplaced),
  otherTrailer: random.share(parameters.otherTrailer),
  last: undefined,
});

type Shift = { technician: Technician; count: number };

// Who works on which day, and how many trucks come. Nobody works at the weekend.
function rota(technicians: readonly Technician[], { parameters, random }: Ground): Shift[][] {
  const { visits, days, activitySd, visitsPerDay } = parameters;
  const busy = technicians.map(() => Math.exp(random.normal(0, activitySd)));
  const all = busy.reduce((sum, one) => sum + one, 0);
  const rota = Array.from({ length: days }, (): Shift[] => []);
  const workDays = Array.from({ length: days }, (_, day) => day).filter((day) => day % 7 < 5);
  technicians.forEach((technician, at) => {
    let left = Math.round((visits * busy[at]!) / all);
    for (const day of random.shuffle([...workDays])) {
      if (left <= 0) break;
      const count = Math.min(left, Math.max(1, Math.round(random.normal(visitsPerDay, 1)), Math.ceil(left / 200)));
      rota[day]!.push({ technician, count });
      left -= count;
    }
  });
  return rota;
}

type Day = { day: number; start: number; count: number };

function* workDay(technician: Technician, { day, start, count }: Day, ground: Ground): Generator<SampleVisit> {
  const { parameters, random } = ground;
  const { region } = technician;
  let bridge = random.pick(region.bridges);
  let minute = random.between([0, 150]) + 20 * 60 + 30;
  for (let done = 0; done < count; done += 1) {
    if (done > 0 && random.is(parameters.secondBridge)) {
      const other = random.pick(region.bridges);
      const km = 111 * Math.hypot(other.latitude - bridge.latitude, other.longitude - bridge.longitude);
      minute += (km / 65) * 60 + 15;
      bridge = other;
    }
    const truck = region.trucks[region.turn % region.trucks.length]!;
    region.turn += 1;
    yield slipped(weigh(truck, { technician, bridge, minute, day, start }, ground), technician, ground);
    // A long day has shorter visits, and never shorter ones than 20 minutes.
    minute += Math.max(20, random.between([30, 60]) * Math.min(1, 10 / count));
  }
}

type Weighing = { technician: Technician; bridge: Bridge; minute: number; day: number; start: number };

function weigh(truck: Truck, { technician, bridge, minute, day, start }: Weighing, ground: Ground): SampleVisit {
  const { parameters, random } = ground;
  const changed = random.below(truck.sensors.length);
  const trailer = truck.sensors.length > 2 ? 2 : -1;
  const [isReplaced, isOther] = [
    random.is(technician.sensorReplaced),
    trailer !== -1 && random.is(technician.otherTrailer),
  ];
  if (isReplaced) change(truck, changed, random);
  if (isOther) change(truck, trailer, random);
  const { before } = truck;
  const read = calibrate(
    truck,
    {
      day,
      bridgeStep: bridge.step,
      ownVoltStep: technician.ownVoltStep,
      drift: technician.region.drift,
      noise: technician.noise,
      hasFound: !isReplaced && !isOther && random.is(technician.asFound),
      writesAsLeft: random.is(technician.writesAsLeft),
    },
    ground,
  ).map((axle, at) => ({
    ...axle,
    sensorReplaced: isReplaced && at === changed,
    otherTrailer: isOther && at === trailer,
  }));
  const axles = before.length > 0 && random.is(parameters.slips.readingsAgain) ? before : read;
  const hasTime = random.is(parameters.hasTime);
  const step = technician.timeStep;
  const stated = hasTime ? Math.round(minute / step) * step : 14 * 60;
  bridge.issued = Math.max(bridge.issued + 2, Math.floor(bridge.start + (day + minute / 1440) * bridge.perDay));
  const ticket = bridge.issued % 10 ** bridge.digits;
  const isRegistered = random.is(parameters.hasPlace);
  const { id, latitude, longitude } = bridge;
  return {
    id: '',
    technician: technician.id,
    vehicle: truck.id,
    make: truck.make,
    at: start + day * DAY_MS + stated * MINUTE_MS,
    hasTime,
    dueAt: start + (day + Math.round(random.normal(182, 12))) * DAY_MS,
    place: isRegistered ? { id, latitude, longitude, stepKg: bridge.step } : null,
    ticket: random.is(parameters.hasTicket) ? String(ticket).padStart(bridge.digits, '0') : '',
    photo: random.is(parameters.hasPhoto) ? { sha256: random.hex(64), dhash: dhash(ground) } : null,
    isComplete: true,
    axles,
  };
}

// A plain picture has few cells that are brighter than the next.
function dhash({ parameters, random }: Ground): string {
  if (!random.is(parameters.plainPhoto)) return random.hex(16);
  return (1n << BigInt(random.below(64))).toString(16).padStart(16, '0');
}

function slipped(visit: SampleVisit, technician: Technician, { parameters, random }: Ground): SampleVisit {
  const { slips } = parameters;
  const { last } = technician;
  let stated = visit;
  if (random.is(slips.wrongDay)) stated = { ...stated, at: stated.at + (random.below(57) - 28) * DAY_MS };
  if (last !== undefined) {
    if (random.is(slips.ticketAgain)) stated = { ...stated, ticket: last.ticket, place: last.place };
    if (random.is(slips.photoAgain)) stated = { ...stated, photo: last.photo };
    if (random.is(slips.wrongTruck)) stated = { ...stated, axles: last.axles };
  }
  technician.last = stated;
  return stated;
}
