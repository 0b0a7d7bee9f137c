import { expect, test } from 'vitest';
import { isDrawn } from './draw-check-visit.server.ts';

test('of the thousand numbers that may come, as many draw as the share says', () => {
  const drawnOf = (perMille: number) =>
    Array.from({ length: 1000 }, (_, number) => isDrawn(perMille, () => number)).filter(Boolean).length;
  expect([0, 1, 25, 999, 1000].map(drawnOf)).toEqual([0, 1, 25, 999, 1000]);
});

test('without a share nothing is drawn, and no number is asked for', () => {
  const random = (): number => {
    throw new Error('asked for a number');
  };
  expect(isDrawn(0, random)).toBe(false);
});

test('by the source of the keys, the share of many visits is near', () => {
  const drawn = Array.from({ length: 20_000 }, () => isDrawn(100)).filter(Boolean).length;
  // Seven standard deviations of 42.
  expect(Math.abs(drawn - 2000)).toBeLessThan(300);
});
