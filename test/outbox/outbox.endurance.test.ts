// Sixty random runs of two phones against a running registry, and two faults that are planted to be found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exploreOutbox, openOutboxGround, type OutboxGround } from './explore.ts';

let ground: OutboxGround;
beforeAll(async () => {
  ground = await openOutboxGround();
}, 120_000);
afterAll(() => ground.stop());

const seed = () => Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test(
  'in sixty runs no visit is lost or doubled, and each comes to an end that is shown',
  { timeout: 300_000 },
  async () => {
    const found = await exploreOutbox(ground, { seed: seed(), runs: 60 });
    expect(found.report).toBeUndefined();
  },
);

test('a phone that makes a new id with each try is found', { timeout: 300_000 }, async () => {
  const found = await exploreOutbox(ground, { seed: seed(), runs: 60, planted: 'a new id with each try' });
  expect(found.report).toContain('recorded');
});

test('a phone that forgets a visit whose answer was lost is found', { timeout: 300_000 }, async () => {
  const found = await exploreOutbox(ground, { seed: seed(), runs: 200, planted: 'gone when no answer came' });
  expect(found.report).toContain('is gone from the phone');
});
