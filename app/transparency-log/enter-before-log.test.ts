// Records that are older than the log, and a database that goes away while they enter it.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/database.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { unitOf } from '#app/readings/calibration.ts';
import { enterBeforeLog } from './enter-before-log.server.ts';
import { verifyDatabase } from './verify-database.server.ts';

let database: TestDatabase;
const RECORDS_OF_A_VEHICLE = 4;
const VEHICLES = 300;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`update activity_state set before_log = false`.execute(db);
  await sql`insert into person (email) values ('tess@site.example')`.execute(db);
  await sql`insert into actor (person_id, name, email) select id, 'Tess', email from person`.execute(db);
  await sql`insert into technician (person_id, email, rep_name, deleted_at) select id, email, 'Tess', nth from person,
    unnest(array[now(), null]) nth`.execute(db);
  await sql`insert into vehicle (rego, calibration_validated)
    select 'OLD' || n, true from generate_series(1, ${VEHICLES}) n`.execute(db);
  await sql`insert into calibration (rego, id, vehicle_id, axle, attribute, value, calibrated_at, technician_id)
    select v.rego, n, v.id, 'STEER', 'Empty Volt', '1.5', now(), a.id from vehicle v, actor a, generate_series(1, 2) n`.execute(
    db,
  );
  await sql`insert into validation (vehicle_id, validated) select id, true from vehicle`.execute(db);
  await sql`insert into vehicle_file (vehicle_id, role, external_url) select id, 'certificate', 'https://x.example/' || rego
    from vehicle where rego like '%1'`.execute(db);
  await sql`insert into vehicle_file (vehicle_id, role, external_url) select id, 'image', 'https://x.example/' || rego
    from vehicle`.execute(db);
});
afterAll(() => database.drop());

const leafSize = async () =>
  (await database.db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow()).leafSize;
const isMarked = async () =>
  (await database.db.selectFrom('activityState').select('beforeLog').executeTakeFirstOrThrow()).beforeLog;

test('all enter once, whole, in the order of their vehicles, also when cut off and when several begin', async () => {
  const { db } = database;
  const { db: away, pool } = openDatabase(database.address, { max: 1, onError: () => {} });
  const { rows: backends } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(away);
  const cutOff = enterBeforeLog(away, unitOf).then(
    () => 'done',
    () => 'cut off',
  );
  while ((await leafSize()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await sql`select pg_terminate_backend(${backends[0]?.pid})`.execute(db);
  expect(await cutOff).toBe('cut off');
  await away.destroy();
  expect(pool.ended).toBe(true);
  const first = await leafSize();
  expect(first % RECORDS_OF_A_VEHICLE).toBeLessThan(first);
  expect(await isMarked()).toBe(false);

  const entered = await Promise.all([enterBeforeLog(db, unitOf), enterBeforeLog(db, unitOf)]);
  expect(await isMarked()).toBe(true);
  const size = await leafSize();
  expect(first + (entered[0] ?? 0) + (entered[1] ?? 0)).toBe(size);
  const certificates = VEHICLES / 10;
  expect(size).toBe(VEHICLES * RECORDS_OF_A_VEHICLE + certificates + 2);
  expect(await enterBeforeLog(db, unitOf)).toBe(0);
  const found: string[] = [];
  const verdict = await verifyDatabase(db, (finding) => found.push(finding));
  expect(found).toEqual([]);
  expect(verdict).toMatchObject({ entries: size, records: size });
  const { rows } = await sql<{ origin: string; type: string; n: number }>`select entry::jsonb ->> 'origin' as origin,
    entry::jsonb ->> 'type' as type, count(*) as n from log_leaf group by 1, 2 order by 2`.execute(db);
  expect(rows.map(({ origin, type, n }) => `${origin} ${type} ${n}`)).toEqual([
    `before-log calibration.recorded ${2 * VEHICLES}`,
    `before-log calibration.validated ${VEHICLES}`,
    `before-log certificate.added ${certificates}`,
    'before-log technician.approved 1',
    'before-log technician.removed 1',
    `before-log vehicle.registered ${VEHICLES}`,
  ]);
}, 60_000);
