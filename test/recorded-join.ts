// Records a plate that was changed and two records that were joined, for tests of their stored form.
import type { SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { changePlate } from '#app/vehicles/change-plate.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { joinRecords } from '#app/vin-conflicts/join-records.server.ts';
import { liveVehicle } from './visits.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';

const VIN = '6F5JN000000000001';

export async function recordJoin(db: Db, folder: string): Promise<void> {
  const admin = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const session = { sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const who: SignedIn = { ...admin, ...session, name: 'Mia', role: 'admin' };
  const services = {
    db,
    config: { timeZone: 'Australia/Sydney' },
    files: await openFileStore({ directory: `${folder}/files` }),
    now: () => new Date('2026-11-21T01:00:00Z'),
  };
  for (const rego of ['FORMER1', 'KEPT1']) {
    const input = vehicleInput({ rego, vin: VIN, axle_groups: 'STEER' });
    await registerVehicle(services, who, { input, choice: NO_FILES, key: undefined });
  }
  const plate = { text: 'LATER1', state: 'QLD', fromOn: '2026-11-20', why: 'sold', opened: 'FORMER1' } as const;
  const changed = await changePlate(services, who, { rego: 'FORMER1', input: plate, key: undefined });
  if (!changed.changed) throw new Error('the plate was not changed');
  const [vehicleId, keptId] = [(await liveVehicle({ db }, 'LATER1')).id, (await liveVehicle({ db }, 'KEPT1')).id];
  const joined = await joinRecords(services, who, { vehicleId, keptId, key: undefined });
  if (!joined.joined) throw new Error('the records were not joined');
}
