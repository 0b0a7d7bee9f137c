// The step in which a display or a weighbridge shows its numbers. Last digits say something only in steps of it. Only a
// writer's own numbers, and the register, say what the step is: what others write moves nobody's.
import { alike } from './count.ts';
import type { Sample, SampleVisit } from './sample.ts';

/** What is read on the truck's display, and what on the weighbridge. */
export type Scale = 'volts' | 'kilograms';

const STEPS: Readonly<Record<Scale, readonly number[]>> = {
  volts: [10, 5, 2, 1],
  kilograms: [100, 50, 20, 10, 5, 2, 1],
};

/** One in so many may lie beside the step: a slip, or another display. */
const BESIDE = 20;

/** Of a visit: its numbers by what was read, in hundredths of a volt or kilograms. */
export const numbersOf = ({ axles }: SampleVisit, scale: Scale): [of: string, number: number][] =>
  axles.flatMap(({ axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight }): [string, number][] => [
    [`${axle} empty`, scale === 'volts' ? emptyVolt : emptyWeight],
    [`${axle} loaded`, scale === 'volts' ? loadedVolt : loadedWeight],
  ]);

const plainNumbers = (visits: readonly SampleVisit[], scale: Scale): number[] =>
  visits.flatMap((visit) => numbersOf(visit, scale).map(([, number]) => number));

/**
 * The largest step on which they lie. A few numbers on a step by chance are taken for its own: that hides, and never
 * shows.
 */
export const stepIn = (numbers: readonly number[], scale: Scale): number =>
  STEPS[scale].find((step) => {
    const beside = numbers.reduce((sum, number) => sum + Number(number % step !== 0), 0);
    return beside <= Math.floor(numbers.length / BESIDE);
  }) ?? 1;

/** Fewer writers do not show that the register's e is right. */
const FEWEST_WRITERS = 3;
/** So many of the writers on a weighbridge write what it can show, if its e is right. */
const MOST_RIGHT = 0.7;

/** By weighbridge: its e in the register, where those who write there write in steps of it, or of half or a third. */
export function knownSteps({ visits }: Pick<Sample, 'visits'>): Map<string, number> {
  const steps = new Map<string, number>();
  for (const atPlace of alike(visits, ({ place }) => place?.id)) {
    const stepKg = atPlace[0]?.place?.stepKg;
    const writers = [...Map.groupBy(atPlace, ({ technician }) => technician).values()];
    if (stepKg === undefined || writers.length < FEWEST_WRITERS) continue;
    const right = writers.filter((own) => {
      const beside = own.filter((visit) => !isShown(visit, stepKg)).length;
      return beside <= own.length / BESIDE;
    });
    if (right.length >= writers.length * MOST_RIGHT) steps.set(atPlace[0]?.place?.id ?? '', stepKg);
  }
  return steps;
}

/** The mean of two or three weighings lies between the steps. */
const MEANS = [1, 2, 3];

/** Whether a weighbridge of this step can show every weight, or the mean of a few weighings. */
export const isShown = (visit: SampleVisit, step: number): boolean =>
  plainNumbers([visit], 'kilograms').every((kg) =>
    MEANS.some((of) => Math.abs(kg - (Math.round((kg * of) / step) * step) / of) < 1),
  );

/**
 * A visit's steps: of its weighbridge by the register, of its volts, and of its weights by what was read; undefined
 * where none is known.
 */
export type Steps = {
  ofPlace: number | undefined;
  volts: number | undefined;
  kilograms: (of: string) => number | undefined;
};

/** Fewer numbers lie on a coarser step by chance. */
const FEWEST_OF_VISIT = 4;
const FEWEST_OF_RANGE = 8;
/** Without the register, somebody who writes finer steps than any weighbridge shows has no step. */
const LEAST_UNKNOWN = 10;

/**
 * By visit. A technician's volts lie on his own step, or on that of the visit: its truck's display, or its rounding.
 * His weights lie on the register's step and on his own there, by what was read, as a weighbridge may have a second
 * range.
 */
export function stepsOf(sample: Sample): Map<SampleVisit, Steps> {
  const known = knownSteps(sample);
  const steps = new Map<SampleVisit, Steps>();
  for (const own of sample.byTechnician.values()) {
    const ofAll = stepIn(plainNumbers(own, 'volts'), 'volts');
    for (const [place, visits] of Map.groupBy(own, (visit) => visit.place?.id ?? '')) {
      const ranges = Map.groupBy(
        visits.flatMap((visit) => numbersOf(visit, 'kilograms')),
        ([of]) => of,
      );
      const ofRange = new Map(
        [...ranges]
          .filter(([, numbers]) => numbers.length >= FEWEST_OF_RANGE)
          .map(([of, numbers]) => [
            of,
            stepIn(
              numbers.map(([, number]) => number),
              'kilograms',
            ),
          ]),
      );
      for (const visit of visits) steps.set(visit, ofVisit(visit, { ofAll, ofRange, ofPlace: known.get(place) }));
    }
  }
  return steps;
}

type Own = { ofAll: number; ofRange: ReadonlyMap<string, number>; ofPlace: number | undefined };

function ofVisit(visit: SampleVisit, { ofAll, ofRange, ofPlace }: Own): Steps {
  const [volts, weights] = [plainNumbers([visit], 'volts'), plainNumbers([visit], 'kilograms')];
  if (volts.length < FEWEST_OF_VISIT) return { ofPlace, volts: undefined, kilograms: () => undefined };
  const rounded = stepIn(weights, 'kilograms');
  return {
    ofPlace,
    volts: Math.max(ofAll, stepIn(volts, 'volts')),
    kilograms: (of) => {
      const own = ofRange.get(of);
      if (own === undefined || (ofPlace === undefined && own < LEAST_UNKNOWN)) return undefined;
      return commonStep(commonStep(own, ofPlace ?? 1), rounded);
    },
  };
}

/** The least common multiple: numbers on both steps lie on it. */
function commonStep(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b !== 0) [a, b] = [b, a % b];
  return (one * other) / a;
}
