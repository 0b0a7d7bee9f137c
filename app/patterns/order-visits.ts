// The visits of each technician and of each truck in the order of their stated times.
import { read } from './growing.ts';

export type Order = {
  /** The truck's visit before this one, and after it; -1: none. */
  before: Int32Array;
  next: Int32Array;
  /** The visits of technician t, oldest first: places technicianFrom[t] to technicianFrom[t + 1], end excluded. */
  byTechnician: Int32Array;
  technicianFrom: Int32Array;
};

type Counts = { visits: number; technicians: readonly string[]; vehicles: number };
type Stated = { at: Float64Array; technician: Int32Array; vehicle: Int32Array };

/** Compares two visits by their times. */
export const inTime =
  ({ at }: Pick<Stated, 'at'>) =>
  (a: number, b: number): number =>
    read(at, a) - read(at, b) || a - b;

export function orderVisits({ visits, technicians, vehicles }: Counts, { at, technician, vehicle }: Stated): Order {
  const byTime = Int32Array.from({ length: visits }, (_, visit) => visit).sort(inTime({ at }));
  const before = new Int32Array(visits).fill(-1);
  const next = new Int32Array(visits).fill(-1);
  const last = new Int32Array(vehicles).fill(-1);
  const technicianFrom = new Int32Array(technicians.length + 1);
  for (const visit of byTime) {
    const truck = read(vehicle, visit);
    const earlier = read(last, truck);
    before[visit] = earlier;
    if (earlier !== -1) next[earlier] = visit;
    last[truck] = visit;
    const after = read(technician, visit) + 1;
    technicianFrom[after] = read(technicianFrom, after) + 1;
  }
  for (let t = 1; t <= technicians.length; t += 1)
    technicianFrom[t] = read(technicianFrom, t) + read(technicianFrom, t - 1);
  const place = technicianFrom.slice();
  const byTechnician = new Int32Array(visits);
  for (const visit of byTime) {
    const t = read(technician, visit);
    byTechnician[read(place, t)] = visit;
    place[t] = read(place, t) + 1;
  }
  return { before, next, byTechnician, technicianFrom };
}

/** The visits of a technician, oldest first. */
export const visitsOf = ({ byTechnician, technicianFrom }: Order, technician: number): Int32Array =>
  byTechnician.subarray(read(technicianFrom, technician), read(technicianFrom, technician + 1));
