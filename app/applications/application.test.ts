import { expect, test } from 'vitest';
import { isAbnValid } from './abn.ts';
import { applicationSchema } from './application.ts';

test.each([
  ['51 824 753 556', true],
  ['51824753556', true],
  ['５１８２４７５３５５６', true],
  ['51 824 753 565', false],
  ['10 000 000 000', false],
  ['00 000 000 000', false],
  ['5182475355', false],
  ['518247535560', false],
  ['51-824-753-556', false],
  ['51 824 753 55x', false],
  ['', false],
])('the ABN %s: %s', (abn, valid) => {
  expect(isAbnValid(abn)).toBe(valid);
});

test('one changed digit, or two that changed places, never pass', () => {
  const abn = '51824753556';
  for (let place = 0; place < 11; place += 1) {
    for (let digit = 0; digit <= 9; digit += 1) {
      const changed = abn.slice(0, place) + String(digit) + abn.slice(place + 1);
      expect([changed, isAbnValid(changed)]).toEqual([changed, changed === abn]);
    }
    const swapped = abn.slice(0, place) + (abn[place + 1] ?? '') + (abn[place] ?? '') + abn.slice(place + 2);
    if (place < 10 && swapped !== abn) expect([swapped, isAbnValid(swapped)]).toEqual([swapped, false]);
  }
});

test('the four fields of the specification are required, the others not; the ABN is kept as typed', () => {
  const read = applicationSchema.safeParse({ email: ' Office@Northside.example ', abn: ' 51 824 753 565 ' });
  expect(read.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['company_name', 'Enter the company name.'],
    ['trade_licence_num', 'Enter the trade licence number.'],
  ]);
  expect(
    applicationSchema.parse({ email: 'A@b.example', abn: '51 824 753 565', company_name: 'N', trade_licence_num: 'S' }),
  ).toMatchObject({ email: 'a@b.example', abn: '51 824 753 565', address: '', rep_name: '', rep_contact: '' });
});
