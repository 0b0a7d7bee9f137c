// A registry in which most people have some honest habit. parameters.ts says which, and how many have each.
import type { SampleAxle, SampleVisit } from '#app/patterns/sample.ts';
import { honestRegistry } from './honest-registry.ts';
import { BRIDGES, HABITS, type Habit, type Parameters } from './parameters.ts';
import { randomFrom, type Random } from './random.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export type Crowd = { visits: SampleVisit[]; habitOf: ReadonlyMap<string, Habit | 'none'> };

/** `scale` 0: nobody has a habit, nor any weighbridge. */
export function crowdOf(parameters: Parameters, seed: number, scale = 1): Crowd {
  const random = randomFrom(seed + 7_000_000);
  const places = new Map<string, Bridge>();
  const habitOf = new Map<string, Habit | 'none'>();
  const visits = [...honestRegistry(parameters, seed)].map((visit) => weighedAt(visit, places, { random, scale }));
  const byTechnician = Map.groupBy(visits, ({ technician }) => technician);
  for (const technician of byTechnician.keys()) habitOf.set(technician, habitIn(random, scale));
  for (const technician of byTechnician.keys()) {
    const partner = `p${Number(technician.slice(1)) + parameters.regions}`;
    // Two of a region who work under one account: the other has none.
    if (habitOf.get(technician) !== 'team' || !habitOf.has(partner) || habitOf.get(partner) === 'team') continue;
    habitOf.delete(partner);
    byTechnician.get(technician)?.push(...(byTechnician.get(partner) ?? []).map((one) => ({ ...one, technician })));
    byTechnician.delete(partner);
  }
  const made = [...byTechnician].flatMap(([technician, own]) => {
    const habit = habitOf.get(technician) ?? 'none';
    own.sort((a, b) => a.at - b.at);
    return habit === 'none' ? own : CHANGES[habit](own, random);
  });
  return {
    visits: plannedOnTime(
      made.toSorted((a, b) => a.at - b.at),
      habitOf,
    ),
    habitOf,
  };
}

function habitIn(random: Random, scale: number): Habit | 'none' {
  let left = random.next();
  for (const [habit, share] of Object.entries(HABITS) as [Habit, number][])
    if ((left -= share * scale) < 0) return habit;
  return 'none';
}

type Bridge = { isTwoRange: boolean; isDaily: boolean; isWrong: boolean; offset: number };

function weighedAt(
  visit: SampleVisit,
  bridges: Map<string, Bridge>,
  { random, scale }: { random: Random; scale: number },
): SampleVisit {
  const { place } = visit;
  if (place === null || scale === 0) return visit;
  const bridge = bridges.get(place.id) ?? {
    isTwoRange: random.is(BRIDGES.twoRange),
    isDaily: random.is(BRIDGES.dailyTickets),
    isWrong: random.is(BRIDGES.wrongStep),
    offset: random.is(BRIDGES.offset) ? random.normal(0, BRIDGES.offsetKg) : 0,
  };
  bridges.set(place.id, bridge);
  const step = place.stepKg ?? 10;
  const second = step === 20 ? 50 : 2 * step;
  const offset = round(bridge.offset, step);
  return {
    ...visit,
    ticket: bridge.isDaily && visit.ticket !== '' ? String(1 + random.below(60)).padStart(4, '0') : visit.ticket,
    place: bridge.isWrong ? { ...place, stepKg: 2 * step } : place,
    axles: visit.axles.map((axle) => ({
      ...axle,
      emptyWeight: axle.emptyWeight + offset,
      loadedWeight:
        bridge.isTwoRange && axle.loadedWeight > 10_000
          ? round(axle.loadedWeight + offset, second)
          : axle.loadedWeight + offset,
    })),
  };
}

type Change = (own: SampleVisit[], random: Random) => SampleVisit[];

const round = (value: number, step: number): number => Math.round(value / step) * step;
const dayOf = ({ at }: SampleVisit): number => Math.floor((at + 4 * 60 * MINUTE_MS) / DAY_MS);
const inEach =
  (change: (visit: SampleVisit, random: Random, at: number) => SampleVisit): Change =>
  (own, random) =>
    own.map((visit, at) => change(visit, random, at));
