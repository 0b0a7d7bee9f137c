// Updates the fields and files of a vehicle, but only if nobody changed the vehicle after the form was opened. An
// update never changes calibrations.
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { may } from '#app/access/permissions.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { dueByHandEvent, vehicleEvent } from '#app/transparency-log/events.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { aboutVehicle } from './about-vehicle.server.ts';
import { axleGroupsOf } from './axle.ts';
import { chooseRego } from './choose-rego.server.ts';
import { dueByHandRefusal, setDueByHand, type DueByHand, type DueRefusal, type Moment } from './due-date.server.ts';
import { decisionOf, noteValidation } from './decide-validation.server.ts';
import { lockVehicle, type Vehicle } from './queries.server.ts';
import { groupsToKeep } from './read-groups.server.ts';
import { plateText } from './plate-text.ts';
import { applyFiles, commitFiles, filesOfForm, type FileChoice } from './commit-files.server.ts';
import { areDeciding, changesOf, columnsOf } from './vehicle-columns.server.ts';
import type { VehicleInput } from './vehicle-entry.ts';

export type UpdateAnswer =
  | { updated: true }
  | { updated: false; reason: 'removed' | 'unknown' | 'file-missing' | 'too-many-images' }
  /** Only admins remove an axle group, because fewer readings would then make a visit complete. */
  | { updated: false; reason: 'axle-group-removed' | 'axle-group-without-reason' }
  /** A known state changes with the plate, or another vehicle has this plate in that state. */
  | { updated: false; reason: 'plate-state' }
  | ({ updated: false } & DueRefusal)
  /** Somebody else saved after the form was opened. `now`: the vehicle as they saved it. */
  | { updated: false; reason: 'stale'; now: Vehicle };

export async function updateVehicle(
  services: Services,
  who: SignedIn,
  { rego, input, choice, key }: { rego: string; input: VehicleInput; choice: FileChoice; key: unknown },
): Promise<UpdateAnswer> {
  const files = await commitFiles(services, who.personId, { rego, choice });
  if (files === undefined) return { updated: false, reason: 'file-missing' };
  const decides = may(who.role, 'validate vehicles');
  const values = { ...input, rego, files: filesOfForm(files) };
  return idempotent<UpdateAnswer>(services.db, { who, kind: 'vehicle.updated', key, values }, async (tx) => {
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { updated: false, reason: found.state };
    const { vehicle } = found;
    if (vehicle.version !== input.version) return { updated: false, reason: 'stale', now: vehicle };
    if (!(await mayHaveState(tx, vehicle, input.plate_state))) return { updated: false, reason: 'plate-state' };
    const moment = { now: services.now(), zone: services.config.timeZone };
    const isShorter = !(await keepsAxleGroups(tx, vehicle, { ...input, moment }));
    if (isShorter && !decides) return { updated: false, reason: 'axle-group-removed' };
    if (isShorter && input.reason === '') return { updated: false, reason: 'axle-group-without-reason' };
    const fieldChanges = changesOf(vehicle, input, who.role);
    const dueByHand = await findDueByHand(tx, vehicle, { changes: fieldChanges, ...input, moment });
    // A refusal does not undo what was written before it: both are looked for first.
    const refusal = dueByHand === undefined ? undefined : await dueByHandRefusal(tx, vehicle, dueByHand);
    if (refusal !== undefined) return { updated: false, ...refusal };
    const actorId = await actorOf(tx, who);
    const applied = await applyFiles(tx, vehicle, { actorId, files });
    if (applied === 'too-many') return { updated: false, reason: 'too-many-images' };
    const dueRecords = dueByHand === undefined ? [] : await setDueByHand(tx, vehicle, dueByHand);
    const changes = [...fieldChanges, ...applied.changes];
    if (changes.length === 0) return { updated: true };
    const columns = columnsOf(input, who.role);
    await tx
      .updateTable('vehicle')
      .set({ ...columns, version: vehicle.version + 1, updatedAt: new Date(), updatedBy: actorId })
      .where('id', '=', vehicle.id)
      .execute();
    const events = [vehicleEvent('vehicle.updated', vehicle, { ...vehicle, ...columns }), ...applied.events];
    if (dueRecords.length > 0 && input.next_calibration_due !== null)
      events.push(dueByHandEvent(vehicle, input.next_calibration_due, dueRecords));
    if (areDeciding(fieldChanges))
      events.push(await noteValidation(tx, vehicle, { actorId, decision: decisionOf(input) }));
    await appendLeaves(tx, events);
    await appendActivity(tx, {
      kind: 'vehicle.updated',
      ...aboutVehicle(vehicle, actorId, who),
      details: input.reason === '' || !decides ? `${rego} updated` : `${rego} updated: ${input.reason}`,
      changes,
    });
    return { updated: true };
  });
}

async function mayHaveState(tx: Tx, { id, rego, plateState }: Vehicle, state: string): Promise<boolean> {
  if (state === plateState) return true;
  return plateState === '' && (await chooseRego(tx, { text: plateText(rego), state }, id)).ok;
}

// Undefined: the form does not change the due date. Without a calibration it decides nothing, and is a field like all
// others.
async function findDueByHand(
  tx: Tx,
  vehicle: Vehicle,
  {
    changes,
    next_calibration_due: dueOn,
    reason,
    moment,
  }: { changes: readonly ActivityChange[]; moment: Moment } & VehicleInput,
): Promise<DueByHand | undefined> {
  const isChanged = changes.some(({ field }) => field === 'next_calibration_due');
  if (!isChanged || vehicle.lastCalibratedAt === null) return undefined;
  const { longestIntervalDays } = await currentPolicy(tx);
  return { ...moment, dueOn, reason, longestIntervalDays };
}

// A list that begins has what its visits read. Later ones are never shorter than what is there: a visit that counts
// adds to it.
async function keepsAxleGroups(
  tx: Tx,
  before: Vehicle,
  { axle_groups: groups, moment }: { moment: Moment } & VehicleInput,
): Promise<boolean> {
  if (groups === before.axleGroups) return true;
  const kept = (await groupsToKeep(tx, [before], moment)).get(before.id) ?? [];
  return kept.every((axle) => axleGroupsOf(groups).includes(axle));
}
