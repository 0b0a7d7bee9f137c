import { expect, test } from 'vitest';
import {
  openedVersion,
  optionalDay,
  optionalLine,
  optionalName,
  optionalText,
  requiredLine,
  requiredName,
} from './text-fields.ts';

const messageOf = (read: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  read.error?.issues[0]?.message;

test.each([optionalLine(20), requiredLine(20, 'Enter it.')])('a line has no breaks and single blanks', (line) => {
  expect(line.parse(' Mi\u0065\u0301\t K.\u2028\r\n\u0007 ')).toBe('Mi\u00e9 K.');
});

test('what nobody sees is dropped', () => {
  expect(optionalLine(20).parse('\u202aM\u200bia\u00ad\ufe0f K\u034f.\u2069')).toBe('Mia K.');
  expect(requiredName(20, 'Enter it.').parse('M\u200bia')).toBe('Mia');
  expect(messageOf(requiredName(20, 'Enter it.').safeParse('\u200b'))).toBe('Enter it.');
});

test.each([...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'])(
  'a name with %j is refused',
  (mark) => {
    for (const name of [optionalName(20), requiredName(20, 'Enter it.')])
      expect(messageOf(name.safeParse(`Mia ${mark}K.`))).toContain('turn the direction');
  },
);

test('several lines stay', () => {
  expect(optionalText(20).parse(' one\r\n\r\n  two\n')).toBe('one\n\n  two');
});

test('what is missing is empty, or said to be missing', () => {
  expect([optionalLine(1).parse(undefined), optionalText(1).parse(undefined)]).toEqual(['', '']);
  const required = requiredLine(9, 'Enter it.');
  expect([undefined, '', ' \n '].map((text) => messageOf(required.safeParse(text)))).toEqual(
    Array.from({ length: 3 }, () => 'Enter it.'),
  );
});

test.each([optionalLine(4000), optionalText(4000), requiredLine(4000, 'Enter it.')])(
  'the longest is taken, a longer one refused with its length',
  (field) => {
    expect(field.parse(` ${'a'.repeat(4000)} `)).toHaveLength(4000);
    expect(messageOf(field.safeParse('a'.repeat(4001)))).toBe('Use at most 4,000 characters.');
  },
);

test('a day is one, or none', () => {
  const day = optionalDay((text) => (text === '2027-05-14' ? undefined : 'Enter a day.'));
  expect([day.parse(' 2027-05-14 '), day.parse(' '), day.parse(undefined)]).toEqual(['2027-05-14', null, null]);
  expect(messageOf(day.safeParse('2027-02-31'))).toBe('Enter a day.');
});

test('a version is a whole number, and that of nothing is 0', () => {
  expect([openedVersion.parse('7'), openedVersion.parse(undefined)]).toEqual([7, 0]);
  expect(['-1', '1.5', 'x'].map((text) => openedVersion.safeParse(text).success)).toEqual([false, false, false]);
});
