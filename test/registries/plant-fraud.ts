// One dishonest technician in an honest registry: a share of what each pattern counts is faked, each by a chance of its
// own.
import { KINDS } from '#app/patterns/kinds.ts';
import { stepsOf } from '#app/patterns/lattice.ts';
import type { UsualNumbers } from '#database/pattern-tables.ts';
import type { Count, PatternKind } from '#app/patterns/pattern.ts';
import { sampleOf, type SampleAxle, type SampleTolerance, type SampleVisit } from '#app/patterns/sample.ts';
import type { Random } from './random.ts';

export const PLANTED = 'planted';

/** An honest registry, and where what belongs together stands in it. */
export type Registry = {
  visits: readonly SampleVisit[];
  ofTruck: ReadonlyMap<string, readonly number[]>;
  ofTechnician: ReadonlyMap<string, readonly number[]>;
  atPlace: ReadonlyMap<string, readonly number[]>;
};

export function registryOf(visits: readonly SampleVisit[]): Registry {
  const by = (key: (visit: SampleVisit) => string): Map<string, number[]> => {
    const groups = new Map<string, number[]>();
    visits.forEach((visit, at) => {
      const group = groups.get(key(visit));
      if (group === undefined) groups.set(key(visit), [at]);
      else group.push(at);
    });
    return groups;
  };
  return {
    visits,
    ofTruck: by(({ vehicle }) => vehicle),
    ofTechnician: by(({ technician }) => technician),
    atPlace: by(({ place }) => place?.id ?? ''),
  };
}

/** `partner`: the visits of an accomplice. */
type Own = {
  visits: SampleVisit[];
  partner?: readonly SampleVisit[];
  before: (visit: SampleVisit) => SampleVisit | undefined;
};
type Fake = { share: number; random: Random };
export type Fraud = {
  /** Whether a visit can carry it, so that n can be chosen. `next`: the truck's next visit. */
  fits: (visit: SampleVisit, around: { before: SampleVisit | undefined; next: SampleVisit | undefined }) => boolean;
  /** How many n such a visit brings. */
  each: (visit: SampleVisit) => number;
  plant: (own: Own, fake: Fake) => SampleVisit[];
};

const always = (): boolean => true;
const one = (): number => 1;
const HOUR_MS = 3_600_000;

const axlesOf = (visit: SampleVisit, change: (axle: SampleAxle) => SampleAxle): SampleVisit => ({
  ...visit,
  axles: visit.axles.map(change),
});

/** Fakes each visit with the chance `share`. */
const someVisits =
  (fake: (visit: SampleVisit, own: Own, random: Random) => SampleVisit): Fraud['plant'] =>
  (own, { share, random }) => {
    const faked = own.visits.map(() => random.is(share));
    // What is copied is not itself a copy.
    const visits = own.visits.filter((_, at) => faked[at] === false);
    return own.visits.map((visit, at) => (faked[at] === true ? fake(visit, { ...own, visits }, random) : visit));
  };

/** Fakes each reading with the chance `share`: the nearest multiple of five steps. */
const someDigits =
  (
    names: readonly ('emptyVolt' | 'loadedVolt' | 'emptyWeight' | 'loadedWeight')[],
    step: (visit: SampleVisit) => number,
  ): Fraud['plant'] =>
  (own, { share, random }) =>
    own.visits.map((visit) =>
      axlesOf(visit, (axle) => {
        const made = { ...axle };
        for (const name of names)
          if (random.is(share)) made[name] = Math.round(axle[name] / (5 * step(visit))) * 5 * step(visit);
        return made;
      }),
    );

const stepIn = (values: readonly number[], steps: readonly number[]): number =>
  steps.find((step) => values.every((value) => value % step === 0)) ?? 1;
const volts = ({ axles }: SampleVisit): number[] =>
  axles.flatMap(({ emptyVolt, loadedVolt }) => [emptyVolt, loadedVolt]);

