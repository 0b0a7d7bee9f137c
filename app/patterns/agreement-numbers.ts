// Agreement as in readings/agreement.ts, in binary numbers: a look asks it of a million lines, and decides nothing.
import { referenceMasses } from '#app/readings/reference-masses.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { NONE, type Columns } from './columns.ts';
import { read } from './growing.ts';
import type { SampleTolerance } from './sample.ts';

const REFERENCE_KG = AXLES.map(({ axle }) => referenceMasses().kg[axle]);

/** Whether the line of group `later` agrees with that of `earlier` at the axle's reference mass; undefined: no line. */
export function doesAgree(
  columns: Columns,
  later: number,
  earlier: number,
  tolerance: SampleTolerance,
): boolean | undefined {
  if (!hasLine(columns, later) || !hasLine(columns, earlier)) return undefined;
  const mass = REFERENCE_KG[read(columns.axle, later)] ?? 0;
  const volts = read(columns.emptyVolt, later) + (mass - read(columns.emptyWeight, later)) / slope(columns, later);
  const shown =
    read(columns.emptyWeight, earlier) + (volts - read(columns.emptyVolt, earlier)) * slope(columns, earlier);
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** Whether the scale was found within the tolerance at the axle's reference mass; undefined: no as-found readings. */
export function wasFoundWithin(columns: Columns, group: number, tolerance: SampleTolerance): boolean | undefined {
  const [foundEmpty, foundLoaded] = [read(columns.foundEmpty, group), read(columns.foundLoaded, group)];
  const [empty, loaded] = [read(columns.emptyWeight, group), read(columns.loadedWeight, group)];
  const mass = REFERENCE_KG[read(columns.axle, group)] ?? 0;
  if (foundEmpty === NONE || foundLoaded === NONE || loaded - empty < LEAST_SPAN * mass) return undefined;
  const shown = foundEmpty + ((mass - empty) * (foundLoaded - foundEmpty)) / (loaded - empty);
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** Two points closer than this, as a share of the reference mass, give no line that can be carried on to it. */
const LEAST_SPAN = 0.1;

const hasLine = (columns: Columns, group: number): boolean =>
  read(columns.loadedVolt, group) !== read(columns.emptyVolt, group) &&
  read(columns.loadedWeight, group) - read(columns.emptyWeight, group) >=
    LEAST_SPAN * (REFERENCE_KG[read(columns.axle, group)] ?? 0);

/** Kilograms in a hundredth of a volt. */
const slope = (columns: Columns, group: number): number =>
  (read(columns.loadedWeight, group) - read(columns.emptyWeight, group)) /
  (read(columns.loadedVolt, group) - read(columns.emptyVolt, group));

const allowed = (mass: number, { perMille, kg }: SampleTolerance): number => Math.max((mass * perMille) / 1000, kg);
