import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSignedIn } from '#test/people.ts';
import { openImportBench, type ImportBench } from '#test/import-run.ts';
import { createTestServicesOver, type TestServices } from '#test/services.ts';
import { recordHonestSet } from '#test/visits.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';

let bench: ImportBench;
let services: TestServices;
const REGO = 'IMP1';
const THEN = Date.UTC(2026, 4, 1, 1);

const entry = (axle: string, attribute: string, value: string, due = '2026-10-30') => ({
  axle_type: axle,
  calibration_attribute: attribute,
  calibration_value: value,
  calibration_due_date: due,
  technician: 'Jo Nguyen',
});
const line = (start: number, axle: string, empty = '4780') => ({
  [start]: entry(axle, 'Empty Volt', '0.92'),
  [start + 1]: entry(axle, 'Empty Weight', empty),
  [start + 2]: entry(axle, 'Loaded Volt', '3.18'),
  [start + 3]: entry(axle, 'Loaded Weight', '15640'),
});
const exported = (calibrations: Record<string, unknown>, due = '2026-10-30') => ({
  Vehicles: {
    [REGO]: {
      rego: REGO,
      vin: '6T9IMP1',
      calibration_validated: true,
      next_calibration_due: due,
      calibrations,
    },
  },
});
const vehicle = async () => {
  const found = await findVehicle(bench.database.db, REGO);
  if (found.state !== 'live') throw new Error('not there');
  return found.vehicle;
};
const visits = () =>
  bench.database.db.selectFrom('visit').select(['state', 'origin', 'dueOn']).orderBy('openedAt').execute();

beforeAll(async () => {
  bench = await openImportBench();
  services = await createTestServicesOver(bench.database, { RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

test('an imported truck keeps its effect as it stood, but for a due date beyond the longest interval', async () => {
  const { lines } = await bench.run(exported(line(THEN, 'DRIVE'), '2036-11-01'));
  expect(await vehicle()).toMatchObject({
    nextCalibrationDueOn: '2027-05-02',
    calibrationValidated: true,
    restsOn: '',
  });
  expect(lines.some((text) => text.includes('2036-11-01 cut to 2027-05-02'))).toBe(true);
  expect(await visits()).toEqual([]);
});

test('once a visit is recorded here, an import changes no date and no tick, and its new entries are judged', async () => {
  const tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
  services.setNow('2026-11-20T01:00:00Z');
  expect(await recordHonestSet(services, tech, REGO)).toMatchObject({ recorded: true, state: 'counts' });
  const due = (await vehicle()).nextCalibrationDueOn;
  expect(due).toBe('2027-05-21');
  const later = Date.UTC(2026, 10, 21, 1);
  await bench.run(exported({ ...line(THEN, 'DRIVE'), ...line(later, 'DRIVE', '4790') }, '2027-11-20'));
  expect(await vehicle()).toMatchObject({ nextCalibrationDueOn: due, calibrationValidated: true, restsOn: 'visit' });
  expect(await visits()).toEqual([
    { state: 'taken-over', origin: 'recorded', dueOn: '2027-05-02' },
    { state: 'counts', origin: 'recorded', dueOn: due },
    // Nobody confirmed the truck.
    { state: 'waits', origin: 'imported', dueOn: '2026-10-30' },
  ]);
  await bench.run(exported({ ...line(THEN, 'DRIVE'), ...line(later, 'DRIVE', '4790') }, '2027-11-20'));
  expect(await visits()).toHaveLength(3);
});
