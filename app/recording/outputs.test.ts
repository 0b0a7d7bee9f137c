// Outputs in other units than V, of a left and a right sensor, and groups without one: from the form to the history.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { historyCsv } from '#app/reports/history-csv.ts';
import { readVehiclePage } from '#app/vehicle-page/read-vehicle-page.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { listCalibrations } from '#app/readings/queries.server.ts';
import { meanOf, readMoreChecks } from '#app/readings/grid-outputs.ts';
import { NO_DETAILS } from '#app/vehicles/group-details.ts';
import { apiApp } from '#server/api.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { readTyped, STEER, VISIT } from '#test/typed-set.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { calibrationSchema } from './calibration-entry.ts';
import { correctCalibration } from './correct-calibration.server.ts';
import { recordCalibration } from './record-calibration.server.ts';
import { recordCalibrationSet, type RecordSetAnswer } from './record-calibration-set.server.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const LATER = new Date('2027-03-02T01:00:00Z');
let services: TestServices;
let tech: SignedIn;
let trucks = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.now = () => NOW;
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
});
afterAll(() => services.stop());

async function addTruck(details: string, groups = 'STEER DRIVE'): Promise<string> {
  const rego = `OUT${(trucks += 1)}`;
  const input = vehicleInput({ rego, vin: `VIN${rego}`, axle_groups: groups, group_details: details });
  await registerVehicle(services, tech, { input, choice: NO_FILES, key: undefined });
  return rego;
}

// In 26 kg a kPa: of 216 and 612 kPa 4,980 and 16,120 kg.
const KPA = {
  DRIVE_output: 'kPa',
  DRIVE_sensors: 'left-right',
  DRIVE_empty_volt_left: '214',
  DRIVE_empty_volt_right: '218',
  DRIVE_empty_weight: '4,980',
  DRIVE_loaded_volt_left: '606',
  DRIVE_loaded_volt_right: '618',
  DRIVE_loaded_weight: '16,120',
};
const KPA_AGAIN = { ...KPA, DRIVE_empty_volt_left: '216', DRIVE_empty_volt_right: '219', DRIVE_empty_weight: '5,023' };

function typed(rego: string, more: Record<string, string>, now = NOW) {
  const fields = { ...VISIT, ...STEER, vin: `VIN${rego}`, ...more };
  const read = readTyped(fields, now);
  return { ...read, input: read.input ?? expect.fail(JSON.stringify([read.errors, read.warnings])) };
}
const record = (rego: string, more: Record<string, string>, now = NOW): Promise<RecordSetAnswer> =>
  recordCalibrationSet({ ...services, now: () => now }, tech, {
    rego,
    input: typed(rego, more, now).input,
    photos: [],
    key: undefined,
  });
const AGAIN = {
  visit_date: '2027-03-02',
  due_date: '2027-08-20',
  STEER_empty_weight: '3,951',
  STEER_loaded_weight: '5,893',
};

test('a visit in kPa counts without waiting, on a truck without lines and on one whose lines are in kPa', async () => {
  const rego = await addTruck('');
  expect(await record(rego, KPA)).toMatchObject({ recorded: true, state: 'counts' });
  expect(await record(rego, { ...KPA_AGAIN, ...AGAIN }, LATER)).toMatchObject({ recorded: true, state: 'counts' });
  const found = await findVehicle(services.db, rego);
  const vehicle = found.state === 'live' ? found.vehicle : expect.fail();
  expect(vehicle.groupDetails).toBe('DRIVE left-right kPa');
  const drive = (await listCalibrations(services.db, vehicle.id)).filter(({ axle }) => axle === 'DRIVE').slice(0, 4);
  expect(drive.map(({ attribute, value, unit, sides }) => [attribute, value, unit, sides]).toReversed()).toEqual([
    ['Empty Volt', '217.5', 'kPa', '216 219'],
    ['Empty Weight', '5023', null, null],
    ['Loaded Volt', '612', 'kPa', '606 618'],
    ['Loaded Weight', '16120', null, null],
  ]);
});

