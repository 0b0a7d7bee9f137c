// The mass at which lines of an axle are held against each other, and below whose 80 % a loaded point is called low.
// Reference data, with the day they were looked up and where: limits change, and not everywhere alike. A later figure is
// a new row from its own day on; nothing in the code knows a limit by itself.
import type { Axle } from './calibration.ts';

/** In force from `from` on. `kg` by axle. */
export const REFERENCE_MASSES = [
  {
    from: '2026-11-21',
    source:
      'General mass limits as commonly published: steer axle 6.0 t, tandem drive with dual tyres 16.5 t, tri-axle with dual tyres 20.0 t. Not an official source. The limits have been changing since mid-2026, and WA and NT have their own law.',
    kg: { STEER: 6000, DRIVE: 16_500, TRAILERA: 20_000, TRAILERB: 20_000 },
  },
] as const satisfies readonly { from: string; source: string; kg: Record<Axle, number> }[];

export type ReferenceMasses = (typeof REFERENCE_MASSES)[number];

/** The registry's own threshold: a loaded point below this part of the reference mass leaves much to be carried on. */
export const LOW_LOAD_PERCENT = 80;

/** Those in force. */
export function referenceMasses(): ReferenceMasses {
  const [first, ...later] = REFERENCE_MASSES;
  return later.at(-1) ?? first;
}
