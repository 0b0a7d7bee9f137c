// How many equal axle sets are expected by chance. Two sets are equal in four values only if they lie in one cell of
// coarser ones; how often that happens is counted, and inside the cell the steps of display and weighbridge are even,
// or nearly so.
import { AXLES } from '#app/vehicles/axle.ts';
import { equalPairs } from './count.ts';
import type { Scale, Steps } from './lattice.ts';
import { axleIn, type SampleAxle, type SampleVisit } from './sample.ts';

/** Wide enough for unlike trucks to meet in it, narrow enough to be even inside. */
const CELL: Size = { volts: 10, kilograms: 100 };
/** How much more often than evenly two sets of one cell may be equal: trucks of one region, loaded to one limit. */
const UNEVEN = 4;
/** Identical trucks: the cell is four steps wide in eight values, of which one in 4^8 is equal if even inside. */
const STEPS_IN_CELL = 4;
/**
 * It is not even: where trucks differ by less than a step in the four volts, equal ones are up to 400 times as many.
 */
const EQUAL_OF_CELL = 400 / STEPS_IN_CELL ** 8;
/** Where no pair was seen, so many may have been expected (95 %). */
const UNSEEN = 3;
/** Whole visits equal to one of somebody else, by chance in a year of one technician: a stated bound. */
const OF_OTHERS = 1e-3;

/** In hundredths of a volt, and in kilograms. */
type Size = Readonly<Record<Scale, number>>;

export const makeOf = ({ make }: SampleVisit): string => make.toLowerCase();

/** By axle: the chance that sets of two trucks of different makes lie in one cell of 0.1 V and 100 kg. */
export const cellChanceOf = (visits: readonly SampleVisit[]): number[] =>
  AXLES.map(({ axle }) => {
    const sets = visits.flatMap((visit) => {
      const group = axleIn(visit, axle);
      return group === undefined ? [] : [{ make: makeOf(visit), cell: cellOf(group, CELL) }];
    });
    const pairs = pairsOf(sets.length) - equalPairs(sets.map(({ make }) => make));
    if (pairs <= 0) return 1;
    const met = equalPairs(sets.map(({ cell }) => cell));
    const like = equalPairs(sets.map(({ make, cell }) => `${make} ${cell}`));
    return Math.min(1, (met - like + UNSEEN) / pairs);
  });

const pairsOf = (number: number): number => (number * (number - 1)) / 2;

const cellOf = (group: SampleAxle, { volts, kilograms }: Size): string =>
  [group.emptyVolt / volts, group.loadedVolt / volts, group.emptyWeight / kilograms, group.loadedWeight / kilograms]
    .map(Math.floor)
    .join(' ');

type StepsBy = ReadonlyMap<SampleVisit, Steps>;
type CopyChance = { steps: StepsBy; cellChance: readonly number[] };

/** The steps of a visit; where none are known the finest, in which sets are equal least often. */
const sizeOf = (visit: SampleVisit, steps: StepsBy): Size => {
  const own = steps.get(visit);
  return { volts: own?.volts ?? 1, kilograms: own?.kilograms(`${visit.axles[0]?.axle} loaded`) ?? 10 };
};

/** Single groups equal between trucks of different makes, expected among these visits of one technician. */
export const singleByChance = (visits: readonly SampleVisit[], { steps, cellChance }: CopyChance): number =>
  AXLES.reduce((sum, { axle }, place) => {
    const weighed = visits.filter((visit) => axleIn(visit, axle) !== undefined);
    if (weighed.length === 0) return sum;
    const volume = weighed.reduce((all, visit) => all + Math.min(1, volumeOf(visit, steps)), 0);
    const pairs = pairsOf(weighed.length) - equalPairs(weighed.map(makeOf));
    return sum + pairs * (cellChance[place] ?? 1) * (volume / weighed.length) * UNEVEN;
  }, 0);

const volumeOf = (visit: SampleVisit, steps: StepsBy): number => {
  const { volts, kilograms } = sizeOf(visit, steps);
  return ((volts / CELL.volts) * (kilograms / CELL.kilograms)) ** 2;
};

/** Whole visits of different trucks equal by chance, expected among these visits of one technician. */
export function wholeByChance(visits: readonly SampleVisit[], steps: StepsBy): number {
  const whole = visits.filter(({ axles }) => axles.length >= 2);
  const cells = whole.map((visit) => {
    const own = sizeOf(visit, steps);
    const size = { volts: STEPS_IN_CELL * own.volts, kilograms: STEPS_IN_CELL * own.kilograms };
    const groups = visit.axles.slice(0, 2).map((group) => `${group.axle} ${cellOf(group, size)}`);
    return `${makeOf(visit)} ${groups.join(' ')}`;
  });
  const ofOneTruck = equalPairs(cells.map((cell, at) => `${cell} ${whole[at]?.vehicle}`));
  return OF_OTHERS + (UNSEEN + equalPairs(cells) - ofOneTruck) * EQUAL_OF_CELL;
}
