// Recording a visit finds what it needs by the indexes in a registry of 10,000 trucks too, where PostgreSQL would
// rather read a whole table than look up a hundred of its rows.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { openDatabase, type Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { honestReadings, READING_PLACES } from '#test/visits.ts';
import { calibrationSchema } from './calibration-entry.ts';
import { READING_FIELD } from '#app/readings/calibration.ts';
import { readEntryRules } from './entry-rules.server.ts';
import { recordCalibration } from './record-calibration.server.ts';

const MANY = 10_000;
const REGOS = ['ONE1', 'TWO2', 'THREE3'];
const ZONE = 'Australia/Sydney';
let services: TestServices;
let tech: SignedIn;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const axles = 'STEER DRIVE TRAILERA TRAILERB';
  for (const rego of REGOS)
    await registerVehicle(services, tech, {
      input: vehicleInput({ rego, axle_groups: axles }),
      choice: NO_FILES,
      key: undefined,
    });
  await services.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into vehicle (rego, vin, scale_serial_number)
      select 'MANY' || n, 'VIN' || n, 'S' || n from generate_series(1, ${MANY}) n`.execute(tx);
    await sql`insert into visit (vehicle_id, visited_at, visited_on, closed_at, state)
      select id, now(), current_date, now(), 'taken-over' from vehicle where rego like 'MANY%'`.execute(tx);
    await sql`insert into axle_fingerprint (fingerprint, vehicle_id, visit_id, axle, readings)
      select n, vehicle_id, id, 'DRIVE', array[0.82 + n % 20 * 0.01, 4400 + n % 51 * 20, 2.92 + n % 40 * 0.01, 15200 + n % 61 * 20]
      from (select row_number() over () as n, vehicle_id, id from visit) v`.execute(tx);
    await sql`insert into form_submission (key, person_id, outcome)
      select gen_random_uuid(), ${tech.personId}, '{}' from generate_series(1, ${MANY})`.execute(tx);
  });
  await sql`analyze`.execute(services.db);
});
afterAll(() => services.stop());

// The large ones. The others are small enough to be read whole.
const WATCHED = ['vehicle', 'visit', 'axle_fingerprint', 'form_submission'];

// Rows read one after the other, and the readings that were recorded: by connections that reported them.
async function counted(): Promise<{ read: number; recorded: number }> {
  const { rows } = await sql<{ read: number; recorded: number }>`
    select sum(seq_tup_read) filter (where relname = any(${WATCHED}::text[]))::int as read,
      sum(n_tup_ins) filter (where relname = 'calibration')::int as recorded
    from pg_stat_user_tables`.execute(services.db);
  return rows[0] ?? { read: 0, recorded: 0 };
}

async function recordVisits(db: Db): Promise<void> {
  for (const { axle, attribute } of READING_PLACES)
    await Promise.all(
      REGOS.map(async (rego, nth) => {
        const now = new Date();
        await readEntryRules(db, { rego, personId: tech.personId, at: now });
        const value = honestReadings(axle, nth)[READING_FIELD[attribute]];
        const input = calibrationSchema('2026-01-01').parse({ axle, attribute, value });
        const answer = await recordCalibration(db, tech, { rego, input, now, zone: ZONE, key: newIdempotencyKey() });
        expect(answer).toMatchObject({ recorded: true });
      }),
    );
}

test('recording three visits reads no table whole', async () => {
  await expect.poll(async () => (await counted()).read, { timeout: 20_000 }).toBeGreaterThanOrEqual(MANY);
  const before = await counted();
  const { db } = openDatabase(services.address, { max: 3 });
  await recordVisits(db);
  // Its connections report what they did.
  await db.destroy();
  const readings = REGOS.length * READING_PLACES.length;
  await expect.poll(async () => (await counted()).recorded - before.recorded, { timeout: 20_000 }).toBe(readings);
  expect((await counted()).read - before.read).toBeLessThan(MANY);
});
