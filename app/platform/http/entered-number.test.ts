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
  ['９．５', '9.5'],
  ['４，７８０', '4780'],
  ['٣٫١٨', '3.18'],
  ['4 780', '4780'],
  ['15\u202f640.50', '15640.50'],
  ['1 234 567', '1234567'],
  ['\u200b4780\u200b', '4780'],
  ['3 .18', '3.18'],
  ['- 0.5', '-0.5'],
  ['－０．５', '-0.5'],
  ['4780 kg', '4780'],
])('%j is %s', (typed, value) => {
  expect(readNumber(typed, '3.18')).toEqual({ ok: true, value });
});

test.each([
  ['3,18', 'V', '3.18'],
  ['3,1', 'V', '3.1'],
  ['-0,5', 'V', '-0.5'],
  ['3,18 V', 'V', '3.18'],
  ['３，１８', 'V', '3.18'],
  ['3.18V', 'V', '3.18'],
  ['3.18 volts', 'V', '3.18'],
  ['1,234.5', 'V', '1234.5'],
  ['4,780', 'kg', '4780'],
  ['4,780kg', 'kg', '4780'],
  ['4 780 KG.', 'kg', '4780'],
  ['4780 kilograms', 'kg', '4780'],
  ['4780㎏', 'kg', '4780'],
  ['-33.8688°', '°', '-33.8688'],
  ['3 %', '%', '3'],
  ['182 days', 'days', '182'],
] as const)('%j in a field of %s is %s', (typed, unit, value) => {
  expect(readNumber(typed, '3.18', unit)).toEqual({ ok: true, value });
});

test.each([
  ['3,180', 'V', 'Is it 3.180 V or 3180 V? Use a point, or no comma.'],
  ['0,840', 'V', 'Is it 0.840 V or 840 V? Use a point, or no comma.'],
  ['3,1805', 'V', 'Use a point: 3.1805'],
  ['3,18', 'kg', 'Use a point: 3.18'],
  ['4780,5 kg', 'kg', 'Use a point: 4780.5'],
  ['4.78 t', 'kg', 'Enter a number such as 3.18.'],
  ['3180 mV', 'V', 'Enter a number such as 3.18.'],
  ['3.18 kg', 'V', 'Enter a number such as 3.18.'],
  ['kg', 'kg', 'Enter a number such as 3.18.'],
  ['4 78', 'kg', 'Enter a number such as 3.18.'],
  ['3.18²', 'V', 'Enter a number such as 3.18.'],
  ['1,234 567', 'kg', 'Enter a number such as 3.18.'],
] as const)('%j in a field of %s is refused: %s', (typed, unit, message) => {
  expect(readNumber(typed, '3.18', unit)).toEqual({ ok: false, message });
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
  ['①', 'Enter a number such as 3.18.'],
  ['4780 t', 'Enter a number such as 3.18.'],
  ['999,999,999,999,999,999', 'Enter a number such as 3.18.'],
  ['', 'Enter a number such as 3.18.'],
])('%j is refused: %s', (typed, message) => {
  expect(readNumber(typed, '3.18')).toEqual({ ok: false, message });
});
