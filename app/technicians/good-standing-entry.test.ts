import { expect, test } from 'vitest';
import { licenceSchema, reinstateSchema, suspendSchema } from './good-standing-entry.ts';

const TODAY = '2026-11-21';
const messageOf = (parsed: { success: boolean; error?: { issues: { message: string }[] } | undefined }) =>
  parsed.success ? 'taken' : parsed.error?.issues.map(({ message }) => message).join(' ');

test.each([
  ['2026-10-22', 'taken'],
  ['2026-10-21', 'A suspension begins at most 30 days ago.'],
  [' 2026-11-21 ', 'taken'],
  ['2027-11-22', 'taken'],
  ['2027-11-23', 'This is more than a year away. Check the year.'],
  ['2026-02-30', 'Enter a date such as 14 May 2027.'],
  ['tomorrow', 'Enter a date such as 14 May 2027.'],
  ['', 'Enter the first day.'],
])('a suspension from %j: %s', (from, message) => {
  expect(messageOf(suspendSchema(TODAY).safeParse({ from, reason: 'Why.' }))).toBe(message);
});

test('a suspension needs a reason of at most 500 characters', () => {
  const asked = (reason: string) => messageOf(suspendSchema(TODAY).safeParse({ from: TODAY, reason }));
  expect([asked(' '), asked('x'.repeat(501)), asked(' Why. ')]).toEqual([
    'Enter the reason.',
    'Use at most 500 characters.',
    'taken',
  ]);
});

test.each([
  ['2020-01-01', 'taken'],
  ['2026-12-21', 'taken'],
  ['2026-12-22', 'A suspension is lifted at most 30 days ahead.'],
  ['', 'Enter the first day in good standing.'],
])('lifted from %j: %s', (from, message) => {
  expect(messageOf(reinstateSchema(TODAY).safeParse({ from }))).toBe(message);
});

test('a licence ends on a day, or that is not known', () => {
  expect(licenceSchema.parse({})).toEqual({ ends_on: null });
  expect(licenceSchema.parse({ ends_on: '2027-01-31' })).toEqual({ ends_on: '2027-01-31' });
  expect(messageOf(licenceSchema.safeParse({ ends_on: 'soon' }))).toBe('Enter a date such as 14 May 2027.');
});
