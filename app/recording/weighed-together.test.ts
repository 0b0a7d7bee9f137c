// A truck and its trailers on one weighbridge: one press records a visit for each, and each is judged by itself.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { weighingsIn } from '#app/readings/weighings.ts';
import { listCalibrations, listSets } from '#app/readings/queries.server.ts';
import { loadSample } from '#app/patterns/load-sample.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { readSet } from './set-entry.ts';
import { honestReadings, liveVehicle, nextNudge, publicVerdict, visitsOf } from '#test/visits.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { uploadPhoto } from '#test/photos.ts';
import { recordCalibrationSet } from './record-calibration-set.server.ts';
import type { Axle } from '#app/vehicles/axle.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let count = 0;
let truck: string;
let trailer: string;
const NOW = '2026-11-21T01:00:00Z';

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow(NOW);
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());
beforeEach(async () => {
  count += 1;
  [truck, trailer] = [`PULL${count}`, `TRL${count}`];
  await register(truck, { axle_groups: 'STEER DRIVE' });
  await register(trailer, {
    kind: 'trailer',
    axle_groups: 'FRONT REAR',
    group_details: 'FRONT tandem 15000kg; REAR tri dual-tyres',
  });
});
const register = (rego: string, more: Record<string, string>) =>
  registerVehicle(services, admin, {
    input: vehicleInput({ rego, vin: `6T9VAWDREY${rego}`, calibration_validated: 'yes', ...more }),
    choice: NO_FILES,
    key: undefined,
  });

const grid = (prefix: string, axles: readonly Axle[]): [string, string][] => {
  const nudge = nextNudge();
  return axles.flatMap((axle) => [
    [`${prefix}axle`, axle] as [string, string],
    ...Object.entries(honestReadings(axle, nudge)).map(([name, value]): [string, string] => [
      `${prefix}${axle}_${name}`,
      value,
    ]),
  ]);
};
const together = (more: [string, string][] = []): [string, string][] => [
  ['confirmed', 'yes'],
  ['vin', `6T9VAWDREY${truck}`],
  ['visit_date', '2026-11-20'],
  ['visit_time', '14:05'],
  ['due_date', '2027-05-14'],
  ['weighbridge', 'Port Kembla'],
  ['ticket_number', `77${count}`],
  ['lift_axle', 'raised'],
  ...grid('', ['STEER', 'DRIVE']),
  ['unit', trailer],
  ['u1_vin', `6T9VAWDREY${trailer}`],
  ['u1_confirmed', 'yes'],
  ...grid('u1_', ['FRONT', 'REAR']),
  ...more,
];
function read(fields: readonly [string, string][]) {
  const all = Map.groupBy(fields, ([name]) => name);
  return readSet(new Map(fields), new Map([...all].map(([name, values]) => [name, values.map(([, value]) => value)])), {
    zone: 'Australia/Sydney',
    now: services.now(),
    longestIntervalDays: 366,
  });
}
async function record(fields = together(), photos: string[] = []) {
  const { input, errors, warnings } = read(fields);
  if (input === undefined) throw new Error(JSON.stringify({ errors, warnings }));
  return recordCalibrationSet(services, tech, { rego: truck, input, photos, key: undefined });
}

test('weighed one after the other, the deck shows both, and each visit has all weighings', async () => {
  const steps = ['STEER', 'DRIVE', 'u1_FRONT', 'u1_REAR'].map((place, at): [string, string] => [
    `${place}_loaded_deck`,
    String([6000, 21_700, 36_700, 55_500][at]),
  ]);
  const fields = together([['loaded_way', 'steps'], ['u1_REAR_loaded_ticket', `9${count}`], ...steps]);
  expect(await record(fields)).toMatchObject({ recorded: true });
  const [ofTruck, ofTrailer] = await Promise.all(
    [truck, trailer].map(async (rego) => (await listSets(services.db, (await liveVehicle(services, rego)).id))[0]),
  );
  const lastOf = (text: string | null | undefined) => weighingsIn(text ?? null).at(-1);
  expect(lastOf(ofTruck?.weighings)).toMatchObject({ deck: ['STEER', 'DRIVE', `FRONT@${trailer}`, `REAR@${trailer}`] });
  expect(lastOf(ofTrailer?.weighings)).toMatchObject({ deck: [`STEER@${truck}`, `DRIVE@${truck}`, 'FRONT', 'REAR'] });
  const [visit] = await visitsOf(services, trailer);
  expect(checksOf(visit?.checks).find(({ check }) => check === 'ticket')).toMatchObject({ answer: 'passed' });
  const weights = (await listCalibrations(services.db, (await liveVehicle(services, trailer)).id)).filter(
    ({ attribute }) => attribute === 'Loaded Weight',
  );
  expect(weights.map(({ value }) => value).toSorted()).toEqual(['15000', '18800']);
});

test('what is read on the truck’s own unit is not said of its trailer', async () => {
  const facts: [string, string][] = [
    ['seals_found', '4471 unit'],
    ['firmware', '2.1'],
  ];
  expect(await record(together(facts))).toMatchObject({ recorded: true });
  const [ofTruck, ofTrailer] = await Promise.all(
    [truck, trailer].map(async (rego) => (await listSets(services.db, (await liveVehicle(services, rego)).id))[0]),
  );
  expect([ofTruck?.sealsFound, ofTruck?.firmware]).toEqual(['4471 unit', '2.1']);
  expect([ofTrailer?.sealsFound, ofTrailer?.firmware]).toEqual(['', '']);
  expect(ofTrailer?.weighbridge).toBe(ofTruck?.weighbridge);
});