test('the page, the API and the files name the unit and both sides', async () => {
  const rego = await addTruck('');
  await record(rego, KPA);
  const asked = { asked: new URLSearchParams('drive=400'), origin: 'https://registry.example', who: null };
  const found = await vehiclePage(services, rego, asked);
  const page = found.state === 'live' ? found.page : expect.fail();
  expect(page.mismatches).toEqual([]);
  expect(page.lines?.shown?.lines.map(({ unit, slope, points }) => [unit, slope, points[0]?.read])).toEqual([
    ['V', '3,129.0', 'Empty 0.84 V'],
    ['kPa', '28.1 kg/kPa', 'Empty 216 kPa (left 214, right 218)'],
  ]);
  expect(page.lines?.calculated.axles[1]).toMatchObject({ label: 'Drive, kPa', answer: '10,156 kg' });
  expect(page.history.visits[0]?.rows[1]?.readings[0]).toMatchObject([
    { value: '216\u00a0kPa (left 214, right 218)', unit: '' },
  ]);
  const readings = await (await apiApp(services).request(`/vehicles/${rego}/calibrations`)).json();
  expect(readings).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ calibration_value: '216', unit: 'kPa', left_and_right: ['214', '218'] }),
    ]),
  });
  const sets = await (await apiApp(services).request(`/vehicles/${rego}/sets`)).json();
  expect(sets).toMatchObject({ items: [{ unit: 'kPa', line: { slope_kg_per_volt: '28.131313' } }, { unit: 'V' }] });
  const whole = await readVehiclePage(services.db, rego, 'whole');
  const lines: string[] = [];
  for await (const line of historyCsv(whole.state === 'live' ? whole.records : expect.fail(), 'UTC')) lines.push(line);
  expect(lines.join('')).toMatch(/Drive,Empty Volt,216,kPa,214 218,/);
});

test('another unit than before is told as a replaced sensor is: the visit waits', async () => {
  const rego = await addTruck('');
  const volts = {
    DRIVE_empty_volt: '0.92',
    DRIVE_empty_weight: '4980',
    DRIVE_loaded_volt: '3.18',
    DRIVE_loaded_weight: '16120',
  };
  expect(await record(rego, volts)).toMatchObject({ state: 'counts' });
  expect(await record(rego, { ...KPA_AGAIN, ...AGAIN }, LATER)).toMatchObject({ state: 'waits' });
  const { checks } = await services.db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .select('checks')
    .where('rego', '=', rego)
    .where('state', '=', 'waits')
    .executeTakeFirstOrThrow();
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'agrees',
      answer: 'cannot be told',
      numbers: expect.objectContaining({ claim: 'other-unit', groups: ['DRIVE'] }),
      sentence: expect.stringContaining('Drive: the output is in another unit than before.'),
    }),
  );
});

test.each([
  ['V', '12.5', 'between 0 and 12 V'],
  ['kPa', '1201', 'between 0 and 1,200 kPa'],
  ['mV/V', '-10.5', 'between -10 and 10 mV/V'],
  ['counts', '16777216', 'between 0 and 16,777,215 counts'],
])('in %s %s is not plausible', (output, value, range) => {
  const { warnings } = readTyped({ ...VISIT, DRIVE_output: output, DRIVE_loaded_volt: value }, NOW, ['DRIVE']);
  expect(warnings['DRIVE_loaded_volt']).toContain(`is not ${range}. Check`);
});

test('left and right far apart look like a slip; one side alone is asked about', () => {
  const { warnings } = readTyped({ ...VISIT, ...KPA, DRIVE_loaded_volt_right: '61.8' }, NOW, ['DRIVE']);
  expect(warnings['DRIVE_loaded_volt_right']).toBe('Left and right are 544.2 kPa apart. Check the decimal point.');
  const { errors } = readTyped({ ...VISIT, ...KPA, DRIVE_loaded_volt_right: '' }, NOW, ['DRIVE']);
  expect(errors).toEqual({ DRIVE_loaded_volt_right: 'Enter the output of this side too.' });
  expect(readTyped({ ...VISIT, DRIVE_output: 'kPa', DRIVE_empty_weight: '4980' }, NOW, ['DRIVE']).errors).toMatchObject(
    {
      DRIVE_empty_volt: 'Enter the empty output, kPa.',
    },
  );
});

