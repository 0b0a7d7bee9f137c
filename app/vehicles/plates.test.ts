import { expect, test } from 'vitest';
import { bearersOn, plateSince, untilWords, type FormerPlate, type PlatePeriod } from './plates.ts';

const former = (more: Partial<FormerPlate>): FormerPlate => ({
  rego: 'XV12DE',
  state: 'NSW',
  sinceOn: null,
  untilOn: '2026-05-03',
  why: 'sold',
  isJoined: false,
  ...more,
});

test('a plate is as old as the end of the one before; where that was typed wrong, as old as that', () => {
  expect(plateSince([])).toBeNull();
  expect(plateSince([former({}), former({ untilOn: '2026-07-01' })])).toBe('2026-07-01');
  expect(plateSince([former({ why: 'typed-wrong', sinceOn: '2026-01-02' })])).toBe('2026-01-02');
  expect(plateSince([former({ why: 'typed-wrong' })])).toBeNull();
});

test('what was typed wrong never was on the truck', () => {
  expect(untilWords(former({}))).toBe('this truck’s plate until 3 May 2026');
  expect(untilWords(former({ why: 'typed-wrong' }))).toBe('written here by mistake until 3 May 2026');
});

const period = (id: string, sinceOn: string | null, untilOn: string | null, state = ''): PlatePeriod => ({
  id,
  rego: id,
  plate: '123ABC',
  state,
  sinceOn,
  untilOn,
});
const on = (periods: PlatePeriod[], day: string) => bearersOn(periods, day).map(({ id }) => id);

test('on the day of the change the new one has it; without a day one has it since the one before', () => {
  const periods = [period('A', null, '2026-03-01'), period('B', '2026-04-01', '2026-05-01'), period('C', null, null)];
  expect(on(periods, '2020-01-01')).toEqual(['A']);
  expect(on(periods, '2026-02-28')).toEqual(['A']);
  expect(on(periods, '2026-03-01')).toEqual([]);
  expect(on(periods, '2026-04-01')).toEqual(['B']);
  expect(on(periods, '2026-05-01')).toEqual(['C']);
});

test('two states give out one text; what is not known may be either', () => {
  expect(on([period('A', null, null, 'NSW'), period('B', null, null, 'QLD')], '2026-01-01')).toEqual(['A', 'B']);
  expect(on([period('A', null, '2026-02-01'), period('B', null, null, 'QLD')], '2026-01-01')).toEqual(['A']);
});
