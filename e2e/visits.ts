// Trucks and honest sets for the stories about visits.
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { actingAs } from '#test/people.ts';
import { honestSet, type SetChange } from '#test/visits.ts';
import type { Person } from './people.ts';
import { newRego } from './vehicles.ts';

export const ZONE = 'Australia/Sydney';
export const DAY_MS = 24 * 3_600_000;
const GROUPS = 'STEER DRIVE';

/** Records a set that was read so many days ago, at once. */
export async function recordSet(
  registry: StartedRegistry,
  who: Person,
  rego: string,
  daysAgo: number,
  change: SetChange = {},
) {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  const files = await openFileStore({ directory: `${registry.dataDir}/files` });
  const services = { db: registry.db, files, now: () => at, config: { timeZone: ZONE } };
  const input = honestSet(`VIN${rego}`, GROUPS, at, change);
  return recordCalibrationSet(services, actingAs(who), { rego, input, photos: [], key: undefined });
}

/** Adds a validated truck, by itself with a steer and a drive axle. Returns its rego. */
export async function truck(registry: StartedRegistry, rego = newRego(), axleGroups = GROUPS): Promise<string> {
  const values = { rego, vin: `VIN${rego}`, axleGroups, calibrationValidated: true, make: 'Volvo' };
  await registry.db.insertInto('vehicle').values(values).execute();
  await enterLeaves(registry.db);
  return rego;
}
