// Who captured a visit is its recorder beside who sent its file: for a check visit, and for the good standing that it
// asks for.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namingOf, type SignedIn } from '#app/access/session.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import { weigh } from '#test/check-visits.ts';
import { openCheckedTruck, REGO, type CheckedTruck } from '#test/checked-truck.ts';
import { enforce } from '#test/policy.ts';
import { honestSet, liveVehicle } from '#test/visits.ts';

let truck: CheckedTruck;
beforeEach(async () => {
  truck = await openCheckedTruck();
  await enforce(truck.services.db, { checkVisitsPerMille: 1000 });
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

/** Of a file, whose sender says that they were there. */
async function send(sender: SignedIn, captor: SignedIn) {
  const { services } = truck;
  const { id, vin, axleGroups } = await liveVehicle(services, REGO);
  const at = services.now();
  return recordCalibrationSet(services, sender, {
    rego: REGO,
    input: honestSet(vin, axleGroups, at),
    photos: [],
    key: undefined,
    form: { id: randomUUID(), sha256: 'a'.repeat(64) },
    capture: { capturedAt: at, vehicleId: id, captor: namingOf(captor), wasThere: true },
  });
}

test('a visit that its own technician captured and somebody else sent checks nothing', async () => {
  const { services, tech, other } = truck;
  await weigh(services, tech, REGO);
  expect(await truck.states()).toEqual(['open']);
  expect(await send(other, tech)).toMatchObject({ state: 'counts' });
  expect(await truck.states()).toEqual(['open']);
  await weigh(services, other, REGO);
  expect(await truck.states()).toEqual(['agrees', 'open']);
});

test('a visit that somebody sent is not checked by who captured it', async () => {
  const { services, tech, other } = truck;
  await send(tech, other);
  await weigh(services, other, REGO);
  expect(await truck.states()).toEqual(['open']);
});

test('a suspended technician’s visit waits, no matter who sends its file', async () => {
  const { services, admin, tech, other } = truck;
  await suspendTechnician(services, admin, {
    email: tech.email,
    from: '2026-06-01',
    reason: 'Asked about.',
    key: undefined,
  });
  expect(await send(other, tech)).toMatchObject({ state: 'waits' });
});
