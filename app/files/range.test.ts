import { expect, test } from 'vitest';
import { parseRange } from './range.ts';

const E = '"e"';
test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=990-', { start: 990, end: 999 }],
  ['bytes=-10', { start: 990, end: 999 }],
  ['bytes=0-5000', { start: 0, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=1-2', undefined],
  ['bytes=-', undefined],
] as const)('%s of 1000 bytes', (header, expected) => {
  expect(parseRange(header, E, { etag: E, size: 1000 })).toEqual(expected);
});
test('a range of a changed file is answered with all of it', () => {
  expect(parseRange('bytes=0-99', '"old"', { etag: E, size: 1000 })).toBeUndefined();
});