export const FRAUDS: Readonly<Record<PatternKind, Fraud>> = {
  'copied-axle-sets': {
    fits: ({ axles }) => axles.length >= 2,
    each: one,
    plant: someVisits((visit, { visits }, random) => {
      const others = visits.filter(({ vehicle }) => vehicle !== visit.vehicle);
      const { axles } = others.length === 0 ? visit : random.pick(others);
      return { ...visit, axles };
    }),
  },
  'same-as-before': {
    fits: (_, { before }) => before !== undefined && before.axles.length >= 2,
    each: one,
    plant: someVisits((visit, { before }) => ({ ...visit, axles: before(visit)?.axles ?? visit.axles })),
  },
  'moved-a-step': {
    fits: (_, { before }) => before !== undefined && before.axles.length >= 2,
    each: one,
    plant: someVisits((visit, { before }, random) => {
      const earlier = before(visit);
      return earlier === undefined
        ? visit
        : axlesOf({ ...visit, axles: earlier.axles }, (axle) => ({
            ...axle,
            emptyVolt: axle.emptyVolt + random.below(3) - 1,
            loadedVolt: axle.loadedVolt + random.below(3) - 1,
            emptyWeight: axle.emptyWeight + 20 * (random.below(3) - 1),
            loadedWeight: axle.loadedWeight + 10 * (random.below(3) - 1),
          }));
    }),
  },
  'line-stays': {
    fits: (_, { before }) => before !== undefined && before.axles.length >= 2,
    each: one,
    plant: someVisits((visit, { before }) => {
      const earlier = before(visit);
      return axlesOf(visit, (axle) => {
        const line = earlier?.axles.find((one) => one.axle === axle.axle);
        if (line === undefined) return axle;
        const slope = (line.loadedWeight - line.emptyWeight) / (line.loadedVolt - line.emptyVolt);
        const on = line.emptyWeight + (axle.loadedVolt - line.emptyVolt) * slope;
        return { ...axle, loadedWeight: Math.round(on / 20) * 20, sensorReplaced: false, otherTrailer: false };
      });
    }),
  },
  'cannot-be-shown': {
    fits: ({ place }) => place !== null,
    each: one,
    plant: someVisits((visit, _, random) =>
      axlesOf(visit, (axle) => ({
        ...axle,
        emptyWeight: axle.emptyWeight + random.below(50) - 25,
        loadedWeight: axle.loadedWeight + random.below(50) - 25,
      })),
    ),
  },
  'invented-volts': {
    // Trucks with the finest display; others are asked in their own steps, by the same arithmetic.
    fits: (visit) => stepIn(volts(visit), [5, 2]) === 1,
    each: ({ axles }) => 2 * axles.length,
    plant: someDigits(['emptyVolt', 'loadedVolt'], () => 1),
  },
  'invented-kilograms': {
    fits: ({ place }) => place !== null,
    each: ({ axles }) => 2 * axles.length,
    plant: (own, fake) =>
      someDigits(['emptyWeight', 'loadedWeight'], ({ place }) => stepAt(place?.id ?? '', own.visits))(own, fake),
  },
  'never-found-out': {
    fits: ({ axles }) => axles.some(({ foundEmpty }) => foundEmpty !== null),
    each: one,
    plant: someVisits((visit, _, random) =>
      axlesOf(visit, (axle) => ({
        ...axle,
        foundEmpty: Math.round((axle.emptyWeight + random.normal(0, 12)) / 20) * 20,
        foundLoaded: Math.round((axle.loadedWeight + random.normal(0, 12)) / 20) * 20,
      })),
    ),
  },
  'found-as-left': {
    fits: ({ axles }) => axles.some(({ foundEmpty }) => foundEmpty !== null),
    each: one,
    plant: someVisits((visit) =>
      axlesOf(visit, (axle) => ({ ...axle, foundEmpty: axle.emptyWeight, foundLoaded: axle.loadedWeight })),
    ),
  },
  'sensor-replaced': {
    fits: always,
    each: one,
    plant: someVisits((visit) => ({
      ...visit,
      axles: visit.axles.map((axle, at) => (at === 1 ? { ...axle, sensorReplaced: true } : axle)),
    })),
  },
  'other-trailer': {
    fits: ({ axles }) => axles.length > 2,
    each: one,
    plant: someVisits((visit) => ({
      ...visit,
      axles: visit.axles.map((axle, at) => (at === 2 ? { ...axle, otherTrailer: true } : axle)),
    })),
  },
  'too-fast': {
    fits: ({ hasTime }) => hasTime,
    each: one,
    plant: ({ visits }, { share, random }) => {
      const made = visits.map((visit, at) => ({ ...visit, at: alone(visits[0]!.at, at) + random.below(60) * 60_000 }));
      let left = made.reduce((sum) => sum + Number(random.is(share)), 0);
      // Four trucks, and up to five more, seven minutes one after the other.
      for (let first = 0; left > 0 && first < made.length;) {
        const beyond = Math.min(left, 5, made.length - first - 4);
        if (beyond <= 0) break;
        for (let at = 1; at < 4 + beyond; at += 1) made[first + at]!.at = made[first]!.at + at * 7 * 60_000;
        left -= beyond;
        first += 4 + beyond;
      }
      return made;
    },
  },
  'too-far': {
    fits: ({ place, hasTime }) => place !== null && hasTime,
    each: one,
    plant: ({ visits }, { share, random }) =>
      visits.map((visit, at) => {
        const home = { id: 'home', latitude: -33, longitude: 150 };
        const away = { id: `away${at}`, latitude: -20, longitude: random.between([114, 130]) };
        const day = alone(visits[0]!.at, at);
        return random.is(share) && at > 0
          ? { ...visit, at: alone(visits[0]!.at, at - 1) + HOUR_MS, place: away }
          : { ...visit, at: day, place: home };
      }),
  },
  'ticket-twice': {
    fits: ({ place, ticket }) => place !== null && ticket.length >= 6,
    each: one,
    plant: someVisits((visit, { visits }, random) => {
      const { ticket, place } = random.pick(visits.filter(({ vehicle }) => vehicle !== visit.vehicle));
      return { ...visit, ticket, place };
    }),
  },
  'photo-twice': {
    fits: ({ photo }) => photo !== null,
    each: one,
    plant: someVisits((visit, { visits }, random) => {
      const { photo } = random.pick(visits.filter(({ vehicle }) => vehicle !== visit.vehicle));
      return { ...visit, photo };
    }),
  },
  // Both write lines that differ by a quarter from what others find.
  'take-turns': {
    fits: always,
    each: one,
    plant: (own, fake) => FRAUDS['next-disagrees'].plant(own, fake),
  },
  'bunched-at-due': {
    fits: (_, { before }) => before?.dueAt !== undefined,
    each: one,
    plant: someVisits((visit, { before }, random) => {
      const due = before(visit)?.dueAt;
      return due === undefined ? visit : { ...visit, at: due - random.below(3) * 86_400_000 + (visit.at % 86_400_000) };
    }),
  },
  'next-disagrees': {
    fits: ({ axles }, { next }) =>
      next !== undefined &&
      axles.length === next.axles.length &&
      next.axles.every((axle) => !axle.sensorReplaced && !axle.otherTrailer),
    each: one,
    plant: someVisits((visit) =>
      axlesOf(visit, (axle) => ({
        ...axle,
        loadedVolt: axle.emptyVolt + Math.round((axle.loadedVolt - axle.emptyVolt) * 1.25),
      })),
    ),
  },
};

