// What the form of a visit refuses at its fields, and warns of.
import { expect, test } from 'vitest';
import { readSet } from './set-entry.ts';
import { DRIVE, readTyped, STEER, typedSet, VISIT } from '#test/typed-set.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const read = (fields: Record<string, string>, axles?: string[]) => readTyped(fields, NOW, axles);
const input = (more: Record<string, string>, axles?: string[]) => typedSet(more, NOW, axles);
const errorsOf = (more: Record<string, string>, axles?: string[]) =>
  Object.entries(read({ ...VISIT, ...STEER, ...DRIVE, ...more }, axles).errors);

test.each([
  [{ confirmed: '' }, 'confirmed', 'Confirm that this is the truck in front of you.'],
  [{ visit_date: '2026-02-30' }, 'visit_date', 'Enter the day of the visit.'],
  [{ visit_date: '2026-11-23' }, 'visit_date', 'The visit is in the future. Check the date.'],
  [{ visit_time: '24:00' }, 'visit_time', 'Enter the time of the visit, such as 14:05.'],
  [{ due_date: '2026-11-20' }, 'due_date', 'The due date is in the past.'],
  // 366 days after the visit, which was yesterday.
  [{ due_date: '2027-11-22' }, 'due_date', /more than 366 days after the calibration/],
  [{ visit_date: '2026-11-22', due_date: '2026-11-21' }, 'due_date', 'The due date is before the calibration.'],
  [{ weighbridge: 'x'.repeat(201) }, 'weighbridge', 'Use at most 200 characters.'],
  [{ DRIVE_loaded_volt: '0.920' }, 'DRIVE_loaded_volt', /equal the empty volts/],
  [{ DRIVE_loaded_weight: '4820' }, 'DRIVE_loaded_weight', /must be more than the empty weight/],
  [{ DRIVE_loaded_weight: '16.08' }, 'DRIVE_loaded_weight', '16.08 kg looks like tonnes. Weights are in kilograms.'],
  [{ DRIVE_empty_weight: '-1' }, 'DRIVE_empty_weight', 'A weight cannot be below zero.'],
  [{ DRIVE_empty_volt: '0,920' }, 'DRIVE_empty_volt', 'Is it 0.920 V or 920 V? Use a point, or no comma.'],
  [{ DRIVE_empty_weight: '4820,5' }, 'DRIVE_empty_weight', 'Use a point: 4820.5'],
  [{ DRIVE_empty_weight: '4.820,5' }, 'DRIVE_empty_weight', 'Enter a number such as 15640.'],
  [{ DRIVE_empty_volt: '1e1' }, 'DRIVE_empty_volt', 'Enter a number such as 3.18.'],
  [{ DRIVE_empty_volt: '' }, 'DRIVE_empty_volt', 'Enter the empty volt.'],
  [{ DRIVE_check_volt: '2' }, 'DRIVE_check_weight', /Enter the weight of the check load too/],
  [{ DRIVE_check_weight: '9990' }, 'DRIVE_check_volt', /Enter the volts of the check load too/],
])('%j is refused at its field', (more, field, message) => {
  const found = errorsOf(more);
  expect(found.map(([name]) => name)).toEqual([field]);
  expect(found[0]?.[1]).toMatch(message);
});

test('of an axle without any reading only the first asks for them', () => {
  expect(Object.entries(read({ ...VISIT, ...STEER }).errors)).toEqual([
    ['DRIVE_empty_volt', 'Enter the readings of Drive, or untick this axle.'],
  ]);
});

test('without an axle, and of axles that are not ticked, nothing is read', () => {
  expect(errorsOf({}, [])).toEqual([['axle', 'Choose the axles that were read.']]);
  expect(input({ DRIVE_loaded_weight: 'nonsense' }, ['STEER']).axles.map(({ axle }) => axle)).toEqual(['STEER']);
  expect(input({}, ['STEER', 'FIFTH']).axles).toHaveLength(1);
});

test('tomorrow’s date is taken, where it is tomorrow already', () => {
  expect(input({ visit_date: '2026-11-22' }).visitedAt).toEqual(new Date('2026-11-22T03:05:00Z'));
});

test('what looks like a slip is recorded only once each warning was seen', () => {
  const tonnes = { ...VISIT, ...STEER, ...DRIVE, STEER_empty_weight: '3.94', visit_date: '2026-10-21' };
  const first = read(tonnes);
  expect(first.errors).toEqual({});
  expect(Object.keys(first.warnings).toSorted()).toEqual(['STEER_empty_weight', 'visit_date']);
  expect(first.input).toBeUndefined();
  expect(read({ ...tonnes, all_the_same: first.codes }).input?.axles[0]?.readings.empty_weight).toBe('3.94');
  // A further slip was not confirmed.
  expect(read({ ...tonnes, STEER_empty_weight: '3.95', all_the_same: first.codes }).input).toBeUndefined();
  // A visit thirty days ago causes no warning.
  expect(read({ ...tonnes, visit_date: '2026-10-22' }).warnings).not.toHaveProperty('visit_date');
});

test('a trailer’s group can be not behind the truck, steer and drive cannot, and what was read was there', () => {
  const away = { TRAILERB_not_behind: 'yes', TRAILERA_not_behind: 'yes', DRIVE_not_behind: 'yes' };
  expect(input(away, ['STEER']).not_behind).toBe('TRAILERA TRAILERB');
  const trailer = Object.fromEntries(
    Object.entries(DRIVE).map(([name, value]) => [name.replace('DRIVE', 'TRAILERA'), value]),
  );
  expect(input({ ...away, ...trailer, TRAILERA_loaded_weight: '18900' }, ['STEER', 'TRAILERA']).not_behind).toBe(
    'TRAILERB',
  );
  expect(input({}).not_behind).toBe('');
});

test('the time is asked: without one nothing is recorded', () => {
  expect(errorsOf({ visit_time: '' })).toEqual([['visit_time', 'Enter the time of the visit, such as 14:05.']]);
});

test('the time is by the clock that stood beside it, else by that of the place, else by the registry’s', () => {
  const at = (shown: string | undefined, placeZone?: string) => {
    const fields = { ...VISIT, ...STEER, ...(shown === undefined ? {} : { visit_zone: shown }) };
    return readSet(new Map(Object.entries(fields)), new Map([['axle', ['STEER']]]), {
      zone: 'Australia/Sydney',
      placeZone,
      now: NOW,
      longestIntervalDays: 366,
    }).input?.visitedAt.toISOString();
  };
  const [sydney, perth, darwin] = ['03:05', '06:05', '04:35'].map((time) => `2026-11-20T${time}:00.000Z`);
  expect(at(undefined)).toBe(sydney);
  expect(at('Australia/Perth')).toBe(perth);
  expect(at('Australia/Sydney', 'Australia/Perth')).toBe(sydney);
  expect(at('', 'Australia/Darwin')).toBe(darwin);
  expect(at('Pacific/Kiritimati')).toBe(sydney);
});
