// Random histories of trucks: numbers that a seed gives again, and what somebody reads.
import type { FourReadings } from '#app/readings/calibration-line.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import { honestReadings } from './visits.ts';

export type Random = (below: number) => number;
/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

const CHOICES = 1280;
/** One of half a million choices of what the truck carries: few trucks have another's readings. */
export function randomReadings(random: Random, axle: Axle): FourReadings {
  const { empty_weight, loaded_weight, ...volts } = honestReadings(axle, -1 - random(CHOICES));
  const moved = (weight: string) => String(Number(weight) + random(20));
  return { ...volts, empty_weight: moved(empty_weight), loaded_weight: moved(loaded_weight) };
}
