import { AXLES, type Axle } from '#app/vehicles/axle.ts';

/** The axle groups that a form for all axles opens with: the truck's own, else those ever read, steer and drive. */
export const axlesToRead = (fitted: readonly Axle[], read: ReadonlySet<Axle>): readonly Axle[] =>
  fitted.length > 0
    ? fitted
    : AXLES.map(({ axle }) => axle).filter((axle) => read.has(axle) || axle === 'STEER' || axle === 'DRIVE');
