import { expect, test } from 'vitest';
import { listedUpTo, MONTH_LEVEL, nightLevel } from './correction.ts';

const nightsOf = (month: string, nights: number): string[] =>
  Array.from({ length: nights }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);

test('the levels of the nights of a month sum to five percent, and the last night has half', () => {
  for (const nights of [
    nightsOf('2026-02', 28),
    nightsOf('2028-02', 29),
    nightsOf('2026-11', 30),
    nightsOf('2026-12', 31),
  ]) {
    expect(nights.reduce((sum, night) => sum + nightLevel(night), 0)).toBeCloseTo(MONTH_LEVEL, 12);
    expect(nightLevel(nights.at(-1) ?? '')).toBe(MONTH_LEVEL / 2);
  }
});

test('Benjamini and Hochberg’s own example lists four of fifteen', () => {
  // J. R. Stat. Soc. B 57 (1995), section 3.2: fifteen tests of a study of heart attacks, at 5 %.
  const chances = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  expect(listedUpTo(chances, 0.05)).toBe(0.0095);
  expect(listedUpTo(chances.toReversed(), 0.05)).toBe(0.0095);
});

test('nothing tested, or nothing unlikely: nothing is listed', () => {
  expect(listedUpTo([], 0.05)).toBe(0);
  expect(listedUpTo([0.2, 0.6], 0.05)).toBe(0);
});
