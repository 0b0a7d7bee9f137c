import { axlesOfKind, type Axle } from '#app/vehicles/axle.ts';

/** The axle groups that a form for all axles opens with: the vehicle's own, else those ever read and the usual two. */
export const axlesToRead = (
  kind: string,
  { fitted, read }: { fitted: readonly Axle[]; read: ReadonlySet<Axle> },
): readonly Axle[] =>
  fitted.length > 0 ? fitted : axlesOfKind(kind).filter((axle) => read.has(axle) || USUAL.includes(axle));

const USUAL: readonly Axle[] = ['STEER', 'DRIVE', 'REAR'];
