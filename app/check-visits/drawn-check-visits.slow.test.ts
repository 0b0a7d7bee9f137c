// Which visits are drawn at random for a check visit, by the share that the policy says. After each test all records
// are as the log has them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import { removeVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { checkVisitKinds, checkVisitsOf, weigh } from '#test/check-visits.ts';
import { openCheckedTruck, REGO, type CheckedTruck } from '#test/checked-truck.ts';
import { enforce } from '#test/policy.ts';
import { referenceInput } from '#test/references.ts';
import type { TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, liveVehicle, recordSingles } from '#test/visits.ts';
import { withdrawCheckVisit } from './office/ask-check-visit.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let other: SignedIn;

let truck: CheckedTruck;
beforeEach(async () => {
  truck = await openCheckedTruck();
  ({ services, admin, tech, other } = truck);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const states = () => truck.states();
const later = (day: string) => truck.later(day);
const draws = (checkVisitsPerMille: number) => enforce(services.db, { checkVisitsPerMille });

test('the share draws a visit that counts, once, and nobody withdraws it', async () => {
  await weigh(services, tech, REGO);
  expect(await states()).toEqual([]);
  await draws(1000);
  const drawn = await weigh(services, tech, REGO);
  expect(await checkVisitsOf(services, REGO)).toMatchObject([
    { visitId: drawn, why: 'drawn', state: 'open', note: '' },
  ]);
  expect(await withdrawCheckVisit(services, admin, { visitId: drawn, key: undefined })).toEqual({
    withdrawn: false,
    reason: 'gone',
  });
  await weigh(services, tech, REGO);
  expect(await states()).toEqual(['open']);
  // It closes that one, and is drawn itself.
  const closing = await weigh(services, other, REGO);
  expect(await checkVisitsOf(services, REGO)).toMatchObject([
    { state: 'done', closedBy: closing },
    { visitId: closing, why: 'drawn', state: 'open' },
  ]);
  expect(await checkVisitKinds(services)).toEqual(['check-visit.drawn', 'check-visit.done', 'check-visit.drawn']);
});

test('a visit is drawn when it is accepted; while it waits it is not', async () => {
  await draws(1000);
  const waiting = await weigh(services, tech, REGO, { nudge: 2500 });
  expect(await states()).toEqual([]);
  await truck.decide(waiting, 'accepted');
  expect(await checkVisitsOf(services, REGO)).toMatchObject([{ visitId: waiting, state: 'open' }]);
});

test('a visit is drawn when it counts by a correction: a slip is no way out', async () => {
  await draws(1000);
  const slip = await weigh(services, tech, REGO, { readings: { STEER: { empty_weight: '3.94' } } });
  expect(await states()).toEqual([]);
  const place = { axle: 'STEER', attribute: 'Empty Weight' } as const;
  await correctVisit(services, tech, REGO, slip, { value: '3940' }, place);
  expect(await checkVisitsOf(services, REGO)).toMatchObject([{ visitId: slip, why: 'drawn', state: 'open' }]);
});

test('single readings that complete a visit are drawn too', async () => {
  await draws(1000);
  await recordSingles(services, tech, REGO, 'STEER');
  expect(await states()).toEqual([]);
  await recordSingles(services, tech, REGO, 'DRIVE');
  expect(await states()).toEqual(['open']);
});

test('a visit that ends by itself on a removed truck is not drawn', async () => {
  await draws(1000);
  await recordSingles(services, tech, REGO, 'STEER');
  // Complete since the other axle group was taken off the record.
  const { version, vin, nextCalibrationDueOn: due } = await liveVehicle(services, REGO);
  const steerOnly = vehicleInput({
    rego: REGO,
    vin,
    axle_groups: 'STEER',
    reason: 'Sensor taken off',
    next_calibration_due: due ?? '',
    version: String(version),
  });
  expect(
    await updateVehicle(services, admin, { rego: REGO, input: steerOnly, choice: NO_FILES, key: undefined }),
  ).toEqual({ updated: true });
  await removeVehicle(services.db, admin, { rego: REGO });
  later('2026-06-12');
  expect(await closeExpired(services.db, { now: services.now(), zone: 'Australia/Sydney' })).toBe(1);
  const closed = services.db.selectFrom('visit').select('state').orderBy('openedAt', 'desc').limit(1);
  expect([await closed.executeTakeFirst(), await states()]).toEqual([{ state: 'counts' }, []]);
});

test('what is drawn where nobody else has recorded within 200 km in twelve months lapses at once', async () => {
  await draws(1000);
  const place = async (latitude: string, name: string): Promise<string> => {
    const input = referenceInput({ name, latitude, longitude: '150' });
    const added = await addReference(services.db, admin, { input, key: undefined });
    if (!('id' in added)) throw new Error(name);
    return added.id;
  };
  const [here, near, far] = [await place('-30', 'Here'), await place('-31.7', 'Near'), await place('-31.9', 'Far')];
  await weigh(services, tech, REGO, { reference_id: here, weighbridge: 'Here' });
  const lapsed = [{ why: 'drawn', state: 'lapsed', note: 'Nobody near.' }];
  expect(await checkVisitsOf(services, REGO)).toMatchObject(lapsed);
  // Where the technician's visit before this test was made is not known: it may be near.
  await weigh(services, other, REGO, { reference_id: far, weighbridge: 'Far' });
  await weigh(services, tech, REGO, { reference_id: here, weighbridge: 'Here' });
  expect((await checkVisitsOf(services, REGO)).map(({ state }) => state)).toEqual(['lapsed', 'done', 'lapsed']);
  await weigh(services, other, REGO, { reference_id: near, weighbridge: 'Near' });
  expect((await checkVisitsOf(services, REGO)).at(-1)).toMatchObject({ why: 'drawn', state: 'open', note: '' });
});
