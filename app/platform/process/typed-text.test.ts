import { expect, test } from 'vitest';
import { foldName, MARKS, plainText } from './typed-text.ts';

test.each([
  ["O'Brien", "o'brien"],
  ['O’Brien', "o'brien"],
  ['O‘BRIEN ', "o'brien"],
  ['Oʼ\u200bBrien', "o'brien"],
  ['O`Brien', "o'brien"],
  ['Smith–Jones', 'smith-jones'],
  ['Smith\u2011Jones', 'smith-jones'],
  [' Jo\u00a0  Nguyen\n', 'jo nguyen'],
  ['Rene\u0301', 'ren\u00e9'],
])('%j is searched as %s', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

test('other letters stay: only width and what cannot be seen goes', () => {
  expect(plainText('ＸＶ０４ＫＬ\u200b ß ı ① ² ﬀ')).toBe('XV04KL ß ı ① ² ﬀ');
});

test('in SQL a mark has one plain one, and the last ones none', () => {
  expect([...MARKS.marks].length).toBeGreaterThan(MARKS.plain.length);
  expect([...MARKS.marks].every((mark) => mark.length === 1)).toBe(true);
});
