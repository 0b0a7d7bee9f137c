// What honest people do, and that nothing holds them up: each a day's work, with the state that its visit must have.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { decideVisit } from './decide-visit.server.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import {
  honestReadings,
  liveVehicle,
  publicVerdict,
  recordHonestSet,
  recordSingles,
  visitsOf,
  type SetChange,
} from '#test/visits.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let rego: string;
let count = 0;
const EMPTY = ['empty_volt', 'empty_weight'] as const;
const LOADED = ['loaded_volt', 'loaded_weight'] as const;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSeen(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
  await services.stop();
});
beforeEach(() => {
  rego = `HONEST${(count += 1)}`;
  services.setNow('2026-05-04T01:00:00Z');
});

const fields = (axle_groups: string) => ({ rego, vin: `6T9${rego}`, scale_serial_number: `S${rego}`, axle_groups });
const register = (axleGroups: string, who = admin) =>
  registerVehicle(services, who, {
    input: vehicleInput({ ...fields(axleGroups), calibration_validated: 'yes' }),
    choice: NO_FILES,
    key: undefined,
  });
const record = (change?: SetChange) => recordHonestSet(services, tech, rego, change);
const read = () => publicVerdict(services, rego);
const states = async () => (await visitsOf(services, rego)).map(({ state }) => state);

test('a truck with a sensor on its steer axle only: four readings are all of it, as a set or one by one', async () => {
  await register('STEER');
  expect(await record()).toMatchObject({ state: 'counts' });
  services.setNow('2026-11-02T01:00:00Z');
  await recordSingles(services, tech, rego, 'STEER');
  expect(await states()).toEqual(['counts', 'counts']);
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2027-05-03' });
});

test('one axle repaired: its visit is partial, and the truck stands as it did; of the next whole visit an admin looks at the new sensor', async () => {
  await register('STEER DRIVE');
  await record();
  const before = await read();
  expect(before).toEqual({ verdict: 'valid', dueOn: '2026-11-02' });
  services.setNow('2026-06-15T01:00:00Z');
  const repaired = { readings: { DRIVE: { loaded_volt: '2.60' } }, begins: { DRIVE: 'sensor_replaced' } } as const;
  expect(await record({ ...repaired, axles: ['DRIVE'] })).toMatchObject({ state: 'partial' });
  expect(await read()).toEqual(before);
  services.setNow('2026-10-20T01:00:00Z');
  const whole = await record(repaired);
  expect(whole).toMatchObject({ state: 'waits' });
  const input = { decision: 'accepted', reason: 'sensor-replaced', note: '', openedState: 'waits' } as const;
  const moment = { now: services.now(), key: undefined };
  await decideVisit(services.db, admin, { visitId: whole.recorded ? whole.setId : '', input, ...moment });
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2027-04-20' });
});

test('empty at the depot and loaded at the quarry nine hours later: one visit, which counts with the last reading', async () => {
  await register('STEER DRIVE');
  services.setNow('2026-05-03T20:00:00Z');
  for (const axle of ['STEER', 'DRIVE'] as const)
    // Odd: the figures that other visits are given by turns are even.
    await recordSingles(services, tech, rego, axle, { nudge: 1, only: EMPTY });
  services.setNow('2026-05-04T05:00:00Z');
  for (const axle of ['STEER', 'DRIVE'] as const) {
    expect(await states()).toEqual(['open']);
    await recordSingles(services, tech, rego, axle, { nudge: 1, only: LOADED });
  }
  expect(await states()).toEqual(['counts']);
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2026-11-02' });
});

test('an exchanged trailer: the form says so, and its axles are not held against the other’s', async () => {
  await register('STEER DRIVE TRAILERA');
  await record();
  services.setNow('2026-10-20T01:00:00Z');
  const trailer = { readings: { TRAILERA: { loaded_volt: '2.60' } }, begins: { TRAILERA: 'other_trailer' } } as const;
  expect(await record(trailer)).toMatchObject({ state: 'counts' });
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2027-04-20' });
});

test('the first visit to a truck whose axle groups its technician stated: it counts, and an admin’s tick makes it valid', async () => {
  await register('', tech);
  const { version } = await liveVehicle(services, rego);
  const form = vehicleInput({ ...fields('STEER DRIVE'), version: String(version) });
  expect(await updateVehicle(services, tech, { rego, input: form, choice: NO_FILES, key: undefined })).toEqual({
    updated: true,
  });
  expect(await record()).toMatchObject({ state: 'counts' });
  expect(await read()).toEqual({ verdict: 'not-validated', dueOn: '2026-11-02' });
  await decideValidation(services.db, admin, { rego, validated: true, reason: 'seen' });
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2026-11-02' });
});

test('a technician without signal for a day records yesterday’s visit: it counts from yesterday', async () => {
  await register('STEER DRIVE');
  expect(await record({ visitedAt: new Date('2026-05-03T02:30:00Z'), due_date: '2026-11-01' })).toMatchObject({
    state: 'counts',
  });
  expect(await read()).toEqual({ verdict: 'valid', dueOn: '2026-11-01' });
  const [visit] = await services.db
    .selectFrom('visit')
    .select('visitedOn')
    .where('visitedAt', '=', new Date('2026-05-03T02:30:00Z'))
    .execute();
  expect(visit).toEqual({ visitedOn: '2026-05-03' });
});

test('one axle group that meets another truck’s to the digit is chance, and so are equal volts that are typed to tenths', async () => {
  await register('STEER DRIVE');
  const first = { STEER: honestReadings('STEER', 60), DRIVE: honestReadings('DRIVE', 60) };
  expect(await record({ readings: first })).toMatchObject({ state: 'counts' });
  rego = `${rego}B`;
  await register('STEER DRIVE', admin);
  expect(await record({ readings: { STEER: first.STEER } })).toMatchObject({ state: 'counts' });
  const tenths = (kg: number) => ({
    DRIVE: {
      empty_volt: '0.9',
      empty_weight: String(4680 + kg),
      loaded_volt: '3.2',
      loaded_weight: String(15740 + kg),
    },
    TRAILERA: {
      empty_volt: '0.9',
      empty_weight: String(4200 + kg),
      loaded_volt: '3.4',
      loaded_weight: String(18760 + kg),
    },
  });
  for (const kg of [0, 20]) {
    rego = `${rego}C`;
    await register('DRIVE TRAILERA', admin);
    expect(await record({ readings: tenths(kg) })).toMatchObject({ state: 'counts' });
  }
});

test('a line is 90 days older by the days of the registry, not by those in UTC', async () => {
  await register('STEER', admin);
  const weigh = async (instant: string, kg: number) => {
    services.setNow(instant);
    const answer = await record({ readings: { STEER: honestReadings('STEER', kg) } });
    const [visit] = (await visitsOf(services, rego)).toReversed();
    if (visit?.state !== 'waits') return answer;
    const input = { decision: 'accepted', reason: 'weighed-again', note: '', openedState: 'waits' } as const;
    await decideVisit(services.db, admin, { visitId: visit.id, input, now: services.now(), key: undefined });
    return answer;
  };
  expect(await weigh('2026-01-10T01:00:00Z', 101)).toMatchObject({ state: 'counts' });
  // 24 August in Sydney: 89 days before 21 November.
  expect(await weigh('2026-08-23T14:30:00Z', 1211)).toMatchObject({ state: 'waits' });
  expect(await weigh('2026-11-01T01:00:00Z', 131)).toMatchObject({ state: 'waits' });
  expect(await weigh('2026-11-21T01:00:00Z', 152)).toMatchObject({ state: 'counts' });
});
