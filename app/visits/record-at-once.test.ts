// Two visits with the same readings, of two trucks at one moment or in each other's time: the one that closes last is
// the copy.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { differencesFromLog } from '#test/leaves.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck } from '#test/withdrawals.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { honestReadings, recordHonestSet, recordSingles, visitsOf } from '#test/visits.ts';

const NOW = '2026-05-10T01:00:00.000Z';
let services: TestServices;
let tech: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow(NOW);
  const admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  for (const rego of ['ATONCE1', 'ATONCE2', 'ATONCE3', 'ATONCE4']) await addTruck(services, admin, rego);
});
afterAll(() => services.stop());

const statesOf = async (...regos: string[]) =>
  (await Promise.all(regos.map((rego) => visitsOf(services, rego)))).flat().map(({ state }) => state);

/** Until so many transactions wait for a lock. */
async function waiting(many: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_locks l
      join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`.execute(services.db);
    if (Number(rows[0]?.n) >= many) return;
    await setTimeout(10);
  }
}

test('two visits at once with the same readings do not both count, though the second was begun before', async () => {
  const recorded = await services.db.transaction().execute(async (tx) => {
    // Nothing is committed while the state of the log is locked.
    await sql`select from activity_state for update`.execute(tx);
    services.setNow('2026-05-10T01:00:05.000Z');
    const first = recordHonestSet(services, tech, 'ATONCE1', { nudge: 40 });
    await waiting(1);
    services.setNow(NOW);
    const second = recordHonestSet(services, tech, 'ATONCE2', { nudge: 40 });
    await waiting(2);
    return [first, second];
  });
  await Promise.all(recorded);
  expect(await statesOf('ATONCE1', 'ATONCE2')).toEqual(['counts', 'waits']);
});

test('a visit that was opened before another, and then takes its readings, is the copy', async () => {
  await recordSingles(services, tech, 'ATONCE3', 'STEER', { nudge: 80 });
  await recordHonestSet(services, tech, 'ATONCE4', { nudge: 80 });
  await recordSingles(services, tech, 'ATONCE3', 'DRIVE', { readings: honestReadings('DRIVE', 80) });
  expect(await statesOf('ATONCE4', 'ATONCE3')).toEqual(['counts', 'waits']);
});

test('nothing that was done here differs from the log', async () => {
  expect(await differencesFromLog(services.db)).toEqual([]);
});
