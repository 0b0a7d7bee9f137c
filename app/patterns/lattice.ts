// The step in which a display or a weighbridge shows its numbers. Last digits say something only in steps of it.
import type { Columns } from './columns.ts';
import { read } from './growing.ts';

export const VOLT_STEPS = [10, 5, 2, 1] as const;
export const KILOGRAM_STEPS = [100, 50, 20, 10, 5, 2, 1] as const;

/** Which numbers lie on which steps, by the group (truck, technician or weighbridge) that they belong to. */
export type StepTally = {
  add: (group: number, value: number) => void;
  stepOf: (group: number) => number;
  all: (group: number) => number;
};

/** One in so many may lie beside the step: a slip, or another display. */
const BESIDE = 20;

export function tallySteps(groups: number, steps: readonly number[]): StepTally {
  const on = new Int32Array(groups * steps.length);
  const all = new Int32Array(groups);
  return {
    add: (group, value) => {
      all[group] = read(all, group) + 1;
      steps.forEach((step, place) => {
        const cell = group * steps.length + place;
        if (value % step === 0) on[cell] = read(on, cell) + 1;
      });
    },
    all: (group) => read(all, group),
    // The largest step on which they lie; a few values on a step by chance are taken for its own, which hides and never shows.
    stepOf: (group) =>
      steps.find((_, place) => {
        const beside = read(all, group) - read(on, group * steps.length + place);
        return beside <= Math.floor(read(all, group) / BESIDE);
      }) ?? 1,
  };
}

/** The steps in which a visit's numbers were read: of the truck's display, and of the weighbridge. */
export type Steps = {
  volts: (visit: number) => number;
  kilograms: (visit: number) => number;
};

export function stepsOf(columns: Columns): Steps {
  const volts = tallySteps(columns.vehicles, VOLT_STEPS);
  // Those weighed on no weighbridge of the register stand in the last group.
  const elsewhere = columns.places.length;
  const kilograms = tallySteps(elsewhere + 1, KILOGRAM_STEPS);
  const placeOf = (visit: number): number =>
    read(columns.place, visit) === -1 ? elsewhere : read(columns.place, visit);
  for (let visit = 0; visit < columns.visits; visit += 1) {
    for (let group = read(columns.axleFrom, visit); group < read(columns.axleFrom, visit + 1); group += 1) {
      volts.add(read(columns.vehicle, visit), read(columns.emptyVolt, group));
      volts.add(read(columns.vehicle, visit), read(columns.loadedVolt, group));
      kilograms.add(placeOf(visit), read(columns.emptyWeight, group));
      kilograms.add(placeOf(visit), read(columns.loadedWeight, group));
    }
  }
  const voltSteps = Int32Array.from({ length: columns.vehicles }, (_, truck) => volts.stepOf(truck));
  const kilogramSteps = Int32Array.from({ length: elsewhere + 1 }, (_, place) => kilograms.stepOf(place));
  return {
    volts: (visit) => read(voltSteps, read(columns.vehicle, visit)),
    kilograms: (visit) => read(kilogramSteps, placeOf(visit)),
  };
}
