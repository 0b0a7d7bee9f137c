import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePolicy } from '#app/policy/change-policy.server.ts';
import { enterFirstPolicy } from '#app/policy/enter-version.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { HELD_LEASE } from '#test/held-lease.ts';
import { addSignedIn } from '#test/people.ts';
import { policyInput } from '#test/policy.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { keepHouse } from './housekeeping.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
});
afterAll(() => services.stop());

test('the leader lets a proposed policy take effect after its notice, and not before', async () => {
  services.setNow('2026-11-24T00:00:00Z');
  const admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await enterFirstPolicy(services.db);
  await changePolicy(services, admin, { input: policyInput(FIRST_POLICY, { prompt_days: '14' }), key: undefined });
  for (const [now, promptDays] of [
    ['2026-11-30T23:59:59Z', 7],
    ['2026-12-01T00:00:00Z', 14],
  ] as const) {
    services.setNow(now);
    // Each job runs once at the start; to stop waits for it.
    const stop = await keepHouse(services, HELD_LEASE);
    await stop();
    expect((await currentPolicy(services.db)).promptDays).toBe(promptDays);
  }
});