/** Half a day between visits. */
const alone = (first: number, at: number): number => Math.floor(first / 86_400_000) * 86_400_000 + at * 12 * HOUR_MS;

const stepAt = (place: string, visits: readonly SampleVisit[]): number =>
  stepIn(
    visits
      .filter((visit) => visit.place?.id === place)
      .flatMap(({ axles }) => axles.flatMap(({ emptyWeight, loadedWeight }) => [emptyWeight, loadedWeight])),
    [50, 20, 10],
  );

/** What a look counts of a technician who takes over n of these opportunities and fakes `share` of them. */
export function plantedCount(registry: Registry, kind: PatternKind, plan: Plan): Count | undefined {
  const { n, share, random, usualNumbers, tolerance } = plan;
  const { visits, ofTruck, atPlace } = registry;
  const fraud = FRAUDS[kind];
  const trucks = new Set<string>();
  const places = new Set<string>();
  const taken: SampleVisit[] = [];
  const before = (visit: SampleVisit, step = -1): SampleVisit | undefined => {
    const own = ofTruck.get(visit.vehicle) ?? [];
    return visits[own[own.findIndex((at) => visits[at]!.id === visit.id) + step] ?? -1];
  };
  let [got, tries] = [0, 0];
  while (got < n && tries < visits.length * 2) {
    tries += 1;
    const visit = visits[random.below(visits.length)]!;
    if (trucks.has(visit.vehicle)) continue;
    if (!fraud.fits(visit, { before: before(visit), next: before(visit, 1) })) continue;
    if (places.size >= 2 && visit.place !== null && !places.has(visit.place.id) && kind === 'invented-kilograms')
      continue;
    trucks.add(visit.vehicle);
    if (visit.place !== null) places.add(visit.place.id);
    taken.push({ ...visit, technician: PLANTED });
    got += fraud.each(visit);
  }
  if (got < n) return undefined;
  taken.sort((a, b) => a.at - b.at);
  const planted = fraud.plant({ visits: taken, before }, { share, random });
  const own = new Set(planted.map(({ id }) => id));
  const around = new Set([...trucks].flatMap((truck) => ofTruck.get(truck) ?? []));
  // So many weights of others show the step of a weighbridge.
  if (kind === 'invented-kilograms' || kind === 'cannot-be-shown')
    for (const place of places) for (const at of (atPlace.get(place) ?? []).slice(0, 12)) around.add(at);
  const others = [...around].map((at) => visits[at]!).filter(({ id }) => !own.has(id));
  const sample = sampleOf([...planted, ...others]);
  const counts = KINDS[kind].count(sample, { tolerance, usualNumbers, steps: stepsOf(sample) });
  return counts.find(({ technician }) => technician === PLANTED);
}

export type Plan = { n: number; share: number; random: Random; usualNumbers: UsualNumbers; tolerance: SampleTolerance };
