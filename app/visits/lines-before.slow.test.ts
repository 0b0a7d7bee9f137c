// A visit on a truck with a long history is held against the lines that the whole history has, wherever they stand in
// it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { decideVisit } from './decide-visit.server.ts';
import { checksOf } from './visit-queries.server.ts';
import { recordHonestSet, visitsOf, type SetChange } from '#test/visits.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

const LAST_DAY = '2026-11-02';
const daysAgo = (days: number) => addDays(LAST_DAY, -days);
const weeks = Array.from({ length: 39 }, (_, nth) => (39 - nth) * 7);
const days = Array.from({ length: 39 }, (_, nth) => 39 - nth);

let trucks = 0;
// Each visit is 1 kg heavier than the one before, so the largest difference tells which line is the older one. No two
// trucks have the same readings.
async function agreesOnLastDay(
  rego: string,
  visits: readonly number[],
  change: (ago: number) => SetChange = () => ({}),
) {
  services.setNow('2025-11-03T01:00:00Z');
  const fields = { rego, vin: `6T9${rego}`, scale_serial_number: rego, axle_groups: 'STEER' };
  await registerVehicle(services, admin, { input: vehicleInput(fields), choice: NO_FILES, key: undefined });
  trucks += 1;
  for (const [nth, ago] of [...visits, 0].entries()) {
    services.setNow(`${daysAgo(ago)}T01:00:00Z`);
    const recorded = await recordHonestSet(services, tech, rego, { nudge: trucks * 50 + nth, ...change(ago) });
    if (recorded.recorded && recorded.state === 'waits') await accept(recorded.setId);
  }
  const last = (await visitsOf(services, rego)).at(-1);
  return checksOf(last?.checks).find(({ check }) => check === 'agrees')?.sentence;
}
// The technician alone only says that a sensor was replaced.
async function accept(visitId: string): Promise<void> {
  const input = { decision: 'accepted', reason: 'sensor-replaced', note: '', openedState: 'waits' } as const;
  const answer = await decideVisit(services.db, admin, { visitId, input, now: services.now(), key: undefined });
  expect(answer).toMatchObject({ decided: true });
}
const differs = (kg: number, ago: number) =>
  expect.stringContaining(`Steer differs by ${kg}\u00a0kg at 6,000\u00a0kg from ${formatDay(daysAgo(ago))}`);

test('the newest line at least 90 days older is among the newest readings', async () => {
  expect(await agreesOnLastDay('LONG1', weeks)).toEqual(differs(13, 91));
});

test('it is far behind them', async () => {
  expect(await agreesOnLastDay('LONG2', [250, 200, 120, ...days])).toEqual(differs(40, 120));
});

test('there is none at all', async () => {
  expect(await agreesOnLastDay('LONG3', days)).toEqual(differs(1, 1));
});

test('a sensor was replaced since', async () => {
  const replacedThen = (ago: number): SetChange => (ago === 70 ? { begins: { STEER: 'sensor_replaced' } } : {});
  expect(await agreesOnLastDay('LONG4', weeks, replacedThen)).toEqual(differs(1, 7));
});

test('it stands where the newest readings begin, so that a part of it may be left out', async () => {
  // Of what is older, 48 readings are read: twelve visits. Where there are so many of one day, the older line is one
  // that is cut, or next to it.
  for (const times of [11, 12, 13]) {
    const older = [200, 150, ...Array<number>(times).fill(91)];
    expect(await agreesOnLastDay(`CUT${times}`, [...older, ...days.slice(-5)])).toEqual(differs(6, 91));
  }
});
