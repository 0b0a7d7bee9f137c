import { expect, test } from 'vitest';
import { calibrationSchema } from './calibration-entry.ts';

const TODAY = '2026-11-21';

test.each([
  [{ value: '' }, 'value', 'Enter the value.'],
  [{ value: '3,18' }, 'value', 'Use a point: 3.18'],
  [{ value: '1e3' }, 'value', 'Enter a number such as 15640 or 3.18.'],
  [{ value: '９' }, 'value', 'Enter a number such as 15640 or 3.18.'],
  [{ value: '-1' }, 'value', 'A weight cannot be below zero.'],
  [{ axle: 'fifth' }, 'axle', 'Choose an axle: steer, drive, trailerA, trailerB.'],
  [{ attribute: 'Full Volt' }, 'attribute', 'Choose an attribute.'],
  [{ due_date: '2026-11-20' }, 'due_date', 'The due date is in the past.'],
  [{ due_date: '2027-11-23' }, 'due_date', 'The due date is more than 366 days after the calibration. Check the year.'],
  [{ due_date: '2027-02-30' }, 'due_date', 'Enter a date such as 14 May 2027.'],
])('%j is refused at its field', (given, field, message) => {
  const parsed = calibrationSchema(TODAY).safeParse({
    axle: 'steer',
    attribute: 'Loaded Weight',
    value: '1',
    ...given,
  });
  const [first] = parsed.error?.issues ?? [];
  expect([first?.path[0], first?.message]).toEqual([field, message]);
});
