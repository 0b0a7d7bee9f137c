// What a client sees on a truck's page before it sends a form: its readings and visits, as they are at that moment.
import type { Db } from '#app/platform/database/database.server.ts';
import type { VisitState } from '#app/visits/visit.ts';
import type { Reading } from './operation.ts';

export type SeenReading = Reading & { id: number; visit: number | null; by: string; isCorrected: boolean };
/** `visit`: when it was opened. */
export type SeenVisit = { id: string; visit: number; by: string; state: VisitState; isLive: boolean };
export type LookUp = {
  readings: (rego: string) => Promise<SeenReading[]>;
  visits: (rego: string) => Promise<SeenVisit[]>;
};

export const lookUp = (db: Db): LookUp => ({
  async readings(rego) {
    const rows = await db
      .selectFrom('calibration')
      .leftJoin('visit', 'visit.id', 'calibration.visitId')
      .leftJoin('actor', 'actor.id', 'calibration.technicianId')
      .select('actor.email')
      .select(['calibration.id', 'axle', 'attribute', 'value', 'calibration.dueOn', 'correctsId', 'openedAt'])
      .where('rego', '=', rego)
      .orderBy('calibration.id')
      .execute();
    return rows.map(({ id, axle, attribute, value, dueOn, openedAt, email }) => ({
      id,
      axle,
      attribute,
      value,
      dueOn,
      by: email ?? '',
      visit: openedAt?.getTime() ?? null,
      isCorrected: rows.some(({ correctsId }) => correctsId === id),
    }));
  },
  async visits(rego) {
    const rows = await db
      .selectFrom('visit')
      .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
      .leftJoin('actor', 'actor.id', 'visit.technicianId')
      .select(['visit.id', 'visit.state', 'visit.openedAt', 'actor.email', 'vehicle.deletedAt'])
      .where('rego', '=', rego)
      .orderBy('visit.openedAt')
      .execute();
    return rows.map(({ id, state, openedAt, email, deletedAt }) => ({
      id,
      state,
      visit: openedAt.getTime(),
      by: email ?? '',
      isLive: deletedAt === null,
    }));
  },
});
