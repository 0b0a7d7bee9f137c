// The step in which a display or a weighbridge shows its numbers. Last digits say something only in steps of it.
import type { SampleVisit } from './sample.ts';

/** What is read on the truck's display, and what on the weighbridge. */
export type Scale = 'volts' | 'kilograms';

const STEPS: Readonly<Record<Scale, readonly number[]>> = {
  volts: [10, 5, 2, 1],
  kilograms: [100, 50, 20, 10, 5, 2, 1],
};

/** One in so many may lie beside the step: a slip, or another display. */
const BESIDE = 20;

export function numbersOf(visits: readonly SampleVisit[], scale: Scale): number[] {
  const numbers: number[] = [];
  for (const { axles } of visits)
    for (const { emptyVolt, loadedVolt, emptyWeight, loadedWeight } of axles)
      if (scale === 'volts') numbers.push(emptyVolt, loadedVolt);
      else numbers.push(emptyWeight, loadedWeight);
  return numbers;
}

/**
 * The largest step on which they lie. A few numbers on a step by chance are taken for its own: that hides, and never
 * shows.
 */
export const stepIn = (numbers: readonly number[], scale: Scale): number =>
  STEPS[scale].find((step) => {
    const beside = numbers.reduce((sum, number) => sum + Number(number % step !== 0), 0);
    return beside <= Math.floor(numbers.length / BESIDE);
  }) ?? 1;

const DISPLAY_OF: Readonly<Record<Scale, (visit: SampleVisit) => string>> = {
  volts: ({ vehicle }) => vehicle,
  // Those weighed on no weighbridge of the register are taken together.
  kilograms: ({ place }) => place?.id ?? '',
};

/** The step of a visit's truck or weighbridge, seen from all its numbers; undefined where there are fewer. */
export function stepsBy(scale: Scale, visits: readonly SampleVisit[], fewest = 0): StepOf {
  const steps = new Map<string, number>();
  for (const [display, own] of Map.groupBy(visits, DISPLAY_OF[scale])) {
    const numbers = numbersOf(own, scale);
    if (numbers.length >= fewest) steps.set(display, stepIn(numbers, scale));
  }
  return (visit) => steps.get(DISPLAY_OF[scale](visit));
}

type StepOf = (visit: SampleVisit) => number | undefined;
export type Steps = Readonly<Record<Scale, (visit: SampleVisit) => number>>;

export function stepsOf(visits: readonly SampleVisit[]): Steps {
  const [volts, kilograms] = [stepsBy('volts', visits), stepsBy('kilograms', visits)];
  return { volts: (visit) => volts(visit) ?? 1, kilograms: (visit) => kilograms(visit) ?? 1 };
}
