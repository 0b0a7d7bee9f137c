// The trucks that the demo imports: what differs from truck to truck. The rest is drawn from a seeded generator.
import { tableOf } from './table.ts';

/**
 * By the columns below. Days are counted from today; the last visit was 182 days before the next is due. Left empty:
 * drawn, or the usual. A dash: recorded as empty. `axles`: S steer, D drive, A and B the trailers. `marks`:
 * `certificate`; `waits` is not validated; `sensor` has a new one, with another line at the last visit; `dateless` has
 * no due date of its own, though its calibrations have one; `email` has the technician of its first reading by address,
 * as some of the former application.
 */
export type DemoTruck = Readonly<Record<string, string>>;

export const DEMO_TRUCKS: readonly DemoTruck[] = tableOf('trucks');
