// What the leader does again and again is noted with how its last run ended; a failure stands until it succeeds.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repeatWork } from '#app/platform/database/repeat-work.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { listJobs } from './jobs-page.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

const shown = async () =>
  (await listJobs(services.db, 'Australia/Sydney')).map(({ name, every, error }) => [name, every, error]);
/** Runs `work` once under this name. */
async function runOnce(name: string, ms: number, work: () => Promise<unknown>): Promise<void> {
  const { db, log } = services;
  const { run, stop } = repeatWork({ ms, name, lease: HELD_LEASE, log, db }, work);
  run();
  await stop();
}
const fails = () => Promise.reject(new Error('the disk is full'));

test('a job that failed comes first with its error, until it succeeds', async () => {
  await runOnce('counting', 3_600_000, () => Promise.resolve());
  await runOnce('sweeping', 5000, fails);
  expect(await shown()).toEqual([
    ['sweeping', '5 seconds', 'the disk is full'],
    ['counting', '1 hour', null],
  ]);
  await runOnce('sweeping', 5000, () => Promise.resolve());
  expect(await shown()).toEqual([
    ['counting', '1 hour', null],
    ['sweeping', '5 seconds', null],
  ]);
});

test('one that succeeds every few milliseconds is noted once, and its first failure at once', async () => {
  const { db, log } = services;
  let runs = 0;
  const work = () => ((runs += 1) < 6 ? Promise.resolve() : fails());
  const { stop } = repeatWork({ ms: 20, name: 'looking', lease: HELD_LEASE, log, db }, work);
  const before = async () => (await shown()).find(([name]) => name === 'looking')?.[2];
  while ((await before()) !== 'the disk is full') await setTimeout(20);
  await stop();
  expect(runs).toBeGreaterThanOrEqual(6);
});
