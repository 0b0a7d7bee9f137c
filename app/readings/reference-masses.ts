// The reference mass of an axle group. Lines are compared at it, and a loaded point below 80 % of it is too light.
// Legal limits change and differ by state, so each row has its first day and its source. To change a figure, add a
// row; no other code contains a limit. What is in no row somebody types, or it is unknown: no advice is given then.
import type { Axle } from '#app/vehicles/axle.ts';
import type { Reference } from './reference.ts';
import { NO_DETAILS, type GroupDetails } from '#app/vehicles/group-details.ts';

type Row = { axle?: Axle; axles: string; tyres: readonly string[]; kg: number };

/** Each is in force from the day `from`, in order of days. A row without `axle` is of every group. */
export const REFERENCE_MASSES = [
  {
    from: '2026-11-21',
    source:
      'General mass limits as commonly published, not an official source: single steer axle 6.0 t; drive with dual tyres, single 9.0 t, tandem 16.5 t; tri-axle with dual tyres 20.0 t. They change, and WA and NT have their own law.',
    rows: [
      { axle: 'STEER', axles: 'single', tyres: ['', 'single-tyres'], kg: 6000 },
      { axle: 'DRIVE', axles: 'single', tyres: ['dual-tyres'], kg: 9000 },
      { axle: 'DRIVE', axles: 'tandem', tyres: ['dual-tyres'], kg: 16_500 },
      { axles: 'tri', tyres: ['dual-tyres'], kg: 20_000 },
    ],
  },
] as const satisfies readonly { from: string; source: string; rows: readonly Row[] }[];

type ReferenceMasses = { from: string; source: string; rows: readonly Row[] };

/** The last row of `REFERENCE_MASSES`. */
export function referenceMasses(): ReferenceMasses {
  const [first, ...later] = REFERENCE_MASSES;
  return later.at(-1) ?? first;
}

/** The reference mass of a group with these axles and tyres; undefined: not known. */
export function referenceOf(axle: Axle, { axles, tyres, kg }: GroupDetails = NO_DETAILS): Reference | undefined {
  if (kg !== '' && Number.isSafeInteger(Number(kg))) return { kg: Number(kg), isTyped: true };
  const row = referenceMasses().rows.find(
    (one) => (one.axle === undefined || one.axle === axle) && one.axles === axles && one.tyres.includes(tyres),
  );
  return row === undefined ? undefined : { kg: row.kg, isTyped: false };
}
