// What is done about the truck's record, by the functions that the pages call.
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { findVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import { exportedReadings } from '#test/exports.ts';
import { importInto } from '#test/import-run.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { learn, type Ground } from './ground.ts';
import { NOTHING, type Doing } from './perform-visits.ts';
import { addDays, type Deed } from './rules.ts';

const inDays = ({ services }: Ground, days: number) => addDays(services.now().toISOString().slice(0, 10), days);

async function live({ services, rego }: Ground): Promise<Vehicle | undefined> {
  const found = await findVehicle(services.db, rego);
  return found.state === 'live' ? found.vehicle : undefined;
}

/** Sends the form of the truck as it stands, with these changes. */
async function update(ground: Ground, { who }: Doing, more: Record<string, string>): Promise<boolean> {
  const vehicle = await live(ground);
  if (vehicle === undefined) return false;
  const input = vehicleInput({
    rego: ground.rego,
    vin: vehicle.vin,
    scale_serial_number: vehicle.scaleSerialNumber,
    axle_groups: vehicle.axleGroups,
    ...(vehicle.calibrationValidated ? { calibration_validated: 'yes' } : {}),
    next_calibration_due: vehicle.nextCalibrationDueOn ?? '',
    version: String(vehicle.version),
    ...more,
  });
  const answer = await updateVehicle(ground.services, who, {
    rego: ground.rego,
    input,
    choice: NO_FILES,
    key: undefined,
  });
  return answer.updated;
}

async function decideTick({ services: { db }, rego }: Ground, { who }: Doing, validated: boolean): Promise<Deed> {
  if (who.role !== 'admin') return NOTHING;
  await decideValidation(db, who, { rego, validated, reason: 'As seen' });
  return validated ? { do: 'tick' } : NOTHING;
}

export const ABOUT_TRUCK = {
  tick: (ground: Ground, doing: Doing) => decideTick(ground, doing, true),
  untick: (ground: Ground, doing: Doing) => decideTick(ground, doing, false),
  async 'set the due date'(ground: Ground, doing: Doing): Promise<Deed> {
    const reason = doing.nth % 4 === 0 ? '' : 'As agreed';
    const due = inDays(ground, doing.nth % 700);
    const isSet = await update(ground, doing, { next_calibration_due: due, reason });
    return isSet && doing.who.role === 'admin' && reason !== '' ? { do: 'due' } : NOTHING;
  },
  async 'change the VIN'(ground: Ground, doing: Doing): Promise<Deed> {
    await update(ground, doing, { vin: `6T9X${doing.nth % 3}${ground.rego}` });
    return NOTHING;
  },
  async 'take a group off the list'(ground: Ground, doing: Doing): Promise<Deed> {
    await update(ground, doing, { axle_groups: 'STEER', reason: doing.nth % 2 === 0 ? '' : 'Scrapped' });
    return NOTHING;
  },
  async 'remove the truck'(ground: Ground, { who, before }: Doing): Promise<Deed> {
    const vehicle = await live(ground);
    if (who.role !== 'admin' || vehicle === undefined) return NOTHING;
    await removeVehicle(ground.services.db, who, { rego: ground.rego });
    ground.removedAt.set(vehicle.id, before.until);
    return NOTHING;
  },
  async 'restore the truck'({ services: { db }, rego }: Ground, { who, nth }: Doing): Promise<Deed> {
    const removed = await db
      .selectFrom('vehicle')
      .select('id')
      .where('rego', '=', rego)
      .where('deletedAt', 'is not', null)
      .orderBy('deletedAt')
      .execute();
    const vehicle = removed[nth % Math.max(1, removed.length)];
    if (who.role !== 'admin' || vehicle === undefined) return NOTHING;
    const { restored } = await restoreVehicle(db, who, { id: vehicle.id });
    return restored ? { do: 'restore', vehicleId: vehicle.id } : NOTHING;
  },
  async 'register it again'({ services, rego }: Ground, { who }: Doing): Promise<Deed> {
    const more = { vin: `6T9${rego}`, axle_groups: 'STEER DRIVE', calibration_validated: 'yes' };
    const input = vehicleInput({ rego, ...more, next_calibration_due: '2030-01-01' });
    await registerVehicle(services, who, { input, choice: NO_FILES, key: undefined });
    return NOTHING;
  },
  async 'import it'(ground: Ground, { who }: Doing): Promise<Deed> {
    const { services, rego } = ground;
    const vehicle = await live(ground);
    if (who.role !== 'admin' || vehicle === undefined) return NOTHING;
    const readings = exportedReadings('STEER', services.now(), { dueOn: inDays(ground, 300) });
    const truck = { rego, vin: vehicle.vin, calibration_validated: true, next_calibration_due: inDays(ground, 300) };
    await importInto(services, { Vehicles: { [rego]: { ...truck, calibrations: readings } } });
    await learn(ground, { parts: [], faults: ['complete'], isOffLine: true });
    return NOTHING;
  },
};
