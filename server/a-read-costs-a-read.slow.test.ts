// What is read of one truck does not grow with the registry: neither its page nor an answer of the API goes through
// records of other trucks. Ratios of long and short histories do not show that.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { rowsRead } from '#test/rows-read.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { recordHonestSet } from '#test/visits.ts';
import { apiApp } from './api.ts';

const REGO = 'ONE1';
const OTHERS = 25;
let services: TestServices;
let tech: SignedIn;

async function addVisited(rego: string): Promise<void> {
  const truck = { rego, vin: `VIN OF ${rego}`.replaceAll(' ', ''), axle_groups: 'STEER DRIVE TRAILERA TRAILERB' };
  await registerVehicle(services, tech, { input: vehicleInput(truck), choice: NO_FILES, key: undefined });
  await recordHonestSet(services, tech, rego);
}

const api = (path: string) => async (db: Db) => {
  const answer = await apiApp({ ...services, db }).request(`http://registry.example${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
};
const page = (who: () => SignedIn | null) => async (db: Db) => {
  const { state } = await vehiclePage({ ...services, db }, REGO, {
    asked: new URLSearchParams(),
    origin: 'http://registry.example',
    who: who(),
  });
  expect(state).toBe('live');
};
const READS: Record<string, (db: Db) => Promise<void>> = {
  'its page': page(() => null),
  'its page, for its technician': page(() => tech),
  'the API, the truck': api(`/vehicles/${REGO}`),
  'the API, its readings': api(`/vehicles/${REGO}/calibrations`),
  'the API, its sets': api(`/vehicles/${REGO}/sets`),
};

const alone = new Map<string, number>();
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  // Migrations end with the statistics of empty tables, for which any plan will do. Without them PostgreSQL plans for
  // more.
  await sql`select pg_clear_relation_stats(schemaname, relname) from pg_stat_user_tables`.execute(services.db);
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  await addVisited(REGO);
  for (const [name, read] of Object.entries(READS)) alone.set(name, await rowsRead(services.db, read));
  for (let nth = 0; nth < OTHERS; nth += 1) await addVisited(`MORE${nth}`);
});
afterAll(() => services.stop());

test.each(Object.entries(READS))('%s', async (name, read) => {
  const before = alone.get(name) ?? 0;
  expect(before).toBeGreaterThan(16);
  // Each other truck has sixteen readings, their entries and a visit.
  expect(await rowsRead(services.db, read)).toBeLessThan(before + 2 * OTHERS);
});
