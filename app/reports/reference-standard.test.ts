// The report names as its reference standard what the visit was weighed on, and nothing else that was said of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { findCalibration, listCalibrations } from '#app/readings/queries.server.ts';
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { recordHonestSet, type SetChange } from '#test/visits.ts';
import { makeReport } from './make-report.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

async function reported(rego: string, change: SetChange) {
  await addTruck(services, admin, rego);
  await recordHonestSet(services, tech, rego, change);
  const found = await readVehiclePage(services.db, rego, 'whole');
  if (found.state !== 'live') throw new Error(found.state);
  const [newest] = await listCalibrations(services.db, found.records.vehicle.id);
  const reading = await findCalibration(services.db, rego, newest?.id ?? 0);
  if (reading === undefined) throw new Error('nothing was recorded');
  const { calibration } = await makeReport(services, found.records, {
    origin: 'https://registry.example',
    about: reading,
  });
  return new Map(calibration.map(({ label, value }) => [label, value]));
}

test('without a weighbridge and a ticket there is none, whatever else was said', async () => {
  const report = await reported('STD1', { weighbridge: '', ticket_number: '', lift_axle: 'raised' });
  expect(report.get('Reference standard')).toBe('no weighbridge or ticket recorded');
  expect(report.get('At the visit')).toBe('lift axle raised');
});

test('with both it is these two alone', async () => {
  const report = await reported('STD2', { weighbridge: 'Example Creek', ticket_number: '7', lift_axle: 'lowered' });
  expect(report.get('Reference standard')).toBe('weighed at Example Creek · ticket 7');
  expect(report.get('At the visit')).toBe('lift axle lowered');
});
