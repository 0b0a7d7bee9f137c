import { expect, test } from 'vitest';
import { calibrationSchema } from './calibration-entry.ts';

const TODAY = '2026-11-21';

test.each([
  [{ value: '' }, 'value', 'Enter the value.'],
  [{ value: '3,18' }, 'value', 'Use a point: 3.18'],
  [{ value: '1e3' }, 'value', 'Enter a number such as 15640 or 3.18.'],
  [{ value: '①' }, 'value', 'Enter a number such as 15640 or 3.18.'],
  [{ value: '4.78 t' }, 'value', 'Enter a number such as 15640 or 3.18.'],
  [{ attribute: 'Loaded Volt', value: '3,180' }, 'value', 'Is it 3.180 V or 3180 V? Use a point, or no comma.'],
  [{ attribute: undefined, value: '3,18' }, 'attribute', 'Choose an attribute.'],
  [{ value: '-1' }, 'value', 'A weight cannot be below zero.'],
  [
    { axle: 'fifth' },
    'axle',
    'Choose an axle: steer, drive, trailerA, dollyA, trailerB, dollyB, trailerC, dollyC, trailerD, front, rear.',
  ],
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

test.each([
  ['Loaded Volt', '3,18', '3.18'],
  ['Loaded Volt', '-0,5 V', '-0.5'],
  ['Loaded Weight', '４，７８０ kg', '4780'],
])('of %s %j is recorded as %s', (attribute, value, recorded) => {
  expect(calibrationSchema(TODAY).parse({ axle: 'steer', attribute, value }).value).toBe(recorded);
});

test('a wrong value is said beside what else is wrong', () => {
  const issues = calibrationSchema(TODAY).safeParse({ value: '15,64' }).error?.issues ?? [];
  expect(issues.map(({ path }) => path[0]).toSorted()).toEqual(['attribute', 'axle', 'value']);
});
