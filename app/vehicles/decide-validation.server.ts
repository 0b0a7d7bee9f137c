// An admin decides 'Calibration validated'. The registry stores each decision with who, when and why.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { validationEvent, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { lockVehicle } from './queries.server.ts';
import type { VehicleInput } from './vehicle-entry.ts';

export type ValidationDecision = { validated: boolean; nextDueOn: string | null; reason: string };

/** The decision that a vehicle's form states. */
export const decisionOf = (input: VehicleInput): ValidationDecision => ({
  validated: input.calibration_validated,
  nextDueOn: input.next_calibration_due,
  reason: input.reason,
});

/**
 * Adds the decision to the history, in the transaction of the write that carries it out. Returns its event for the log.
 */
export async function noteValidation(
  tx: Tx,
  vehicle: LoggedVehicle,
  { actorId, decision }: { actorId: number | null; decision: ValidationDecision },
): Promise<LeafEvent> {
  const { id } = await tx
    .insertInto('validation')
    .values({ vehicleId: vehicle.id, ...decision, decidedBy: actorId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return validationEvent(vehicle, { id, ...decision });
}

export type DecideAnswer = { decided: true } | { decided: false; reason: 'removed' | 'unknown' };

/** Validates or withdraws, and changes no other field. A decision that changes nothing adds no entry. */
export function decideValidation(
  db: Db,
  who: SignedIn,
  { rego, validated, reason, key }: { rego: string; validated: boolean; reason: string; key?: unknown | undefined },
): Promise<DecideAnswer> {
  const on = { kind: 'vehicle.validated', key, values: { rego, validated, reason } } as const;
  return idempotent<DecideAnswer>(db, { who, ...on }, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { decided: false, reason: found.state };
    const { vehicle } = found;
    if (vehicle.calibrationValidated === validated) return { decided: true };
    const actorId = await actorOf(tx, who);
    await tx
      .updateTable('vehicle')
      .set({
        calibrationValidated: validated,
        version: vehicle.version + 1,
        updatedAt: new Date(),
        updatedBy: actorId,
      })
      .where('id', '=', vehicle.id)
      .execute();
    const nextDueOn = vehicle.nextCalibrationDueOn;
    await appendLeaves(tx, [
      await noteValidation(tx, vehicle, { actorId, decision: { validated, nextDueOn, reason } }),
    ]);
    await appendActivity(tx, {
      kind: validated ? 'vehicle.validated' : 'validation.withdrawn',
      ...aboutVehicle(vehicle, actorId, who),
      details: reason === '' ? rego : `${rego}: ${reason}`,
      changes: [{ field: 'calibration_validated', from: !validated, to: validated }],
    });
    return { decided: true };
  });
}
