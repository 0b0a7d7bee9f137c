import type { Axle } from '#app/vehicles/axle.ts';

/** A vehicle whose groups a form takes. `axles`: those that it opens with. */
export type OpenedUnit = {
  rego: string;
  vin: string;
  kind: string;
  groupDetails: string;
  axles: readonly Axle[];
};
