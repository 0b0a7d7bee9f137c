// The three ways of a load in the form of all axles: no sum is typed, and which weighing is missing is said at its
// field.
import { expect, test } from 'vitest';
import { readSet } from './set-entry.ts';
import { readTyped, VISIT } from '#test/typed-set.ts';
import { comesOut, grossWords, standing } from '#app/readings/weighings-entry.ts';
import { placesOf, weighingsIn, weighingsOfUnit, weighingsText, weighingsWords } from '#app/readings/weighings.ts';

const NOW = new Date('2026-11-21T01:00:00Z');
const AXLES = ['STEER', 'DRIVE', 'TRAILERA'] as const;
const VOLTS = {
  STEER_empty_volt: '0.71',
  STEER_loaded_volt: '1.39',
  DRIVE_empty_volt: '1.00',
  DRIVE_loaded_volt: '3.34',
  TRAILERA_empty_volt: '0.74',
  TRAILERA_loaded_volt: '3.06',
};
const STEPS = {
  empty_way: 'steps',
  STEER_empty_deck: '4,280',
  DRIVE_empty_deck: '9,260',
  TRAILERA_empty_deck: '12,900',
  loaded_way: 'steps',
  STEER_loaded_deck: '5,800',
  DRIVE_loaded_deck: '21,920',
  TRAILERA_loaded_deck: '40200 kg',
};
const read = (more: Record<string, string>) => readTyped({ ...VISIT, ...VOLTS, ...STEPS, ...more }, NOW, [...AXLES]);
const given = (more: Record<string, string>) => {
  const typed: Record<string, string> = { ...STEPS, ...more };
  return { groups: standing(AXLES, { prefix: '', rego: '' }), text: (name: string) => typed[name] ?? '' };
};

test('one after the other: what the deck shows is typed, and the masses are recorded', () => {
  const { input, errors } = read({
    DRIVE_empty_ticket: '48212',
    GROSS_loaded_deck: '40180',
    GROSS_loaded_ticket: '7734',
  });
  expect(errors).toEqual({});
  expect(input?.axles.map(({ readings }) => [readings.empty_weight, readings.loaded_weight])).toEqual([
    ['4280', '5800'],
    ['4980', '16120'],
    ['3640', '18280'],
  ]);
  expect(weighingsIn(input?.weighings ?? '')).toEqual([
    { load: 'empty', deck: ['STEER'], kg: 4280 },
    { load: 'empty', deck: ['STEER', 'DRIVE'], kg: 9260, ticket: '48212' },
    { load: 'empty', deck: ['STEER', 'DRIVE', 'TRAILERA'], kg: 12_900 },
    { load: 'loaded', deck: ['STEER'], kg: 5800 },
    { load: 'loaded', deck: ['STEER', 'DRIVE'], kg: 21_920 },
    { load: 'loaded', deck: ['STEER', 'DRIVE', 'TRAILERA'], kg: 40_200 },
    { load: 'loaded', deck: ['STEER', 'DRIVE', 'TRAILERA'], kg: 40_180, ticket: '7734' },
  ]);
});

test('a day and a weighbridge hold for the weighings after it, of that load', () => {
  const { input } = read({ DRIVE_loaded_on: '2026-11-18', DRIVE_loaded_at: 'Hollow Ridge' });
  const own = weighingsIn(input?.weighings ?? '').filter(({ load }) => load === 'loaded');
  expect(own.map(({ on, at }) => [on, at])).toEqual([
    [undefined, undefined],
    ['2026-11-18', 'Hollow Ridge'],
    ['2026-11-18', 'Hollow Ridge'],
  ]);
  expect(placesOf(input?.weighings ?? '', { visitedOn: '2026-11-20' })).toEqual([
    { referenceId: null, visitedOn: '2026-11-18', at: 'Hollow Ridge' },
  ]);
});

