// The lines of a visit for anybody who decides about it.
import { absolute, formatFraction } from '#app/readings/fraction.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { presentLines, type ShownLines } from '#app/readings/present-lines.ts';
import type { Calibration, CalibrationSet } from '#app/readings/queries.server.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { vehicleSeries } from '#app/readings/vehicle-lines.server.ts';
import { heldBackBy } from '#app/visits/visit-checks.ts';
import { checksOf, type VisitRow } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { counts } from '#app/transparency-log/ruling-visit.server.ts';
import type { Details } from '#app/vehicles/group-details.ts';
import type { Axle, AxleLabel } from '#app/vehicles/axle.ts';

/**
 * `before`: the day of the calibration before, and its four readings in the order of the table; null: there is none.
 */
export type LeadAxle = { axle: Axle; before: { day: string; readings: readonly string[] } | null };
/** `lead`: the axle that failed. `differs`: by how much each axle differs from its calibration before. */
export type VisitLines = {
  lines: ShownLines | null;
  lead: LeadAxle | null;
  differs: Partial<Record<AxleLabel, string>>;
};

/** The visit's lines, over those of the visits before it that count. */
export async function linesOf(
  db: Db,
  visit: VisitRow,
  {
    readings,
    sets,
    details,
    policy,
    zone,
  }: {
    readings: readonly Calibration[];
    sets: readonly CalibrationSet[];
    details: Details;
    policy: Policy;
    zone: string;
  },
): Promise<VisitLines> {
  const counting = await db
    .selectFrom('visit')
    .select('id')
    .where('vehicleId', '=', visit.vehicleId)
    .where(counts('state'))
    .execute();
  const ids = new Set(counting.map(({ id }) => id));
  const axles = new Set(readings.filter(({ visitId }) => visitId === visit.id).map(({ axle }) => axle));
  const compared = readings.filter(
    ({ visitId, axle, calibratedAt }) =>
      axles.has(axle) &&
      (visitId === visit.id ||
        ((visitId === null || ids.has(visitId)) && calibratedAt.getTime() <= visit.visitedAt.getTime())),
  );
  const series = vehicleSeries(compared, sets, { tolerance: policy, details });
  const lines = presentLines(series, zone);
  const differs: VisitLines['differs'] = {};
  for (const measured of series.values()) {
    const { label, agreement } = measured.at(-1) ?? {};
    if (label === undefined || agreement === undefined || agreement.answer === 'not-enough-data') continue;
    differs[label] = `${formatValue(formatFraction(absolute(agreement.difference), 0))}\u00a0kg`;
  }
  const axle = lines === null ? undefined : leadOf(visit, lines);
  if (axle === undefined) return { lines, lead: null, differs };
  const before = series
    .get(axle)
    ?.findLast(({ four, group }) => four !== undefined && group.first.visitId !== visit.id);
  const four = before?.four;
  if (before === undefined || four === undefined) return { lines, lead: { axle, before: null }, differs };
  const day = formatDay(todayIn(zone, before.at), 'short');
  return { lines, lead: { axle, before: { day, readings: READING_FIELDS.map(({ field }) => four[field]) } }, differs };
}

// Of the axles that a required check names, the one whose line differs; else any that it names, or whose line differs.
function leadOf(visit: VisitRow, { lines }: ShownLines): Axle | undefined {
  const checks = checksOf(visit.checks);
  const held = heldBackBy(checks);
  const named = checks.flatMap(({ check, numbers }) => (held.includes(check) ? (numbers?.groups ?? []) : []));
  const differing = lines.filter(({ agreement }) => agreement.answer === 'inconsistent').map(({ axle }) => axle);
  const drawn = lines.map(({ axle }) => axle);
  return [...differing.filter((axle) => named.includes(axle)), ...named, ...differing].find((axle) =>
    drawn.includes(axle),
  );
}
