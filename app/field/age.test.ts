import { expect, test } from 'vitest';
import { durationWords } from '#app/platform/time/duration.ts';
import { asAtWords } from './age.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('an age has one unit, or a day and its hours', () => {
  const words = [0, 59 * MINUTE, HOUR, 23 * HOUR, 24 * HOUR, 28 * HOUR, 80 * HOUR].map(durationWords);
  expect(words).toEqual(['0 minutes', '59 minutes', '1 hour', '23 hours', '1 day', '1 day 4 hours', '3 days']);
});

test('a clock that was set back makes nothing younger than new', () => {
  expect(durationWords(-HOUR)).toBe('0 minutes');
});

test('the time of today stands alone, that of another day with its day', () => {
  const now = new Date('2026-11-24T00:00:00Z');
  expect(asAtWords(new Date('2026-11-23T20:40:00Z'), now, 'Australia/Sydney')).toBe('as at 7:40 am');
  expect(asAtWords(new Date('2026-11-22T18:40:00Z'), now, 'Australia/Sydney')).toBe('as at 23 November, 5:40 am');
});
