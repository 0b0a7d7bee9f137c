import { expect, test } from 'vitest';
import { readNumber } from './entered-number.ts';

test.each([
  ['4,780', '4780'],
  ['4780', '4780'],
  ['15,640.50', '15640.50'],
  ['1,234,567', '1234567'],
  ['0.840', '0.840'],
  [' 3.18 ', '3.18'],
  ['-0.5', '-0.5'],
  ['\u22121,200', '-1200'],
])('%j is %s', (typed, value) => {
  expect(readNumber(typed, '3.18')).toEqual({ ok: true, value });
});

test.each([
  ['3,18', 'Use a point: 3.18'],
  ['0,840', 'Use a point: 0.840'],
  ['4780,5', 'Use a point: 4780.5'],
  ['4.820,5', 'Enter a number such as 3.18.'],
  ['47,80,1', 'Enter a number such as 3.18.'],
  ['4,7800', 'Use a point: 4.7800'],
  ['4,', 'Enter a number such as 3.18.'],
  ['1e3', 'Enter a number such as 3.18.'],
  ['９', 'Enter a number such as 3.18.'],
  ['4780 kg', 'Enter a number such as 3.18.'],
  ['999,999,999,999,999,999', 'Enter a number such as 3.18.'],
  ['', 'Enter a number such as 3.18.'],
])('%j is refused: %s', (typed, message) => {
  expect(readNumber(typed, '3.18')).toEqual({ ok: false, message });
});
