// What is asked of a generated registry. What is read and what is recorded are different trucks.
import { randomUUID } from 'node:crypto';
import { demoRandom } from '#commands/demo/random.ts';
import { readingsOf, regoAt, visitForm } from './generated-registry.ts';
import { vehicles, type Row } from './in-turn.ts';
import type { Asked } from './load.ts';
import { TECHNICIANS } from './sign-in.ts';

export const PAGE = (rego: string): string => `/vehicles/view/${rego}`;
export const JSON_VEHICLE = (rego: string): string => `/api/v1/vehicles/${rego}`;
export const JSON_HISTORY = (rego: string): string => `/api/v1/vehicles/${rego}/calibrations`;

// Another run records other loads: readings equal to the digit are what a copy looks like, and would wait.
const RUN = Date.now();
const RECORDED_SHARE = 0.2;

/** Each truck once; from the second time round, each under an address that nobody asked for. */
export function each(trucks: readonly number[], at: (rego: string) => string): Row['ask'] {
  return (nth) => {
    const path = at(regoAt(trucks[nth % trucks.length] ?? 0));
    return { path: nth < trucks.length ? path : `${path}?again=${nth}` };
  };
}

/** A whole visit of sixteen readings, one form, at each truck in turn. */
export function visits(trucks: readonly number[]): Row['ask'] {
  return (nth): Asked => {
    const index = trucks[nth % trucks.length] ?? 0;
    const form: Asked['form'] = [...visitForm(index, `${RUN} ${nth}`), ['form_key', randomUUID()]];
    return { path: `/vehicles/calibrate/${regoAt(index)}`, form, by: index % TECHNICIANS };
  };
}

/** Texts of this length, cut from regos. */
export function needles(length: number): string[] {
  const random = demoRandom(`needles of ${length}`);
  const cut = () => {
    const from = random.whole(0, 6 - length);
    return regoAt(random.whole(0, vehicles - 1)).slice(from, from + length);
  };
  return [...new Set(Array.from({ length: 4000 }, cut))];
}

export const inTurnOf =
  (all: readonly string[], at: (text: string) => string): Row['ask'] =>
  (nth) => ({ path: at(all[nth % all.length] ?? '') });

/**
 * The trucks that are read, or recorded on, in parts that share none and are as long as their `weights`. With
 * `readings`: those with so many. What is asked once and fast needs many.
 */
export function parts(kind: 'read' | 'recorded', weights: readonly number[], readings?: number): number[][] {
  const border = Math.floor(vehicles * (1 - RECORDED_SHARE));
  const [from, to] = kind === 'read' ? [0, border] : [border, vehicles];
  const all = Array.from({ length: to - from }, (_, nth) => from + nth).filter(
    (index) => readings === undefined || readingsOf(index) === readings,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let place = 0;
  const lists = weights.map((weight) => all.slice(place, (place += Math.floor((all.length * weight) / sum))));
  if (lists.some((list) => list.length === 0)) throw new Error(`VEHICLES=${vehicles} are too few for this.`);
  return lists;
}
