// The lease of a node whose network is gone, so that it closes no connection.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, socketOf, type TestDatabase } from '#test/database.ts';
import { startRelay, type Relay } from '#test/relay.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { electLeader, type Job, type Lease } from './leader-election.server.ts';

const log = createLogger({ logLevel: 'silent' });
let database: TestDatabase;
let relay: Relay;
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await startRelay([socketOf(database.address)]);
});
afterAll(async () => {
  await relay.stop();
  await database.drop();
});

test('a node cut off without a word has given its lease up before another has it, within 10 s', async () => {
  const leases = new Map<string, Lease>();
  const jobOf =
    (node: string): Job =>
    async (lease) => {
      leases.set(node, lease);
      return async () => void leases.delete(node);
    };
  const far = { ...database.address, host: '127.0.0.1', port: relay.port };
  const stops = [electLeader({ address: far, log }, [jobOf('far')])];
  await vi.waitUntil(() => leases.has('far'), { timeout: 10_000 });
  const far1 = leases.get('far');
  stops.push(
    electLeader({ address: database.address, log }, [
      async (lease) => {
        expect(far1?.isLost()).toBe(true);
        return jobOf('near')(lease);
      },
    ]),
  );
  // The lease is held while heartbeats arrive, for longer than a silent session would live.
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect([...leases.keys()]).toEqual(['far']);
  relay.freeze();
  const began = performance.now();
  await vi.waitUntil(() => leases.has('near'), { timeout: 10_000, interval: 20 });
  process.stdout.write(`taken over after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  expect([...leases.keys()]).toEqual(['near']);
  await Promise.all(stops.map((stop) => stop()));
}, 60_000);
