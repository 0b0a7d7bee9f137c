// Agreement as in readings/agreement.ts, in binary numbers: a look asks it of a million lines, and decides nothing.
import type { SampleAxle, SampleTolerance } from './sample.ts';

// Where the axles of a group are not known, as in readings/agreement.ts.
const massOf = (...lines: readonly SampleAxle[]): number =>
  lines[0]?.referenceKg ?? Math.max(...lines.map(({ loadedWeight }) => loadedWeight));

/** Whether the line of `later` agrees with that of `earlier`; undefined: no line. */
export function doesAgree(
  later: SampleAxle,
  earlier: SampleAxle | undefined,
  tolerance: SampleTolerance,
): boolean | undefined {
  if (earlier === undefined || !hasLine(later) || !hasLine(earlier)) return undefined;
  const mass = massOf(later, earlier);
  const volts = later.emptyVolt + (mass - later.emptyWeight) / slope(later);
  const shown = earlier.emptyWeight + (volts - earlier.emptyVolt) * slope(earlier);
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** How far the loaded weight of `later` lies from the line of `earlier`, in kilograms; undefined: no line. */
export function besideLine(later: SampleAxle, earlier: SampleAxle | undefined): number | undefined {
  if (earlier === undefined || !hasLine(later) || !hasLine(earlier)) return undefined;
  const shown = earlier.emptyWeight + (later.loadedVolt - earlier.emptyVolt) * slope(earlier);
  return Math.abs(shown - later.loadedWeight);
}

/** Whether the scale was found within the tolerance at the axle's reference mass; undefined: no as-found readings. */
export function wasFoundWithin(axle: SampleAxle, tolerance: SampleTolerance): boolean | undefined {
  const { emptyWeight, loadedWeight, foundEmpty, foundLoaded } = axle;
  const mass = massOf(axle);
  const span = loadedWeight - emptyWeight;
  if (foundEmpty === null || foundLoaded === null || span < LEAST_SPAN * mass) return undefined;
  const shown = foundEmpty + ((mass - emptyWeight) * (foundLoaded - foundEmpty)) / span;
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** Two points closer than this, as a share of the reference mass, give no line that can be carried on to it. */
const LEAST_SPAN = 0.1;

const hasLine = (axle: SampleAxle): boolean =>
  axle.loadedVolt !== axle.emptyVolt && axle.loadedWeight - axle.emptyWeight >= LEAST_SPAN * massOf(axle);

/** Kilograms in a hundredth of a volt. */
const slope = ({ emptyVolt, loadedVolt, emptyWeight, loadedWeight }: SampleAxle): number =>
  (loadedWeight - emptyWeight) / (loadedVolt - emptyVolt);

const allowed = (mass: number, { perMille, kg }: SampleTolerance): number => Math.max((mass * perMille) / 1000, kg);
