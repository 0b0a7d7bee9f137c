// A vehicle is updated, field by field, and only if nobody changed it since the form was opened. Its calibrations are
// never part of it.
import { z } from 'zod';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { may } from '#app/access/permissions.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { vehicleEvent } from '#app/transparency-log/events.server.ts';
import { decisionOf, noteValidation } from './decide-validation.server.ts';
import { lockVehicle, type Vehicle } from './queries.server.ts';
import { applyFiles, filesOfForm, settleFiles, type FileChoice } from './settle-files.server.ts';
import { changesOf, columnsOf } from './vehicle-columns.server.ts';
import { ADMIN_FIELDS, type VehicleInput } from './vehicle-entry.ts';

const updatedSchema = z.object({ updated: z.literal(true) });
export type UpdateAnswer =
  | z.infer<typeof updatedSchema>
  | { updated: false; reason: 'removed' }
  | { updated: false; reason: 'unknown' }
  | { updated: false; reason: 'file-missing' }
  | { updated: false; reason: 'too-many-images' }
  /** Somebody saved in between: what stands there now. */
  | { updated: false; reason: 'stale'; now: Vehicle };

export async function updateVehicle(
  services: Services,
  who: SignedIn,
  rego: string,
  input: VehicleInput,
  choice: FileChoice,
  formKey: unknown,
): Promise<UpdateAnswer> {
  const files = await settleFiles(services, who.personId, rego, choice);
  if (files === undefined) return { updated: false, reason: 'file-missing' };
  const decides = may(who.role, 'decide validation');
  const form = {
    key: keyOfForm(formKey, 'vehicle.updated', { ...input, rego, files: filesOfForm(files) }),
    personId: who.personId,
    parse: (kept: unknown): UpdateAnswer => updatedSchema.parse(kept),
    took: ({ updated }: UpdateAnswer) => updated,
  };
  return once<UpdateAnswer>(services.db, form, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { updated: false, reason: found.state };
    const { vehicle } = found;
    if (vehicle.version !== input.version) return { updated: false, reason: 'stale', now: vehicle };
    const actorId = await actorOf(tx, who);
    const applied = await applyFiles(tx, vehicle, actorId, files);
    if (applied === 'too-many') return { updated: false, reason: 'too-many-images' };
    const fieldChanges = changesOf(vehicle, input, decides);
    const changes = [...fieldChanges, ...applied.changes];
    if (changes.length === 0) return { updated: true };
    await tx
      .updateTable('vehicle')
      .set({
        ...columnsOf(input, decides),
        version: vehicle.version + 1,
        updatedAt: new Date(),
        updatedBy: actorId,
      })
      .where('id', '=', vehicle.id)
      .execute();
    const events = [
      vehicleEvent('vehicle.updated', vehicle, { ...vehicle, ...columnsOf(input, decides) }),
      ...applied.events,
    ];
    if (fieldChanges.some(({ field }) => ADMIN_FIELDS.some((name) => name === field)))
      events.push(await noteValidation(tx, vehicle, actorId, decisionOf(input)));
    await appendLeaves(tx, events);
    await appendActivities(tx, [
      {
        kind: 'vehicle.updated',
        actorId,
        subject: 'vehicle',
        subjectId: vehicle.id,
        details: input.reason === '' || !decides ? `${rego} updated` : `${rego} updated: ${input.reason}`,
        changes,
        rego,
        persons: [who.personId],
      },
    ]);
    return { updated: true };
  });
}
