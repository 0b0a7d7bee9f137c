// The lines of a vehicle's axles over time, and how each agrees with the one before it.
import { agreementOf, type Agreement, type Tolerance } from './agreement.ts';
import { axleLabel, AXLES, type Axle, type AxleLabel } from '#app/vehicles/axle.ts';
import { lineThrough, type CalibrationLine, type FourReadings } from './calibration-line.ts';
import { fourOf, type ReadingGroup, type SetReading } from './calibration-set.ts';
import type { Reference } from './reference.ts';
import { referenceOf } from './reference-masses.ts';
import type { Details } from '#app/vehicles/group-details.ts';
import type { AxleExtras } from './set-grid.ts';
import { trailersIn } from './visit-trailers.ts';

/** The readings of one axle at one visit. `key` is unique within the vehicle. */
export type MeasuredSet<R extends SetReading> = {
  key: string;
  axle: Axle;
  label: AxleLabel;
  at: Date;
  group: ReadingGroup<R>;
  /** Undefined: a reading is missing. */
  four: FourReadings | undefined;
  /** Undefined: a reading is missing, or the four give no line. */
  line: CalibrationLine | undefined;
  extras: ReadExtras | undefined;
  /** Undefined: its axles are not known. */
  reference: Reference | undefined;
  agreement: Agreement;
};

/** `trailer`: that the group was read with; '': none, or not named. */
type ReadExtras = AxleExtras & { trailer: string };
/** The part of a recorded set that the lines need. */
type RecordedSet = { id: string; axles: readonly ({ axle: Axle } & AxleExtras)[]; trailers?: string | null };

/** `details`: of the vehicle's axle groups. */
export type Measuring = { tolerance: Tolerance; details: Details };

/** The measured sets by axle, oldest first. Omits single readings, which give no line. */
export function measureAxles<R extends SetReading>(
  groups: readonly ReadingGroup<R>[],
  recorded: readonly RecordedSet[],
  { tolerance, details }: Measuring,
): Map<Axle, MeasuredSet<R>[]> {
  const extrasOf = new Map(
    recorded.flatMap(({ id, axles, trailers }) => {
      const named = trailersIn(trailers ?? '');
      return axles.map((extras): [string, ReadExtras] => {
        const trailer = named.find(({ group }) => group === extras.axle)?.rego ?? '';
        return [`${id} ${extras.axle}`, { ...extras, trailer }];
      });
    }),
  );
  const isSet = ({ setId, counting }: ReadingGroup<R>) =>
    counting.length > 1 || (setId !== null && counting.length > 0);
  const series = new Map<Axle, MeasuredSet<R>[]>();
  for (const { axle } of AXLES) {
    const own = groups.filter((group) => group.axle === axle && isSet(group));
    if (own.length > 0)
      series.set(axle, measure(axle, own, { extrasOf, tolerance, reference: referenceOf(axle, details[axle]) }));
  }
  return series;
}

function measure<R extends SetReading>(
  axle: Axle,
  groups: readonly ReadingGroup<R>[],
  {
    extrasOf,
    tolerance,
    reference,
  }: { extrasOf: ReadonlyMap<string, ReadExtras>; tolerance: Tolerance; reference: Reference | undefined },
): MeasuredSet<R>[] {
  let before: CalibrationLine | undefined;
  let why: 'nothing-before' | 'sensor-replaced' = 'nothing-before';
  return groups.map((group) => {
    const extras = group.setId === null ? undefined : extrasOf.get(`${group.setId} ${axle}`);
    if (extras?.sensor_replaced === true) [before, why] = [undefined, 'sensor-replaced'];
    const four = fourOf(group);
    const line = four === undefined ? undefined : lineThrough(four);
    let agreement: Agreement = { answer: 'not-enough-data', why: line === undefined ? 'no-line' : why, tolerance };
    if (line !== undefined && before !== undefined) agreement = agreementOf(line, before, { reference, tolerance });
    before = line ?? before;
    const key = `${group.setId ?? group.first.id}-${axle.toLowerCase()}`;
    const known = { key, axle, label: axleLabel(axle), at: group.first.calibratedAt };
    return { ...known, group, four, line, extras, reference, agreement };
  });
}
