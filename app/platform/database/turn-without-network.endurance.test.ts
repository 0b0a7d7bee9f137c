// The turn of a node that closes nothing: its network is gone.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, socketOf, type TestDatabase } from '#test/database.ts';
import { startRelay, type Relay } from '#test/relay.ts';
import { createLogger } from '#app/platform/process/logger.server.ts';
import { oneAtATime, type Job, type Turn } from './one-at-a-time.server.ts';

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

test('a node cut off without a word has given its turn up before another has it, within 10 s', async () => {
  const turns = new Map<string, Turn>();
  const jobOf =
    (node: string): Job =>
    async (turn) => {
      turns.set(node, turn);
      return async () => void turns.delete(node);
    };
  const far = { ...database.address, host: '127.0.0.1', port: relay.port };
  const stops = [oneAtATime({ address: far, log }, [jobOf('far')])];
  await vi.waitUntil(() => turns.has('far'), { timeout: 10_000 });
  const far1 = turns.get('far');
  stops.push(
    oneAtATime({ address: database.address, log }, [
      async (turn) => {
        expect(far1?.isOver()).toBe(true);
        return jobOf('near')(turn);
      },
    ]),
  );
  // It is held as long as it is said to be alive.
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect([...turns.keys()]).toEqual(['far']);
  relay.freeze();
  const began = performance.now();
  await vi.waitUntil(() => turns.has('near'), { timeout: 10_000, interval: 20 });
  process.stdout.write(`taken over after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  expect([...turns.keys()]).toEqual(['near']);
  await Promise.all(stops.map((stop) => stop()));
}, 60_000);
