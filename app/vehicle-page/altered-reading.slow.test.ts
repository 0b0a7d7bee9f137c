// Each column of an old reading, altered by somebody with the database's own password: the vehicle's page says so at
// once where the whole history is opened, and within a day where nobody opens it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { sweepHistories } from '#app/transparency-log/sweep-histories.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { dropChecks, otherValue, storedColumns } from '#test/altered-column.ts';
import { enterAsOwner, type DatabaseOwner } from '#test/database-owner.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { historyPage } from './history-page.server.ts';
import { vehiclePage } from './vehicle-page.server.ts';

const HOUR_MS = 3_600_000;
const REGO = 'OLD1';
// More than the vehicle's page shows.
const VISITS = 4;
let services: TestServices;
let owner: DatabaseOwner;
let jo: SignedIn;
let mia: SignedIn;
const later = (hours: number) => services.setNow(new Date(services.now().getTime() + hours * HOUR_MS).toISOString());

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2021-05-20T01:00:00Z');
  jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await register('VINOLD1');
  for (let visit = 0; visit < VISITS; visit += 1) {
    later(170 * 24);
    await recordHonestSet(services, jo, REGO);
  }
  owner = await enterAsOwner(services.address, ['calibration', 'history_check', 'history_sweep']);
  await owner.query(dropChecks('calibration'));
});
const register = (vin: string) =>
  registerVehicle(services, jo, {
    input: vehicleInput({ rego: REGO, vin, axle_groups: 'STEER DRIVE' }),
    choice: NO_FILES,
    key: undefined,
  });
afterAll(async () => {
  await owner.leave();
  await services.stop();
});

async function front(): Promise<readonly string[]> {
  const found = await vehiclePage(services, REGO, {
    asked: new URLSearchParams(),
    origin: 'http://localhost',
    who: null,
  });
  if (found.state !== 'live') throw new Error(found.state);
  return found.page.mismatches;
}
const openHistory = () => historyPage(services, REGO, { asked: null, who: null });
async function aDay(): Promise<void> {
  later(21);
  while ((await sweepHistories({ ...services, everyMs: 5000, isLost: () => false })) > 0);
}

test('nothing is said of an untouched history', async () => {
  await aDay();
  await openHistory();
  expect(await front()).toEqual([]);
});

test('each column of the oldest reading, altered alone', async () => {
  const columns = await storedColumns(services.db, ['calibration']);
  expect(columns.length).toBeGreaterThan(12);
  for (const column of columns) {
    const statement = `update calibration set ${column.columnName} = ${otherValue(column)}
      where id = (select min(id) from calibration)`;
    for (const look of [openHistory, aDay]) {
      const said = await owner.whenDone(statement, async () => {
        await look();
        return front();
      });
      expect([statement, look.name, said.length > 0]).toEqual([statement, look.name, true]);
    }
  }
  expect(await front()).toEqual([]);
});

test('readings of an earlier truck with the same rego are no finding', async () => {
  await removeVehicle(services.db, mia, { rego: REGO, key: undefined });
  later(24);
  await register('VINNEW1');
  await recordHonestSet(services, jo, REGO);
  const trucks = await services.db.selectFrom('vehicle').select('vin').where('rego', '=', REGO).execute();
  expect(trucks).toHaveLength(2);
  await openHistory();
  await aDay();
  expect(await front()).toEqual([]);
});
