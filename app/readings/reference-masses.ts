// The reference mass of each axle. Lines are compared at it, and a loaded point below 80 % of it is too light. Legal
// limits change and differ by state, so each row has its first day and its source. To change a figure, add a row; no
// other code contains a limit.
import type { Axle } from '#app/vehicles/axle.ts';

/** Each row is in force from the day `from`, in order of days. */
export const REFERENCE_MASSES = [
  {
    from: '2026-11-21',
    source:
      'General mass limits as commonly published: steer axle 6.0 t, tandem drive with dual tyres 16.5 t, tri-axle with dual tyres 20.0 t. Not an official source. The limits have been changing since mid-2026, and WA and NT have their own law.',
    kg: { STEER: 6000, DRIVE: 16_500, TRAILERA: 20_000, TRAILERB: 20_000 },
  },
] as const satisfies readonly { from: string; source: string; kg: Record<Axle, number> }[];

export type ReferenceMasses = (typeof REFERENCE_MASSES)[number];

/** The registry's own threshold: below this part of the reference mass too much of the line is extrapolated. */
export const LOW_LOAD_PERCENT = 80;

/** The last row of `REFERENCE_MASSES`. */
export function referenceMasses(): ReferenceMasses {
  const [first, ...later] = REFERENCE_MASSES;
  return later.at(-1) ?? first;
}