test.each([
  [
    { DRIVE_empty_deck: '' },
    'DRIVE_empty_deck',
    /^Drive still needs a weighing: what the deck shows with Steer \+ Drive/,
  ],
  [{ DRIVE_empty_deck: '' }, 'TRAILERA_empty_deck', /^Trailer A comes out when/],
  [{ DRIVE_loaded_deck: '5,120' }, 'DRIVE_loaded_deck', /weighing before \(5,800\u00a0kg\). Was it Drive alone\?/],
  [{ DRIVE_loaded_deck: 'x' }, 'DRIVE_loaded_deck', /^Enter a number/],
  [{ DRIVE_loaded_deck: '21920.5' }, 'DRIVE_loaded_deck', /whole kilograms/],
  [{ empty_way: 'whole' }, 'GROSS_empty_deck', /with the whole on it/],
  [{ DRIVE_loaded_on: '2026-09-18' }, 'DRIVE_loaded_on', /more than 31 days/],
  [{ DRIVE_loaded_on: '2026-12-18' }, 'DRIVE_loaded_on', /in the future/],
  [{ DRIVE_loaded_deck: '6000', TRAILERA_loaded_deck: '25000' }, 'DRIVE_loaded_deck', /more than the empty weight/],
])('%j is refused at its field', (more: Record<string, string>, field, message) => {
  expect(read(more).errors[field]).toMatch(message);
  expect(read(more).input).toBeUndefined();
});

test('a group that stood on the deck alone is read as it is', () => {
  const { input } = read({ DRIVE_loaded_deck: '16100', DRIVE_loaded_alone: 'yes' });
  expect(input?.axles[1]?.readings.loaded_weight).toBe('16100');
});

test('by themselves nothing is kept, unless one has a ticket, a day or a weighbridge, or the whole is weighed too', () => {
  const each: Record<string, string> = {
    empty_way: 'each',
    loaded_way: '',
    STEER_empty_weight: '4280',
    DRIVE_empty_weight: '4980',
    TRAILERA_empty_weight: '3640',
    STEER_loaded_weight: '5800',
    DRIVE_loaded_weight: '16120',
    TRAILERA_loaded_weight: '18280',
  };
  expect(read(each).input?.weighings).toBe('');
  expect(weighingsIn(read({ ...each, DRIVE_empty_ticket: '7' }).input?.weighings ?? '')).toHaveLength(3);
  const whole = { ...each, loaded_way: 'whole', GROSS_loaded_deck: '40180' };
  expect(weighingsIn(read(whole).input?.weighings ?? '')).toHaveLength(4);
  // The one that was not weighed by itself comes out.
  expect(read({ ...whole, TRAILERA_loaded_weight: '' }).input?.axles[2]?.readings.loaded_weight).toBe('18260');
});

test('a check load in steps has its volts, and of the whole alone no weights', () => {
  const volts = { STEER_check_volt: '1.1', DRIVE_check_volt: '2.5', TRAILERA_check_volt: '2.2' };
  const steps = {
    check_way: 'steps',
    STEER_check_deck: '5100',
    DRIVE_check_deck: '17100',
    TRAILERA_check_deck: '29500',
  };
  expect(read({ ...volts, ...steps }).input?.axles.map(({ extras }) => extras.check_weight)).toEqual([
    '5100',
    '12000',
    '12400',
  ]);
  // Of a left and a right sensor the two outputs say that the group was there.
  const sides = { DRIVE_sensors: 'left-right', DRIVE_check_volt_left: '2.4', DRIVE_check_volt_right: '2.6' };
  expect(read({ ...volts, ...steps, DRIVE_check_volt: '', ...sides }).input?.axles[1]?.extras).toMatchObject({
    check_volt: '2.5',
    check_sides: '2.4 2.6',
    check_weight: '12000',
  });
  const { input } = read({ ...volts, check_way: 'whole', GROSS_check_deck: '29500' });
  expect(input?.axles.map(({ extras }) => [extras.check_volt, extras.check_weight])).toEqual([
    ['1.1', null],
    ['2.5', null],
    ['2.2', null],
  ]);
});

