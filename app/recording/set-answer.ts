// What the form of a calibration set shows after it was sent.
import type { FormAnswer } from '#app/ui/form-answer.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { OpenedUnit } from './opened-unit.ts';
import type { VisitPreview } from '#app/visits/visit-outcome.ts';

/**
 * The chosen axles, the warnings by field, the codes of those that the tick box confirms, the zone of the time as the
 * server took it, and what would become of the visit.
 */
export type SetMore = {
  axles: readonly Axle[];
  warnings: Record<string, string>;
  codes: string;
  zone?: string;
  /** The trailers beside the truck; absent: those that the form opened with. */
  units?: readonly OpenedUnit[];
  preview?: VisitPreview;
};
export type SetAnswer = FormAnswer<string, SetMore>;
