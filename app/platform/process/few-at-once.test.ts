import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fewAtOnce } from './few-at-once.server.ts';

test('a few at a time, in their order', async () => {
  const { inTurn, waiting } = fewAtOnce(2);
  let working = 0;
  let most = 0;
  const done: number[] = [];
  const work = async (nth: number) => {
    working += 1;
    most = Math.max(most, working);
    await pause(5);
    working -= 1;
    done.push(nth);
    if (nth === 1) throw new Error('it failed');
  };
  const all = Array.from({ length: 5 }, (_, nth) => inTurn(() => work(nth)));
  expect(waiting()).toBe(3);
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect([most, done]).toEqual([2, [0, 1, 2, 3, 4]]);
  // A failure gives its place back.
  await inTurn(() => work(5));
  expect(done.at(-1)).toBe(5);
});