test('one press records one visit for each unit; ticket and photo are shared, each is judged by itself', async () => {
  const photo = await uploadPhoto(services, tech);
  expect(await record(together(), [photo])).toMatchObject({ recorded: true, state: 'counts' });
  const [ofTruck] = await visitsOf(services, truck);
  const [ofTrailer] = await visitsOf(services, trailer);
  for (const visit of [ofTruck, ofTrailer]) {
    expect(visit).toMatchObject({ state: 'counts', dueOn: '2027-05-14' });
    const answers = checksOf(visit?.checks).map(({ check, answer }) => [check, answer]);
    expect(answers).toContainEqual(['ticket', 'passed']);
    expect(answers).toContainEqual(['photo', 'passed']);
    expect(answers).toContainEqual(['load', 'passed']);
  }
  const sets = async (rego: string) => listSets(services.db, (await liveVehicle(services, rego)).id);
  const [[first], [second]] = [await sets(truck), await sets(trailer)];
  expect([first?.together, second?.together]).toEqual([first?.id, first?.id]);
  // What is said of the truck is not of its trailer.
  expect([first?.liftAxle, second?.liftAxle]).toEqual(['raised', '']);
  expect([first?.trailers, second?.trailers]).toEqual([`own ${trailer}`, null]);
  expect(second?.axles.map(({ axle }) => axle)).toEqual(['FRONT', 'REAR']);
});

test('the verdict of a unit never rests on the other’s visit: one that waits leaves the other as it is', async () => {
  // The trailer's VIN is on another record too.
  await register(`SAME${count}`, { vin: `6T9VAWDREY${trailer}` });
  await record();
  expect((await visitsOf(services, truck))[0]?.state).toBe('counts');
  expect((await visitsOf(services, trailer))[0]?.state).toBe('waits');
  expect(await publicVerdict(services, truck)).toMatchObject({ verdict: 'valid' });
  expect(await publicVerdict(services, trailer)).toMatchObject({ verdict: 'not-validated' });
});

test('the ticket of one press counts as used for every other', async () => {
  await record();
  services.setNow('2026-11-22T01:00:00Z');
  const again = together().map(([name, value]): [string, string] => [
    name,
    name === 'visit_date' ? '2026-11-21' : value,
  ]);
  await record(again);
  for (const rego of [truck, trailer]) {
    const checks = checksOf((await visitsOf(services, rego)).at(-1)?.checks);
    expect(checks.find(({ check }) => check === 'ticket')?.answer).toBe('failed');
  }
  services.setNow(NOW);
});

test('nothing is recorded of either where the trailer is not as it was confirmed', async () => {
  const vin = together().map(([name, value]): [string, string] => [name, name === 'u1_vin' ? 'OTHER' : value]);
  expect(await record(vin)).toEqual({ recorded: false, reason: 'trailer', rego: trailer });
  const truckAsTrailer = together().map(([name, value]): [string, string] => [name, name === 'unit' ? truck : value]);
  expect(await record(truckAsTrailer)).toMatchObject({ recorded: false, reason: 'trailer' });
  await removeVehicle(services.db, admin, { rego: trailer, key: undefined });
  expect(await record()).toMatchObject({ recorded: false, reason: 'trailer' });
  expect(await visitsOf(services, truck)).toEqual([]);
});

test('the form asks each trailer to be confirmed, and says what is wrong at its own fields', () => {
  const unconfirmed = together().filter(([name]) => name !== 'u1_confirmed');
  expect(read(unconfirmed).errors).toEqual({ u1_confirmed: 'Confirm that this is the trailer in front of you.' });
  const without = together().filter(([name]) => name !== 'u1_REAR_loaded_weight');
  expect(read(without).errors).toEqual({ u1_REAR_loaded_weight: 'Enter the loaded weight.' });
  const tonnes = together([['u1_REAR_loaded_weight', '18.7']]);
  expect(Object.keys(read(tonnes).errors)).toEqual(['u1_REAR_loaded_weight']);
  // Left out again: only the truck is recorded.
  expect(read([...unconfirmed, ['u1_left_out', 'yes']]).input?.units ?? 'none').toEqual([]);
});

test('a trailer whose groups were not read is named, and has no visit', async () => {
  await record(together().filter(([name]) => name !== 'u1_axle'));
  expect(await visitsOf(services, trailer)).toEqual([]);
  const [set] = await listSets(services.db, (await liveVehicle(services, truck)).id);
  expect([set?.trailers, set?.together]).toEqual([`own ${trailer}`, null]);
});

test('the trailer of a group that the truck’s own unit reads is named by its rego, registered here or not', () => {
  const named = (rego: string) => read([...together(), ...grid('', ['TRAILERA']), ['TRAILERA_trailer', rego]]);
  expect(named('t-30077 nsw').input?.trailers).toBe(`TRAILERA T30077; own ${trailer}`);
  expect(named('').input?.trailers).toBe(`own ${trailer}`);
  expect(named('T-ß').errors).toEqual({ TRAILERA_trailer: expect.stringContaining('only letters') });
});

test('the visits of one press are one to every pattern', async () => {
  await record();
  const sample = await loadSample(services.db, { from: new Date('2026-01-01'), to: new Date('2027-01-01') });
  const { id } = await liveVehicle(services, truck);
  const { id: trailerId } = await liveVehicle(services, trailer);
  const [visit] = sample.visits.filter(({ vehicle }) => vehicle === id);
  expect(visit?.axles.map(({ axle }) => axle)).toEqual(['STEER', 'DRIVE', 'FRONT', 'REAR']);
  expect(sample.visits.filter(({ vehicle }) => vehicle === trailerId)).toEqual([]);
});
