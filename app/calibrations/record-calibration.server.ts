// A reading is recorded: by whoever is signed in, in their own name, at the server's time. It never changes afterwards.
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/account/session.server.ts';
import type { Db, Tx } from '#app/platform/database.server.ts';
import { once } from '#app/platform/form-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { calibrationEvent } from '#app/transparency-log/events.server.ts';
import { lockVehicle } from '#app/vehicles/queries.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { z } from 'zod';
import type { CalibrationInput } from './calibration-entry.ts';

const SET_BACK_MAX_MS = 3_600_000;

const recordedSchema = z.object({ recorded: z.literal(true), id: z.number() });
export type RecordAnswer =
  | z.infer<typeof recordedSchema>
  | { recorded: false; reason: 'removed' }
  | { recorded: false; reason: 'unknown' };

/** Records it, and moves the vehicle's next due date when this one is later. */
export function recordCalibration(
  db: Db,
  who: SignedIn,
  rego: string,
  input: CalibrationInput,
  { now, formKey }: { now: Date; formKey: unknown },
): Promise<RecordAnswer> {
  const form = {
    key: formKey,
    personId: who.personId,
    parse: (kept: unknown): RecordAnswer => recordedSchema.parse(kept),
    took: ({ recorded }: RecordAnswer) => recorded,
  };
  return once<RecordAnswer>(db, form, async (tx) => {
    // Held to the end: a removal waits, and two readings of one moment get two ids.
    const vehicle = await lockVehicle(tx, rego);
    if (vehicle.state !== 'live') return { recorded: false, reason: vehicle.state };
    const { id: vehicleId } = vehicle.vehicle;
    const actorId = await actorOf(tx, who);
    const id = await nextFreeId(tx, rego, now.getTime());
    const { axle, attribute, value, due_date: dueOn } = input;
    const reading = { id, axle, attribute, value, dueOn, calibratedAt: new Date(id) };
    await tx
      .insertInto('calibration')
      .values({ rego, vehicleId, ...reading, technicianId: actorId })
      .execute();
    const before = vehicle.vehicle.nextCalibrationDueOn;
    const changes = dueOn !== null && (before === null || dueOn > before) ? [dueChange(before, dueOn)] : [];
    if (changes.length > 0) await setNextDue(tx, vehicleId, dueOn, actorId);
    await appendLeaves(tx, [
      calibrationEvent({ id: vehicleId, rego }, reading, who.name, { moved: changes.length > 0 }),
    ]);
    await appendActivities(tx, [
      {
        kind: 'calibration.recorded',
        actorId,
        subject: 'calibration',
        subjectId: `${rego}/${id}`,
        details: `${rego}: ${axle} ${attribute} ${value}`,
        changes,
        topics: [`vehicle:${rego}`, 'vehicles', 'logs', `person:${who.personId}`],
      },
    ]);
    return { recorded: true, id };
  });
}

/**
 * The millisecond `now`, or the first after the latest record of this rego where the clock was set back, so that what is
 * recorded later is never the older one. By more than an hour it had been wrong, and what follows does not go on with it:
 * then the first that no record has as an id.
 */
export async function nextFreeId(tx: Tx, rego: string, now: number): Promise<number> {
  const { last } = await tx
    .selectFrom('calibration')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('rego', '=', rego)
    .where('id', '>=', now)
    .where('id', '<', now + SET_BACK_MAX_MS)
    .executeTakeFirstOrThrow();
  return last === null ? now : Number(last) + 1;
}

/** Sets the vehicle's next due date, as part of a calibration. */
export async function setNextDue(tx: Tx, vehicleId: string, dueOn: string | null, actorId: number): Promise<void> {
  await tx
    .updateTable('vehicle')
    .set((eb) => ({
      nextCalibrationDueOn: dueOn,
      version: eb('version', '+', 1),
      updatedAt: new Date(),
      updatedBy: actorId,
    }))
    .where('id', '=', vehicleId)
    .execute();
}

export const dueChange = (from: string | null, to: string | null): ActivityChange => ({
  field: 'next_calibration_due',
  from,
  to,
});
