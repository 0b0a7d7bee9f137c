// What nobody opens is held against the log too, at least once a day; what was found is kept, and goes when it is
// mended.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { sweepHistories } from './sweep-histories.server.ts';

const REGOS = Array.from({ length: 25 }, (_, n) => `SWEEP${n}`);
const HOUR_MS = 3_600_000;
let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  for (const rego of REGOS) {
    const fields = { rego, vin: `VIN${rego}`, axle_groups: 'STEER DRIVE' };
    await registerVehicle(services, mia, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  }
  await recordHonestSet(services, jo, 'SWEEP7');
});
afterAll(() => services.stop());

const tick = (isLost = () => false) => sweepHistories({ ...services, everyMs: 5000, isLost });
/** Until a tick has nothing to do; how many vehicles each checked. */
async function sweep(): Promise<number[]> {
  const checked: number[] = [];
  for (let count = await tick(); count > 0; count = await tick()) checked.push(count);
  return checked;
}
const wait = (hours: number) => services.setNow(new Date(services.now().getTime() + hours * HOUR_MS).toISOString());
const findings = async () =>
  (await services.db.selectFrom('historyCheck').select('findings').execute()).flatMap(({ findings: of }) => of);
const alter = (value: string) =>
  services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update calibration set value = ${value} where rego = 'SWEEP7' and attribute = 'Empty Volt' and axle = 'DRIVE'`.execute(
      tx,
    );
  });

test('every vehicle is checked once in a sweep, and the next begins a day later at the latest', async () => {
  expect(await sweep()).toEqual([10, 10, 5]);
  wait(19);
  expect(await sweep()).toEqual([]);
  wait(2);
  expect(await sweep()).toEqual([10, 10, 5]);
  expect(await findings()).toEqual([]);
});

test('an old reading that was altered is found, kept in words, and gone when it is mended', async () => {
  const { rows } = await sql<{ value: string }>`select value from calibration
    where rego = 'SWEEP7' and attribute = 'Empty Volt' and axle = 'DRIVE'`.execute(services.db);
  await alter('0.5');
  expect(await findings()).toEqual([]);
  wait(21);
  await sweep();
  expect(await findings()).toEqual([
    expect.stringMatching(/^calibration SWEEP7\/\d+: its value is not what was logged/),
  ]);
  await alter(rows[0]?.value ?? '');
  wait(21);
  await sweep();
  expect(await findings()).toEqual([]);
});

test('a node that loses its turn leaves the rest to the next, and leaves none out', async () => {
  wait(21);
  let left = 3;
  expect(await tick(() => (left -= 1) < 0)).toBe(3);
  expect(await sweep()).toEqual([10, 10, 2]);
});

test('a clock that was ahead does not put the next sweep off', async () => {
  wait(1000);
  expect((await sweep()).length).toBe(3);
  wait(-990);
  expect((await sweep()).length).toBe(3);
});