const axles = (visit: SampleVisit, change: (axle: SampleAxle, at: number) => SampleAxle): SampleVisit => ({
  ...visit,
  axles: visit.axles.map(change),
});
const volts = (visit: SampleVisit, step: number): SampleVisit =>
  axles(visit, (axle) => ({
    ...axle,
    emptyVolt: round(axle.emptyVolt, step),
    loadedVolt: round(axle.loadedVolt, step),
  }));
const weights = (visit: SampleVisit, { empty, loaded }: { empty: number; loaded: number }): SampleVisit =>
  axles(visit, (axle) => ({
    ...axle,
    emptyWeight: round(axle.emptyWeight, empty),
    loadedWeight: round(axle.loadedWeight, loaded),
  }));
const moved = (visit: SampleVisit, minutes: number): SampleVisit => ({ ...visit, at: visit.at + minutes * MINUTE_MS });
const without = (change: Partial<SampleVisit>): Change => inEach((visit) => ({ ...visit, ...change }));
const eachDay =
  (change: (visits: SampleVisit[], random: Random) => SampleVisit[]): Change =>
  (own, random) =>
    [...Map.groupBy(own, dayOf).values()].flatMap((visits) => change(visits, random));

const CHANGES: Readonly<Record<Habit, Change>> = {
  roundsVoltsSometimes: inEach((visit, random) => (random.is(0.5) ? volts(visit, 5) : visit)),
  evenVolts: inEach((visit) =>
    visit.axles.every(({ emptyVolt, loadedVolt }) => emptyVolt % 5 === 0 && loadedVolt % 5 === 0)
      ? visit
      : volts(visit, 2),
  ),
  roundsWeights: inEach((visit) => weights(visit, { empty: 100, loaded: 100 })),
  roundsLoadedWeights: inEach((visit) => weights(visit, { empty: 1, loaded: 100 })),
  roundsWeightsSometimes: inEach((visit, random) =>
    random.is(0.4) ? weights(visit, { empty: 100, loaded: 100 }) : visit,
  ),
  averagesThree: inEach((visit, random) => {
    const step = visit.place?.stepKg ?? 20;
    const mean = (kg: number): number =>
      Math.round([0, 1, 2].reduce((sum) => sum + round(kg + random.normal(0, step), step), 0) / 3);
    return axles(visit, (axle) => ({
      ...axle,
      emptyWeight: mean(axle.emptyWeight),
      loadedWeight: mean(axle.loadedWeight),
    }));
  }),
  timesOnTheHour: inEach((visit) => ({ ...visit, at: round(visit.at, 60 * MINUTE_MS) })),
  timesMostlyRound: inEach((visit, random) =>
    random.is(0.8) ? { ...visit, at: round(visit.at, 30 * MINUTE_MS) } : moved(visit, random.below(5)),
  ),
  offeredTime: eachDay((visits) =>
    visits.map((visit, at) => ({ ...visit, at: (visits.at(-1)?.at ?? 0) + (180 + 2 * at) * MINUTE_MS })),
  ),
  team: (own) => own,
  otherZone: inEach((visit) => moved(visit, (visit.place?.longitude ?? 150) < 129 ? 180 : 0)),
  // In the evening, after the last truck at home.
  flies: (own, random) =>
    own.map((visit, at) => {
      const next = own[at + 1];
      return visit.place !== null && next !== undefined && dayOf(next) > dayOf(visit) + 1 && random.is(0.4)
        ? { ...moved(visit, 9 * 60), place: { id: `far${random.below(3)}`, latitude: -31.9, longitude: 115.9 } }
        : visit;
    }),
  nightShift: inEach((visit) => moved(visit, 12 * 60)),
  dayPhoto: eachDay((visits) => {
    const photo = visits.find((one) => one.photo !== null)?.photo ?? null;
    return visits.map((visit) => ({ ...visit, photo: visit.photo === null ? null : photo }));
  }),
  fixedCamera: (own, random) => {
    const hash = BigInt(`0x${random.hex(16)}`);
    const flicker = (): bigint => 1n << BigInt(random.below(64));
    return own.map((visit) =>
      visit.photo === null
        ? visit
        : {
            ...visit,
            photo: {
              ...visit.photo,
              dhash: BigInt.asUintN(64, hash ^ flicker() ^ (random.is(0.5) ? flicker() : 0n))
                .toString(16)
                .padStart(16, '0'),
            },
          },
    );
  },
  dayTicket: eachDay((visits) =>
    visits.map((visit) => ({
      ...visit,
      ticket: visit.ticket === '' ? '' : new Date(visit.at).toISOString().slice(0, 10).replaceAll('-', ''),
    })),
  ),
  workshop: inEach((visit, random) =>
    axles(visit, (axle, at) => (at === 1 && random.is(0.75) ? { ...axle, sensorReplaced: true } : axle)),
  ),
  trailerFleet: inEach((visit, random) =>
    axles(visit, (axle, at) => (at === 2 && random.is(0.9) ? { ...axle, otherTrailer: true } : axle)),
  ),
  writesAsLeft: inEach((visit) => {
    const isNear = visit.axles.every(
      ({ foundEmpty, foundLoaded, emptyWeight, loadedWeight }) =>
        foundEmpty !== null &&
        Math.abs(foundEmpty - emptyWeight) < 100 &&
        Math.abs((foundLoaded ?? 0) - loadedWeight) < 100,
    );
    return isNear
      ? axles(visit, (axle) => ({ ...axle, foundEmpty: axle.emptyWeight, foundLoaded: axle.loadedWeight }))
      : visit;
  }),
  foundOnlyOut: inEach((visit) => {
    const isOut = visit.axles.some(
      ({ foundLoaded, loadedWeight }) => foundLoaded !== null && Math.abs(foundLoaded - loadedWeight) > 400,
    );
    return isOut ? visit : axles(visit, (axle) => ({ ...axle, foundEmpty: null, foundLoaded: null }));
  }),
  neverFound: inEach((visit) => axles(visit, (axle) => ({ ...axle, foundEmpty: null, foundLoaded: null }))),
  planner: (own) => own,
  testLoad: inEach((visit) =>
    axles(visit, (axle, at) => {
      const step = [5, 2].find((one) => axle.emptyVolt % one === 0 && axle.loadedVolt % one === 0) ?? 1;
      const span =
        ((at === 0 ? 1400 : 11_000) * (axle.loadedVolt - axle.emptyVolt)) / (axle.loadedWeight - axle.emptyWeight);
      return {
        ...axle,
        loadedWeight: axle.emptyWeight + (at === 0 ? 1400 : 11_000),
        loadedVolt: axle.emptyVolt + round(span, step),
        foundLoaded: null,
        foundEmpty: null,
      };
    }),
  ),
  sloppy: (own, random) =>
    own.map((visit, at) => {
      const last = own[at - 1];
      if (last === undefined) return visit;
      if (random.is(0.01)) return moved(visit, (random.below(57) - 28) * 24 * 60);
      if (random.is(0.005)) return { ...visit, ticket: last.ticket, place: last.place };
      if (random.is(0.01)) return { ...visit, photo: last.photo };
      return random.is(0.002) ? { ...visit, axles: last.axles } : visit;
    }),
  freeText: without({ place: null }),
  noTicket: without({ ticket: '' }),
  noPhoto: without({ photo: null }),
};

// A planner comes on the day on which the truck is due.
function plannedOnTime(visits: SampleVisit[], habitOf: Crowd['habitOf']): SampleVisit[] {
  const last = new Map<string, SampleVisit>();
  for (const visit of visits) {
    const before = last.get(visit.vehicle);
    if (before !== undefined && habitOf.get(visit.technician) === 'planner')
      before.dueAt = Math.floor(visit.at / DAY_MS) * DAY_MS;
    last.set(visit.vehicle, visit);
  }
  return visits;
}
