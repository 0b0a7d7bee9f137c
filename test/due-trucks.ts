// Trucks with a due date that one person has calibrated, for tests of who is told of them.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';

type Due = { rego: string; nextCalibrationDueOn: string | null; who: Parameters<typeof findOrAddActor>[1] };

/** Its id. Its entries in the public log are still to be made (`enterLeaves`). */
export const addDueTruck = (db: Db, { rego, nextCalibrationDueOn, who }: Due): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const technicianId = await findOrAddActor(tx, who);
    const calibratedAt = new Date('2019-11-01T01:00:00Z');
    const counts = { calibrationValidated: true, restsOn: 'visit', lastCalibratedAt: calibratedAt } as const;
    const { id: vehicleId } = await tx
      .insertInto('vehicle')
      .values({ rego, nextCalibrationDueOn, ...counts })
      .returning('id')
      .executeTakeFirstOrThrow();
    const reading = { axle: 'STEER', attribute: 'Empty Volt', value: '1' } as const;
    await tx
      .insertInto('calibration')
      .values({ ...reading, rego, id: 1, vehicleId, calibratedAt, technicianId })
      .execute();
    return vehicleId;
  });
