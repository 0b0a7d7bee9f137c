import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapInTurns } from './map-in-turns.server.ts';

test('all are mapped, in their order, and others get their turn between', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  let mapped = 0;
  const doubled = mapInTurns(numbers, (number) => {
    mapped += 1;
    return number * 2;
  });
  await setImmediate();
  expect(mapped).toBeLessThan(100);
  expect(await doubled).toEqual(numbers.map((number) => number * 2));
});

test('what fails is told', async () => {
  const fail = () => {
    throw new Error('no');
  };
  await expect(mapInTurns([1], fail)).rejects.toThrow('no');
  expect(await mapInTurns([], fail)).toEqual([]);
});
