// What the tables have of a rego, as the model does.
import { lastDecision } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { VehicleState, Visit } from './vehicle-state.ts';

/** The rules of a visit are not among it: the model says by which it was judged, and its state shows that. */
export type LeftOfVehicle = Omit<VehicleState, 'kept' | 'imported' | 'visits'> & {
  visits: readonly Omit<Visit, 'rules' | 'acceptedAt' | 'isOfAnew'>[];
};

export async function readVehicle(db: Db, rows: readonly VehicleRow[]): Promise<LeftOfVehicle> {
  if (rows.length === 0) return { records: [], readings: [], visits: [], decisions: [] };
  const ids = rows.map(({ id }) => id);
  const markOf = new Map(rows.map(({ id, make }) => [id, make]));
  const readings = await db
    .selectFrom('calibration')
    .leftJoin('actor', 'actor.id', 'calibration.technicianId')
    .selectAll('calibration')
    .select('actor.email')
    .where('vehicleId', 'in', ids)
    .orderBy('calibration.id')
    .execute();
  const decisions = await db
    .selectFrom('validation')
    .leftJoin('actor', 'actor.id', 'validation.decidedBy')
    .selectAll('validation')
    .select('actor.email')
    .where('vehicleId', 'in', ids)
    .orderBy('validation.id')
    .execute();
  const visits = await db
    .selectFrom('visit')
    .leftJoin('actor', 'actor.id', 'visit.technicianId')
    .selectAll('visit')
    .select('actor.email')
    .where('vehicleId', 'in', ids)
    .execute();
  const lastDecisions = new Map(
    await Promise.all(visits.map(async ({ id }) => [id, await lastDecision(db, id)] as const)),
  );
  const nameOf = new Map(visits.map(({ id, openedAt }) => [id, openedAt.getTime()]));
  const visitNamed = (id: string | null) => (id === null ? null : (nameOf.get(id) ?? 0));
  return {
    records: rows.map((row) => ({
      mark: row.make,
      live: row.deletedAt === null,
      version: row.version,
      notes: row.notes,
      dueOn: row.nextCalibrationDueOn,
      validated: row.calibrationValidated,
      restsOn: row.restsOn,
    })),
    readings: readings.map(
      ({ axle, attribute, value, dueOn, id, vehicleId, email, calibratedAt, correctsId, visitId }) => ({
        axle,
        attribute,
        value,
        dueOn,
        id,
        of: markOf.get(vehicleId) ?? '',
        by: email ?? '',
        measuredAt: calibratedAt.getTime(),
        corrects: correctsId,
        visit: visitNamed(visitId),
      }),
    ),
    visits: visits.map(({ vehicleId, email, visitedOn, openedAt, dueKeptFrom, ...visit }) => ({
      decided: lastDecisions.get(visit.id)?.decision ?? null,
      decidedAt: lastDecisions.get(visit.id)?.at.getTime() ?? null,
      isWeighed: visit.referenceId !== null,
      isWithdrawn: visit.withoutRecall !== null,
      beforeRecall: visit.beforeRecall,
      visit: openedAt.getTime(),
      of: markOf.get(vehicleId) ?? '',
      by: email ?? '',
      day: visitedOn,
      state: visit.state,
      dueOn: visit.dueOn,
      handDueOn: visit.handDueOn,
      keptFrom: visitNamed(dueKeptFrom),
      isStretched: visit.isStretched,
    })),
    decisions: decisions.map(({ vehicleId, validated, nextDueOn, reason, email }) => ({
      of: markOf.get(vehicleId) ?? '',
      validated,
      dueOn: nextDueOn,
      reason,
      by: email ?? '',
    })),
  };
}

export type VehicleRow = {
  id: string;
  make: string;
  deletedAt: Date | null;
  version: number;
  notes: string;
  nextCalibrationDueOn: string | null;
  calibrationValidated: boolean;
  restsOn: '' | 'visit' | 'nothing';
};
