// Ways to make an overdue truck look good, or its page say what is not so, by outputs in units, two sensors, weighings,
// tickets of weighings, check loads, group details typed at the visit, and trailers weighed together; and forms with
// wrong, huge and repeated fields, which get a sentence at the field.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordCalibrationSet, type RecordSetAnswer } from '#app/recording/record-calibration-set.server.ts';
import { sentUnits } from '#app/recording/open-units.server.ts';
import { readSet } from '#app/recording/set-entry.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { listSets } from '#app/readings/queries.server.ts';
import { weighingsIn } from '#app/readings/weighings.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { openOverdueTruck, OVERDUE, REGO, TODAY, TRUCK, type OverdueTruck } from '#test/overdue-truck.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { correctVisit, honestReadings, liveVehicle, visitsOf } from '#test/visits.ts';
import type { CheckName } from '#app/policy/policy.ts';
import { checksOf } from './visit-queries.server.ts';

type Fields = Record<string, string | readonly string[]>;

let truck: OverdueTruck;
beforeEach(async () => {
  truck = await openOverdueTruck();
  expect(await truck.read()).toEqual(OVERDUE);
});
afterEach(async () => {
  expect(await truck.close()).toEqual([]);
});

const cells = (axle: 'STEER' | 'DRIVE', prefix = '') =>
  Object.fromEntries(
    Object.entries(honestReadings(axle, 320)).map(([name, value]) => [`${prefix}${axle}_${name}`, String(value)]),
  );

/** The form of a set as it is sent, with every slip confirmed. */
async function formOf(change: Fields) {
  const visit = { confirmed: 'yes', vin: TRUCK.vin, visit_date: TODAY, visit_time: '09:30', due_date: '2027-05-01' };
  const given: Fields = { ...visit, axle: ['STEER', 'DRIVE'], ...cells('STEER'), ...cells('DRIVE'), ...change };
  const all = new Map(Object.entries(given).map(([name, value]) => [name, [value].flat()]));
  const last = new Map([...all].map(([name, values]) => [name, values.at(-1) ?? '']));
  const tolerance = await currentPolicy(truck.services.db);
  const rules = { zone: 'Australia/Sydney', now: truck.services.now(), longestIntervalDays: 366, tolerance };
  return readSet(last.set('all_the_same', readSet(last, all, rules).codes), all, rules);
}
async function send(change: Fields): Promise<RecordSetAnswer> {
  const { input, errors } = await formOf(change);
  if (input === undefined) throw new Error(JSON.stringify(errors));
  return recordCalibrationSet(truck.services, truck.tech, { rego: REGO, input, photos: [], key: undefined });
}
const refusedAt = async (change: Fields) => {
  const { input, errors, values } = await formOf(change);
  expect(input).toBeUndefined();
  // What was typed is there again.
  for (const [name, value] of Object.entries(change)) expect(values[name]).toBe([value].flat().at(-1));
  return errors;
};
async function checkOf(check: CheckName) {
  const [visit] = (await visitsOf(truck.services, REGO)).slice(-1);
  return checksOf(visit?.checks).find((one) => one.check === check);
}
const page = async () =>
  JSON.stringify(
    await vehiclePage(truck.services, REGO, {
      asked: new URLSearchParams(),
      origin: 'https://registry.example',
      who: null,
    }),
  ).replaceAll('\u00a0', ' ');
const addTrailer = (rego: string) =>
  truck.register(rego, { kind: 'trailer', vin: `6T9${rego}`, scale_serial_number: '', axle_groups: 'REAR' });
const TRAILER = {
  u1_confirmed: 'yes',
  u1_vin: '6T9TRL1',
  u1_axle: ['REAR'],
  u1_REAR_empty_volt: '0.86',
  u1_REAR_empty_weight: '4150',
  u1_REAR_loaded_volt: '3.41',
  u1_REAR_loaded_weight: '18700',
};

