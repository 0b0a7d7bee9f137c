// How many equal axle sets are expected by chance. Two sets are equal in four values only if they lie in one cell of coarser
// ones; how often that happens is counted, and inside the cell the steps of display and weighbridge are even, or nearly so.
import { AXLES } from '#app/vehicles/axle.ts';
import type { Columns } from './columns.ts';
import { groupsOf } from './count-visits.ts';
import { read } from './growing.ts';
import { equalPairs, hashOf } from './hash.ts';
import type { Steps } from './lattice.ts';

/** Wide enough for unlike trucks to meet in it, narrow enough to be even inside. */
const CELL_CENTIVOLTS = 10;
const CELL_KG = 100;
/** How much more often than evenly two sets of one cell may be equal: trucks of one region, loaded to one limit. */
const UNEVEN = 4;
/** Identical trucks: the cell is four steps wide in eight values, of which one in 4^8 is equal if even inside. */
const STEPS_IN_CELL = 4;
/** It is not even: where trucks differ by less than a step in the four volts, equal ones are up to 400 times as many. */
const EQUAL_OF_CELL = 400 / STEPS_IN_CELL ** 8;
/** Where no pair was seen, so many may have been expected (95 %). */
const UNSEEN = 3;
/** Whole visits equal to one of somebody else, by chance in a year of one technician: a stated bound. */
const OF_OTHERS = 1e-3;

/** By axle: the chance that sets of two trucks of different makes lie in one cell of 0.1 V and 100 kg. */
export const cellChanceOf = (columns: Columns): number[] =>
  AXLES.map((_, axle) => {
    const groups = groupsOfAxle(columns, axle);
    const cell = (at: number): number => {
      const group = read(groups.group, at);
      return hashOf(4, (part) => cellValue(columns, group, part));
    };
    const make = (at: number): number => read(columns.make, read(groups.visit, at)) + 2;
    const number = groups.group.length;
    const pairs = number * (number - 1) * 0.5 - equalPairs(Float64Array.from({ length: number }, (_, at) => make(at)));
    if (pairs <= 0) return 1;
    const met = equalPairs(Float64Array.from({ length: number }, (_, at) => cell(at)));
    const like = equalPairs(
      Float64Array.from({ length: number }, (_, at) => hashOf(2, (part) => (part ? make(at) : cell(at)))),
    );
    return Math.min(1, (met - like + UNSEEN) / pairs);
  });

function groupsOfAxle(columns: Columns, axle: number): { group: Int32Array; visit: Int32Array } {
  const group = Int32Array.from({ length: columns.axle.length }, (_, at) => at).filter(
    (at) => read(columns.axle, at) === axle,
  );
  const visit = new Int32Array(group.length);
  let current = 0;
  group.forEach((at, place) => {
    while (read(columns.axleFrom, current + 1) <= at) current += 1;
    visit[place] = current;
  });
  return { group, visit };
}

const cellValue = (columns: Columns, group: number, part: number): number =>
  part < 2
    ? Math.floor(read(part === 0 ? columns.emptyVolt : columns.loadedVolt, group) / CELL_CENTIVOLTS)
    : Math.floor(read(part === 2 ? columns.emptyWeight : columns.loadedWeight, group) / CELL_KG);

type Ground = { steps: Steps; cellChance: readonly number[] };

/** Single groups equal between trucks of different makes, expected among these visits of one technician. */
export function singleByChance(columns: Columns, visits: Int32Array, { steps, cellChance }: Ground): number {
  const byAxle = AXLES.map(() => ({ all: 0, volume: 0, makes: new Map<number, number>() }));
  for (const visit of visits) {
    const { from, to } = groupsOf(columns, visit);
    const make = read(columns.make, visit);
    const volume = ((steps.volts(visit) / CELL_CENTIVOLTS) * (steps.kilograms(visit) / CELL_KG)) ** 2;
    for (let group = from; group < to; group += 1) {
      const sums = byAxle[read(columns.axle, group)];
      if (sums === undefined) continue;
      sums.all += 1;
      sums.volume += Math.min(1, volume);
      sums.makes.set(make, (sums.makes.get(make) ?? 0) + 1);
    }
  }
  return byAxle.reduce((sum, { all, volume, makes }, axle) => {
    const like = [...makes.values()].reduce((pairs, number) => pairs + (number * (number - 1)) / 2, 0);
    const pairs = (all * (all - 1)) / 2 - like;
    return all === 0 ? sum : sum + pairs * (cellChance[axle] ?? 1) * (volume / all) * UNEVEN;
  }, 0);
}

/** Whole visits of different trucks equal by chance, expected among these visits of one technician. */
export function wholeByChance(columns: Columns, visits: Int32Array, steps: Steps): number {
  const near = new Map<number, number[]>();
  let pairs = 0;
  for (const visit of visits) {
    const { from, to } = groupsOf(columns, visit);
    if (to - from < 2) continue;
    const cell = [STEPS_IN_CELL * steps.volts(visit), STEPS_IN_CELL * steps.kilograms(visit)] as const;
    const key = hashOf(11, (part) => {
      if (part === 0) return read(columns.make, visit);
      const group = from + Number(part > 5);
      const value = [columns.axle, columns.emptyVolt, columns.loadedVolt, columns.emptyWeight, columns.loadedWeight];
      const at = (part - 1) % 5;
      const size = at === 0 ? 1 : cell[at < 3 ? 0 : 1];
      return Math.floor(read(value[at] ?? columns.axle, group) / size);
    });
    const trucks = near.get(key) ?? [];
    near.set(key, trucks);
    const truck = read(columns.vehicle, visit);
    pairs += trucks.filter((other) => other !== truck).length;
    trucks.push(truck);
  }
  return OF_OTHERS + (UNSEEN + pairs) * EQUAL_OF_CELL;
}
