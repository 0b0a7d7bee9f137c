// The calibration sets of a vehicle, as the API reads them: each axle of each visit.
import type { Services } from '#app/platform/services/services.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import type { MeasuredSet } from '#app/readings/axle-lines.ts';
import type { ToldError } from '#app/readings/errors-at-check.ts';
import { listCalibrations, listSets, type Calibration, type CalibrationSet } from '#app/readings/queries.server.ts';
import { vehicleSeries } from '#app/readings/vehicle-lines.server.ts';
import { errorsOfVisit } from '#app/readings/visit-errors.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import type { VisitState } from './visit.ts';

type Measured = MeasuredSet<Calibration>;
export type Found = {
  measured: Measured;
  recorded: CalibrationSet | undefined;
  state: VisitState | null;
  /** Of its visit. */
  errors: readonly ToldError[];
};

/** The newest visit first. */
export async function setsOf(db: Services['db'], { id: vehicleId, groupDetails }: Vehicle): Promise<Found[]> {
  const [readings, sets, policy, visits] = await Promise.all([
    listCalibrations(db, vehicleId),
    listSets(db, vehicleId),
    currentPolicy(db),
    db
      .selectFrom('visit')
      .select(['id', 'state'])
      .select((eb) =>
        eb
          .selectFrom('reference')
          .select('intervalKg')
          .whereRef('reference.id', '=', 'visit.referenceId')
          .as('intervalKg'),
      )
      .where('vehicleId', '=', vehicleId)
      .execute(),
  ]);
  const byId = new Map(sets.map((set) => [set.id, set]));
  const states = new Map(visits.map(({ id, state }) => [id, state]));
  const errors = new Map(
    visits.map(({ id, intervalKg }) => [id, errorsOfVisit(id, intervalKg ?? null, { readings, sets, policy })]),
  );
  return [...vehicleSeries(readings, sets, { tolerance: policy, details: detailsIn(groupDetails) }).values()]
    .flat()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.key < b.key ? -1 : 1))
    .map((measured) => ({
      measured,
      recorded: byId.get(measured.group.setId ?? ''),
      state: states.get(measured.group.first.visitId ?? '') ?? null,
      errors: errors.get(measured.group.first.visitId ?? '') ?? [],
    }));
}