test('a left and a right output that cannot both be right, with the mean that is wanted: it waits', async () => {
  const sides = { STEER_sensors: 'left-right', STEER_empty_volt_left: '-1000', STEER_empty_volt_right: '1001.68' };
  expect(await send(sides)).toMatchObject({ state: 'waits' });
  expect((await checkOf('plausible'))?.sentence).toBe('Steer: left -1,000, right 1,001.68 can hardly both be right.');
  expect(await truck.read()).toEqual(OVERDUE);
});

test('the same as single readings: it waits', async () => {
  await truck.singles('STEER', { readings: { empty_volt: '-1000/1001.68' } });
  await truck.singles('DRIVE');
  expect(await truck.states()).toEqual(['counts', 'waits']);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('two sensors of a bridge near zero have either sign: it is no slip', async () => {
  const bridge = { STEER_sensors: 'left-right', STEER_output: 'mV/V' };
  const sides = { ...bridge, STEER_empty_volt_left: '-0.02', STEER_empty_volt_right: '0.03' };
  expect((await formOf(sides)).warnings).toEqual({});
});

test('no sensor said of a group, or another unit: it is partial, or waits', async () => {
  expect(await send({ STEER_output: 'furlongs', STEER_sensors: 'no-sensor' })).toMatchObject({ state: 'partial' });
  expect(await send({ STEER_output: 'kPa' })).toMatchObject({ state: 'waits' });
  expect((await checkOf('agrees'))?.sentence).toMatch(/^Steer: the output is in another unit than before\./);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('axles said at the visit, so that a line need agree at a lesser mass only: it waits', async () => {
  const detailed = async (group_details: string, who = truck.tech) => {
    const { version } = await liveVehicle(truck.services, REGO);
    const form = vehicleInput({ rego: REGO, ...TRUCK, group_details, version: String(version) });
    const sent = { rego: REGO, input: form, choice: NO_FILES, key: undefined };
    expect(await updateVehicle(truck.services, who, sent)).toEqual({ updated: true });
  };
  await detailed('');
  // Within 500 kg at 5,080 and at 9,000 kg, 2.2 t off at the load.
  const line = { DRIVE_empty_volt: '1.02', DRIVE_empty_weight: '5080', DRIVE_loaded_volt: '2.72' };
  const off = { ...line, DRIVE_loaded_weight: '15940' };
  for (const said of [{ DRIVE_axles: 'single', DRIVE_tyres: 'dual-tyres' }, { DRIVE_kg: '1000' }])
    expect(await send({ ...off, ...said })).toMatchObject({ state: 'waits' });
  await detailed('STEER single; DRIVE single dual-tyres');
  expect(await send({ ...off, DRIVE_loaded_weight: '15941' })).toMatchObject({ state: 'waits' });
  expect((await checkOf('agrees'))?.sentence).toMatch(/^Drive differs by 2,\d{3}\u00a0kg at 15,941\u00a0kg/);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a ticket of the whole that is tons apart, and confirmed: it waits, and the form says so before', async () => {
  const apart = { loaded_way: 'whole', GROSS_loaded_deck: '39000' };
  expect(Object.keys((await formOf(apart)).warnings)).toEqual(['GROSS_loaded_deck']);
  expect(await send(apart)).toMatchObject({ state: 'waits' });
  expect((await checkOf('plausible'))?.sentence).toMatch(/^Loaded: the groups give 22,160\u00a0kg, the ticket of the/);
  expect(await truck.read()).toEqual(OVERDUE);
});

test('a weight that is corrected after its gross check passed: it is held against the ticket again', async () => {
  const decks = { loaded_way: 'steps', STEER_loaded_deck: '6200', DRIVE_loaded_deck: '22160' };
  for (const [sent, change] of [
    [{ loaded_way: 'whole', GROSS_loaded_deck: '22160' }, { DRIVE_empty_weight: '5101' }],
    [{ ...decks, GROSS_loaded_deck: '22160' }, {}],
  ] as const) {
    expect(await send({ ...sent, ...change })).toMatchObject({ state: 'counts' });
    expect(await checkOf('gross')).toMatchObject({ answer: 'passed' });
    const [visit] = (await visitsOf(truck.services, REGO)).slice(-1);
    const place = { axle: 'DRIVE', attribute: 'Loaded Weight' } as const;
    await correctVisit(truck.services, truck.tech, REGO, visit?.id ?? '', { value: '15560' }, place);
    expect(await checkOf('gross')).toMatchObject({
      answer: 'failed',
      sentence: expect.stringContaining('400\u00a0kg apart'),
    });
  }
});

test('a correction of two sensors is in the log', async () => {
  const sides = { STEER_sensors: 'left-right', STEER_empty_volt_left: '0.83', STEER_empty_volt_right: '0.85' };
  expect(await send(sides)).toMatchObject({ state: 'counts' });
  const [visit] = (await visitsOf(truck.services, REGO)).slice(-1);
  const place = { axle: 'STEER', attribute: 'Empty Volt' } as const;
  await correctVisit(truck.services, truck.tech, REGO, visit?.id ?? '', { value: '-1000/1001.68' }, place);
  expect(await truck.states()).toEqual(['counts', 'waits']);
});

test('weighed a month before the visit by its own words: it waits as a late one does; groups of several days count', async () => {
  const on = (empty: string, loaded: string) => ({ STEER_empty_on: empty, STEER_loaded_on: loaded });
  expect(await send(on('2026-10-22', '2026-10-25'))).toMatchObject({ state: 'waits' });
  expect((await checkOf('prompt'))?.sentence).toBe('Recorded 27 days after its last weighing (limit 7 days).');
  expect(await truck.read()).toEqual(OVERDUE);
  expect(await refusedAt(on('2026-10-20', ''))).toEqual({ STEER_empty_on: expect.stringContaining('31 days') });
  const several = { ...on('2026-11-01', '2026-11-05'), DRIVE_loaded_on: '2026-11-18', DRIVE_empty_weight: '5101' };
  expect(await send(several)).toMatchObject({ state: 'counts' });
});

test('a ticket of a weighing with what nobody can see in it is the same ticket', async () => {
  const at = { STEER_loaded_at: 'Example\n Creek\u202e' };
  await send({ ...at, STEER_loaded_ticket: '48211' });
  const [set] = await listSets(truck.services.db, (await liveVehicle(truck.services, REGO)).id);
  expect(weighingsIn(set?.weighings ?? '')[0]).toMatchObject({ at: 'Example Creek', ticket: '48211' });
  truck.services.setNow('2026-11-22T01:00:00Z');
  await send({ ...at, visit_date: '2026-11-22', STEER_loaded_ticket: ' 48\u200b211\u0000' });
  expect(await checkOf('ticket')).toMatchObject({ answer: 'failed' });
});

test('the error of the whole is that of what stood on the deck, whatever other check loads are typed', async () => {
  // 5,380 and 12,691 kg shown; the other load is what its ticket would say.
  await send({
    GROSS_check_deck: '22000',
    STEER_check_volt: '1.20',
    DRIVE_check_volt: '2.50',
    STEER_more_checks: '1.46 6200',
    DRIVE_more_checks: '3.17 15900',
  });
  expect(await page()).toMatch(/The whole: At 22,000 kg it showed 18,0\d\d kg: 3,9\d\d kg less.* Does not conform/);
});

test('the error of a truck is not told against a ticket with its trailer on the deck', async () => {
  await addTrailer('TRL1');
  const steps = { check_way: 'steps', STEER_check_volt: '1.20', DRIVE_check_volt: '2.50' };
  const decks = { STEER_check_deck: '5380', DRIVE_check_deck: '18070', u1_REAR_check_deck: '30000' };
  const answer = await send({ unit: ['TRL1'], ...TRAILER, ...steps, ...decks, u1_REAR_check_volt: '2.2' });
  expect(answer).toMatchObject({ recorded: true });
  expect(await page()).toContain('The whole: At 18,070 kg it showed 18,079 kg');
});

test('a trailer that is named, and is none: a sentence at the field, or nothing is recorded', async () => {
  expect(await refusedAt({ unit: 'tested by NSW <b>' })).toHaveProperty('add_unit');
  expect(await refusedAt({ unit: 'X'.repeat(5000) })).toHaveProperty('add_unit');
  for (const unit of ['VALIDNSW', REGO])
    expect(await send({ unit })).toEqual({ recorded: false, reason: 'trailer', rego: unit });
  await addTrailer('TRL1');
  const twice = { unit: ['TRL1', 'TRL1'], ...TRAILER };
  expect((await formOf(twice)).errors).toEqual({ add_unit: 'TRL1 is there twice. Leave one of them out.' });
  expect(await truck.states()).toEqual(['counts']);
});

test('a trailer that is gone keeps its place in the form: no other gets what was typed for it', async () => {
  await addTrailer('TRL1');
  const moment = { now: truck.services.now(), zone: 'Australia/Sydney' };
  const opened = await sentUnits(truck.services.db, ['GONE1', 'TRL1', '<b>'], moment);
  expect(opened.map(({ rego, vin }) => [rego, vin])).toEqual([
    ['GONE1', ''],
    ['TRL1', '6T9TRL1'],
  ]);
});

test('groups of another vehicle, or too many, are refused at the field; one that is sent twice is one', async () => {
  const rear = { REAR_empty_volt: '0.86', REAR_empty_weight: '4150', REAR_loaded_volt: '3.41' };
  const axle = ['STEER', 'DRIVE', 'REAR'];
  expect(await refusedAt({ axle, ...rear, REAR_loaded_weight: '18700' })).toEqual({
    axle: 'Front and Rear are groups of a trailer. Record them on its own record.',
  });
  const many = [
    'STEER',
    'DRIVE',
    ...['A', 'B', 'C', 'D'].map((name) => `TRAILER${name}`),
    'DOLLYA',
    'DOLLYB',
    'DOLLYC',
  ];
  expect((await formOf({ axle: many })).errors['axle']).toBe('A visit has at most 8 axle groups.');
  expect((await formOf({ axle: ['STEER', 'STEER', 'nonsense', 'DRIVE'] })).input?.axles).toHaveLength(2);
});

test('wrong and huge numbers get a sentence at the field, or wait; nothing of them breaks the page', async () => {
  const errors = await refusedAt({
    loaded_way: 'steps',
    STEER_loaded_deck: '999999999999999',
    DRIVE_loaded_deck: '1e400',
    GROSS_check_deck: '-5',
    STEER_empty_on: 'yesterday',
    STEER_empty_at: 'x'.repeat(201),
    STEER_empty_ticket: 'x'.repeat(61),
    DRIVE_more_checks: 'x '.repeat(20_000),
    DRIVE_kg: '1e9',
    seals_reason: 'toString',
  });
  const wrong = 'DRIVE_kg DRIVE_loaded_deck DRIVE_more_checks GROSS_check_deck STEER_empty_at STEER_empty_on';
  expect(Object.keys(errors).toSorted().join(' ')).toBe(`${wrong} STEER_empty_ticket seals_reason`);
  const most = '999999999999999.123456789012345';
  const huge = { STEER_loaded_weight: most, STEER_loaded_ticket: 'x', DRIVE_check_volt: most, DRIVE_check_weight: '0' };
  const more = { DRIVE_more_checks: Array(9).fill(`${most}/1 999999999999999`).join('\n') };
  expect(await send({ ...huge, ...more })).toMatchObject({ state: 'waits' });
  expect(await page()).toContain('"verdict":"overdue"');
});
