import { expect, test } from 'vitest';
import { RegoKeys } from './rego-keys.ts';

test('keys that mean one rego are found among many, with the first of them, and no others', () => {
  const keys = new RegoKeys();
  for (let index = 0; index < 30_000; index += 1) keys.add(`R${index}`, `R${index}`);
  for (const [rego, key] of [
    ['0A', '0A'],
    ['00A', '00A'],
    ['A', 'a'],
    ['R7', 'r 7'],
    ['A', 'A'],
    ['A', 'A-'],
    ['ABCDEFGHIJKLMNOPQRST', 'abcdefghijklmnopqrst'],
    ['ABCDEFGHIJKLMNOPQRST', 'ABCDEFGHIJKLMNOPQRST'],
    ['ZZZZZZZZZZ', 'ZZZZZZZZZZ'],
    ['ZZZZZZZZZY', 'ZZZZZZZZZY'],
  ] as const)
    keys.add(rego, key);
  expect(Object.fromEntries(keys.collisions)).toEqual({
    A: ['a', 'A', 'A-'],
    R7: ['R7', 'r 7'],
    ABCDEFGHIJKLMNOPQRST: ['abcdefghijklmnopqrst', 'ABCDEFGHIJKLMNOPQRST'],
  });
});
