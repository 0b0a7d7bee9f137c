import { expect, test } from 'vitest';
import { identifierMark, sameNumberMark, textMark } from './spreadsheet-mark.ts';

test.each([
  '1-Mar',
  '01-Mar-26',
  'Mar-26',
  'Sep-24',
  '1/03/2026',
  '2026-03-01',
  '1.00E+05',
  '1.23457E+19',
  '1.23457E+019',
  '1E+05',
  '1,00E+05',
  'TRUE',
  'false',
  '#N/A',
  '#REF!',
  '#NAME?',
  '########',
  'Err:502',
])('%s is asked about wherever it stands', (text) => {
  expect([textMark(text), identifierMark(text)]).toEqual([expect.any(String), expect.any(String)]);
});

test.each(['46082', '61925300000000000', '12345678901234600000', '1,234', '123.0', '46082.0'])(
  '%s is asked about where each digit must be right',
  (text) => {
    expect([textMark(text), identifierMark(text)]).toEqual([undefined, expect.any(String)]);
  },
);

test.each([
  '',
  'XV04KL',
  '6T9HZ8FM2PA100418',
  'SN-1',
  '000123',
  '123',
  'FH16',
  '9-3X',
  'True North',
  'March',
  'E-12',
  '12E5',
  '12-345-678',
])('%j is as somebody typed it', (text) => {
  expect([textMark(text), identifierMark(text)]).toEqual([undefined, undefined]);
});

test.each([
  ['123', '000123', 'The registry has 000123. Leading zeros may be lost.'],
  ['9.3', '9.30', 'The registry has 9.30, the same number to a spreadsheet.'],
  ['100000', '1E5', 'The registry has 1E5, the same number to a spreadsheet.'],
  ['1234', '1,234', 'The registry has 1,234, the same number to a spreadsheet.'],
  ['123', '123', undefined],
  ['123', '124', undefined],
  ['123', '', undefined],
  ['', '000', undefined],
  ['XV', '00XV', undefined],
])('%j where %j stands: %s', (text, stored, mark) => {
  expect(sameNumberMark(text, stored)).toBe(mark);
});
