import { expect, test } from 'vitest';
import { dayRefusal, doneRefusal } from './entered-day.ts';

const RANGE = 'Enter a day from 1900 to 2100. Check the year.';

test.each([
  ['1900-01-01', undefined],
  ['2100-12-31', undefined],
  ['1899-12-31', RANGE],
  ['2101-01-01', RANGE],
  ['0000-02-29', RANGE],
  ['9999-12-31', RANGE],
  ['2027-02-30', 'Enter a date such as 14 May 2027.'],
  ['12027-01-01', 'Enter a date such as 14 May 2027.'],
  ['soon', 'Enter a date such as 14 May 2027.'],
])('%s as a day: %s', (day, refusal) => expect(dayRefusal(day)).toBe(refusal));

test.each([
  ['2000-01-01', undefined],
  ['2026-11-22', undefined],
  ['1999-12-31', 'Enter a day from 2000 on. Check the year.'],
  ['2026-11-23', 'This day is in the future. Check the date.'],
  ['0000-01-01', RANGE],
])('%s as the day on which something was done: %s', (day, refusal) =>
  expect(doneRefusal(day, { today: '2026-11-21' })).toBe(refusal),
);