test('a group may be weighed without a sensor, and the others count', async () => {
  const rego = await addTruck('STEER no-sensor; DRIVE tandem dual-tyres', 'DRIVE');
  const weights = { STEER_sensors: 'no-sensor', STEER_empty_volt: '', STEER_loaded_volt: '' };
  const volts = {
    DRIVE_empty_volt: '0.92',
    DRIVE_empty_weight: '4980',
    DRIVE_loaded_volt: '3.18',
    DRIVE_loaded_weight: '16121',
  };
  expect(await record(rego, { ...weights, ...volts })).toMatchObject({ recorded: true, state: 'counts' });
  const { id } = await services.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  const steer = (await listCalibrations(services.db, id)).filter(({ axle }) => axle === 'STEER');
  expect(steer.map(({ attribute }) => attribute).toSorted()).toEqual(['Empty Weight', 'Loaded Weight']);
});

test('up to ten check loads a group, each with its error from the line', async () => {
  const details = { ...NO_DETAILS, output: 'kPa', sensors: 'left-right' };
  expect(readMoreChecks('408/414 10,460\n\n 500 kPa 12,950 kg ', details)).toEqual({
    loads: [
      { volt: '411', weight: '10460', sides: '408 414' },
      { volt: '500', weight: '12950' },
    ],
  });
  expect(readMoreChecks('411', details).error).toMatch(/^Line 1: enter the output/);
  expect(readMoreChecks('411 10460\n'.repeat(10), details).error).toBe('At most 10 check loads a group.');
  expect(meanOf('0.15', '0.2')).toBe('0.175');
  const rego = await addTruck('');
  await record(rego, {
    ...KPA,
    DRIVE_check_volt_left: '408',
    DRIVE_check_volt_right: '414',
    DRIVE_check_weight: '10460',
    DRIVE_more_checks: '500 12950',
  });
  const sets = await (await apiApp(services).request(`/vehicles/${rego}/sets`)).json();
  expect(sets).toMatchObject({
    items: [
      {
        check_load: { volts: '411', error_kg: '5.606061' },
        more_check_loads: [{ volts: '500', weight: '12950', error_kg: '19.292929' }],
      },
      {},
    ],
  });
});

test('a single entry is in the unit of its group; a correction may change it', async () => {
  const rego = await addTruck('DRIVE left-right kPa');
  const entry = {
    axle: 'drive',
    attribute: 'Empty Volt',
    value: '214 / 218',
    unit: 'kPa',
    due_date: '2027-05-01',
    confirmed: 'yes',
  };
  const input = calibrationSchema('2026-11-21').parse(entry);
  const zone = services.config.timeZone;
  const answer = await recordCalibration(services.db, tech, { rego, input, now: NOW, zone, key: undefined });
  const id = answer.recorded ? answer.id : expect.fail();
  const { vehicleId, ...stored } = await services.db
    .selectFrom('calibration')
    .selectAll()
    .where('id', '=', id)
    .where('rego', '=', rego)
    .executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ value: '216', unit: 'kPa', sides: '214 218' });
  const right = {
    axle: 'DRIVE',
    attribute: 'Empty Volt',
    value: '2.16',
    unit: 'mV/V',
    due_date: null,
    reason: 'Wrong unit',
  } as const;
  await correctCalibration(services.db, tech, {
    rego,
    id,
    input: right,
    now: new Date(NOW.getTime() + 1000),
    key: undefined,
    zone,
  });
  const [newest] = await listCalibrations(services.db, vehicleId);
  expect(newest).toMatchObject({ value: '2.16', unit: 'mV/V', sides: null, correctsId: id });
});
