// Agreement as in readings/agreement.ts, in binary numbers: a look asks it of a million lines, and decides nothing.
import { referenceMasses } from '#app/readings/reference-masses.ts';
import type { SampleAxle, SampleTolerance } from './sample.ts';

const REFERENCE_KG = referenceMasses().kg;

/** Whether the line of `later` agrees with that of `earlier` at the axle's reference mass; undefined: no line. */
export function doesAgree(
  later: SampleAxle,
  earlier: SampleAxle | undefined,
  tolerance: SampleTolerance,
): boolean | undefined {
  if (earlier === undefined || !hasLine(later) || !hasLine(earlier)) return undefined;
  const mass = REFERENCE_KG[later.axle];
  const volts = later.emptyVolt + (mass - later.emptyWeight) / slope(later);
  const shown = earlier.emptyWeight + (volts - earlier.emptyVolt) * slope(earlier);
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** Whether the scale was found within the tolerance at the axle's reference mass; undefined: no as-found readings. */
export function wasFoundWithin(
  { axle, emptyWeight, loadedWeight, foundEmpty, foundLoaded }: SampleAxle,
  tolerance: SampleTolerance,
): boolean | undefined {
  const mass = REFERENCE_KG[axle];
  const span = loadedWeight - emptyWeight;
  if (foundEmpty === null || foundLoaded === null || span < LEAST_SPAN * mass) return undefined;
  const shown = foundEmpty + ((mass - emptyWeight) * (foundLoaded - foundEmpty)) / span;
  return Math.abs(shown - mass) <= allowed(mass, tolerance);
}

/** Two points closer than this, as a share of the reference mass, give no line that can be carried on to it. */
const LEAST_SPAN = 0.1;

const hasLine = ({ axle, emptyVolt, loadedVolt, emptyWeight, loadedWeight }: SampleAxle): boolean =>
  loadedVolt !== emptyVolt && loadedWeight - emptyWeight >= LEAST_SPAN * REFERENCE_KG[axle];

/** Kilograms in a hundredth of a volt. */
const slope = ({ emptyVolt, loadedVolt, emptyWeight, loadedWeight }: SampleAxle): number =>
  (loadedWeight - emptyWeight) / (loadedVolt - emptyVolt);

const allowed = (mass: number, { perMille, kg }: SampleTolerance): number => Math.max((mass * perMille) / 1000, kg);
