// Adds a vehicle. Its rego is unique among live vehicles: of two concurrent requests the second is refused ('exists').
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { may } from '#app/access/permissions.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { chooseRego } from './choose-rego.server.ts';
import { continueVersions } from './continue-versions.server.ts';
import { decisionOf, noteValidation } from './decide-validation.server.ts';
import { applyFiles, filesOfForm, commitFiles, type FileChoice } from './commit-files.server.ts';
import { columnsOf } from './vehicle-columns.server.ts';
import type { VehicleInput } from './vehicle-entry.ts';

export type RegisterAnswer =
  | { registered: true; rego: string }
  | { registered: false; reason: 'file-missing' | 'too-many-images' }
  /** Another live vehicle has the text: in the same state, of an unknown one, or in another and this is no admin. */
  | { registered: false; reason: 'exists' | 'exists-without-state' | 'exists-for-admins' };

export async function registerVehicle(
  services: Pick<Services, 'db' | 'files'>,
  who: SignedIn,
  { input, choice, key }: { input: VehicleInput; choice: FileChoice; key: unknown },
): Promise<RegisterAnswer> {
  const files = await commitFiles(services, who.personId, { rego: input.rego, choice });
  if (files === undefined) return { registered: false, reason: 'file-missing' };
  const decides = may(who.role, 'validate vehicles');
  const values = { ...input, files: filesOfForm(files) };
  return idempotent<RegisterAnswer>(services.db, { who, kind: 'vehicle.added', key, values }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const now = new Date();
    const chosen = await chooseRego(tx, { text: input.rego, state: input.plate_state });
    const isStated = input.plate_state !== '';
    if (!chosen.ok)
      return {
        registered: false,
        reason: isStated && chosen.other.plateState === '' ? 'exists-without-state' : 'exists',
      };
    if (chosen.isSecond && !may(who.role, 'decide plates')) return { registered: false, reason: 'exists-for-admins' };
    const { rego } = chosen;
    const columns = columnsOf(input, who.role);
    const added = await tx
      .insertInto('vehicle')
      .values({
        rego,
        ...columns,
        version: 0,
        addedAt: now,
        addedBy: actorId,
        updatedAt: now,
        updatedBy: actorId,
      })
      .onConflict((conflict) => conflict.column('rego').where('deletedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added === undefined) return { registered: false, reason: 'exists' };
    const vehicle = { id: added.id, rego };
    await continueVersions(tx, vehicle);
    const applied = await applyFiles(tx, vehicle, { actorId, files });
    if (applied === 'too-many') throw new Error('more images than the form may send');
    const events = [
      vehicleEvent('vehicle.registered', vehicle, {
        calibrationValidated: columns.calibrationValidated ?? false,
        nextCalibrationDueOn: columns.nextCalibrationDueOn ?? null,
      }),
      ...applied.events,
    ];
    if (decides && (input.calibration_validated || input.next_calibration_due !== null))
      events.push(await noteValidation(tx, vehicle, { actorId, decision: decisionOf(input) }));
    await appendLeaves(tx, events);
    const about = aboutVehicle(vehicle, actorId, who);
    await appendActivities(tx, [
      { kind: 'vehicle.added', ...about, details: `${rego} added`, changes: applied.changes },
    ]);
    return { registered: true, rego };
  });
}
