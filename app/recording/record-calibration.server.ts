// Records a reading in the name of the signed-in person, at the server's time. A recorded reading never changes. It
// joins its technician's open visit on that truck, or opens one; the reading that completes a visit closes it.
import { randomUUIDv7 } from 'node:crypto';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { RecordRef } from '#app/transparency-log/record-snapshot.server.ts';
import { axleGroupsOf, axlesOfKind } from '#app/vehicles/axle.ts';
import { prepareFirst, type Moment } from '#app/vehicles/due-date.server.ts';
import { lockVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { fittedOf } from '#app/vehicles/read-groups.server.ts';
import { storedUnit } from '#app/readings/reading-words.ts';
import type { CalibrationInput } from './calibration-entry.ts';
import { closeIfExpired, closeVisit, type WrittenOutcome } from '#app/visits/close-visit.server.ts';
import {
  calibrationEvent,
  distinct,
  insertReadings,
  insertVisit,
  nextFreeId,
} from '#app/readings/insert-readings.server.ts';
import { isComplete, isExpired, isSamePlace } from '#app/visits/visit.ts';
import { outcomeOf, type VisitOutcome } from '#app/visits/visit-outcome.ts';
import { findVisit, openVisits } from '#app/visits/visit-queries.server.ts';

export type RecordAnswer =
  /** `closed`: what became of the visit, if the reading completed it. */
  | { recorded: true; id: number; closed?: VisitOutcome }
  /** `other-kind`: no vehicle of its kind has this group. */
  | { recorded: false; reason: 'removed' | 'unknown' | 'other-kind' }
  /** The visit has a reading of this axle and attribute: `id`. It can be corrected. */
  | { recorded: false; reason: 'recorded-already'; id: number };

/** Records the reading. `zone`: the registry's time zone, for the day of a visit. */
export function recordCalibration(
  db: Db,
  who: SignedIn,
  { rego, input, now, zone, key }: { rego: string; input: CalibrationInput; now: Date; zone: string; key: unknown },
): Promise<RecordAnswer> {
  const moment = { now, zone };
  const on = { kind: 'calibration.recorded', key, values: { rego, ...input } } as const;
  return idempotent<RecordAnswer>(db, { who, ...on }, async (tx) => {
    // The lock lasts to the end of the transaction: a removal waits, and two readings of one moment get different ids.
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { recorded: false, reason: found.state };
    if (!axlesOfKind(found.vehicle.kind).includes(input.axle)) return { recorded: false, reason: 'other-kind' };
    const actorId = await actorOf(tx, who);
    const own = (await openVisits(tx, found.vehicle.id)).find(({ personId }) => personId === who.personId);
    const { vehicle } =
      own === undefined ? found : await closeIfExpired(tx, found.vehicle, { visitId: own.id, moment });
    const open = own === undefined || isExpired(own, now) ? undefined : own;
    const same = open?.readings.find((reading) => isSamePlace(reading, input));
    if (same !== undefined) return { recorded: false, reason: 'recorded-already', id: same.id };

    const { axle, attribute, value, due_date: dueOn, confirmed: isConfirmed, sides = null } = input;
    const unit = storedUnit(attribute, input.unit);
    const id = await nextFreeId(tx, rego, now.getTime());
    const visitId = open?.id ?? randomUUIDv7();
    const ofVisit: RecordRef = { table: 'visit', key: visitId };
    const records: RecordRef[] = [];
    const reading = { id, axle, attribute, value, unit, sides, dueOn, calibratedAt: new Date(id) };
    if (open === undefined) {
      records.push(...(await prepareFirst(tx, vehicle, moment)), ofVisit);
      const visit = { id: visitId, vehicleId: vehicle.id, technicianId: actorId, isConfirmed };
      const times = { visitedAt: new Date(id), openedAt: new Date(id) };
      await insertVisit(tx, { ...visit, ...times }, { rego, readings: [reading], zone });
    } else {
      await insertReadings(tx, { rego, vehicleId: vehicle.id, visitId, technicianId: actorId }, [reading]);
      if (isConfirmed && !open.isConfirmed) {
        records.push(ofVisit);
        await tx.updateTable('visit').set({ isConfirmed }).where('id', '=', visitId).execute();
      }
    }
    const there = [...(open?.readings ?? []), input];
    const closes =
      isComplete(axleGroupsOf(vehicle.axleGroups), there) &&
      isComplete(await fittedOf(tx, vehicle, { now: open?.openedAt ?? now, zone }), there);
    const judged = closes ? await close(tx, { vehicle, visitId, actorId, moment }) : undefined;

    await appendLeaves(tx, [
      calibrationEvent({ id: vehicle.id, rego }, reading, {
        technician: who.name,
        more: {
          zone,
          body: judged?.body ?? {},
          records: distinct([...records, ...(judged?.records ?? [])]),
        },
      }),
      ...leavesOf(judged?.checkVisits ?? []),
    ]);
    await appendActivities(tx, [
      {
        kind: 'calibration.recorded',
        actorId,
        subject: 'calibration',
        subjectId: `${rego}/${id}`,
        details: `${rego}: ${axle} ${attribute} ${value}${unit === null ? '' : ` ${unit}`}`,
        changes: judged?.changes ?? [],
        rego,
        persons: [who.personId],
      },
      ...activitiesOf(judged?.checkVisits ?? []),
    ]);
    return { recorded: true, id, ...(judged === undefined ? {} : { closed: outcomeOf(judged) }) };
  });
}

async function close(
  tx: Tx,
  { vehicle, visitId, actorId, moment }: { vehicle: Vehicle; visitId: string; actorId: number; moment: Moment },
): Promise<WrittenOutcome> {
  const visit = await findVisit(tx, visitId);
  if (visit === undefined) throw new Error('the visit was not inserted');
  return closeVisit(tx, vehicle, { visit, actorId, ...moment });
}