test('more than 20 weighings are refused', () => {
  const axles = ['STEER', 'DRIVE', 'TRAILERA', 'DOLLYA', 'TRAILERB', 'DOLLYB', 'TRAILERC'];
  const typed = Object.fromEntries(
    ['empty', 'loaded', 'check'].flatMap((load) => [
      [`${load}_way`, 'steps'],
      ...axles.map((axle, at) => [`${axle}_${load}_deck`, String((at + 1) * 5000)]),
    ]),
  );
  expect(readTyped({ ...VISIT, ...typed }, NOW, axles).errors['GROSS_empty_deck']).toMatch(/at most 20/);
});

test('what comes out, and from which readings', () => {
  expect(AXLES.map((axle) => comesOut(given({}), axle, 'loaded'))).toEqual([
    '5,800\u00a0kg: as read',
    '16,120\u00a0kg: 21,920 − 5,800',
    '18,280\u00a0kg: 40,200 − 21,920',
  ]);
  expect(comesOut(given({ TRAILERA_loaded_deck: '' }), 'TRAILERA', 'loaded')).toBe('needs the whole');
  expect(grossWords(given({ GROSS_loaded_deck: '40180' }), 'loaded')).toBe(
    'Groups 40,200\u00a0kg: 20\u00a0kg apart, allowed 120\u00a0kg',
  );
  expect(grossWords(given({}), 'loaded')).toBe('');
});

test('weighings are the same text again, and say what they are', () => {
  const text = read({ DRIVE_loaded_at: 'Hollow "Ridge"', DRIVE_empty_ticket: '48212' }).input?.weighings ?? '';
  expect(weighingsText(weighingsIn(text))).toBe(text);
  expect(weighingsWords(text)).toMatch(/^empty: Steer 4,280\u00a0kg, Steer \+ Drive 9,260\u00a0kg \(ticket 48212\), /);
  expect([weighingsIn(null), weighingsIn('')]).toEqual([[], []]);
});

test('a trailer with a unit of its own stands on the same deck, and has the weighings too', () => {
  const unit = {
    u1_confirmed: 'yes',
    u1_vin: '',
    u1_REAR_empty_volt: '0.74',
    u1_REAR_loaded_volt: '3.06',
    u1_REAR_empty_deck: '16600',
    u1_REAR_loaded_deck: '58500',
    u1_REAR_loaded_ticket: '7735',
  };
  const typed = { ...VISIT, ...VOLTS, ...STEPS, ...unit };
  const all = new Map([
    ['axle', [...AXLES]],
    ['unit', ['T12345']],
    ['u1_axle', ['REAR']],
  ]);
  const clock = { zone: 'Australia/Sydney', now: NOW, longestIntervalDays: 366 };
  const { input, errors } = readSet(new Map(Object.entries({ ...typed, unit: 'T12345' })), all, clock);
  expect(errors).toEqual({});
  expect(input?.axles[2]?.readings).toMatchObject({ empty_weight: '3640', loaded_weight: '18280' });
  expect(input?.units?.[0]?.axles[0]?.readings).toMatchObject({ empty_weight: '3700', loaded_weight: '18300' });
  const text = input?.weighings ?? '';
  expect(weighingsIn(text).at(-1)).toEqual({
    load: 'loaded',
    deck: ['STEER', 'DRIVE', 'TRAILERA', 'REAR@T12345'],
    kg: 58_500,
    ticket: '7735',
  });
  expect(weighingsWords(text)).toMatch(/Trailer A \+ Rear of T12345 58,500\u00a0kg \(ticket 7735\)$/);
  const ofUnit = weighingsOfUnit(text, { own: 'XV12DE', unit: 'T12345' });
  expect(weighingsIn(ofUnit).at(-1)?.deck).toEqual(['STEER@XV12DE', 'DRIVE@XV12DE', 'TRAILERA@XV12DE', 'REAR']);
  const gap = { ...typed, u1_REAR_loaded_deck: '', unit: 'T12345' };
  expect(readSet(new Map(Object.entries(gap)), all, clock).errors).toEqual({
    u1_REAR_loaded_deck:
      'Rear of T12345 still needs a weighing: what the deck shows with Steer + Drive + Trailer A + Rear of T12345.',
  });
  expect(readSet(new Map(Object.entries({ ...gap, u1_left_out: 'yes' })), all, clock).errors).toEqual({});
});
