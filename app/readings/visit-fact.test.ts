// The list of what is said of a visit names each column that a person filled, and says each in words.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { checkRecords } from '#app/transparency-log/check-records.server.ts';
import { calibrationSetEvent } from '#app/transparency-log/events.server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { factColumns, factWords, NO_FACTS, VISIT_FACTS } from './visit-fact.ts';

// What the registry or a phone adds, what a page of its own shows (photos, readings) and what only the office reads.
const OTHERS =
  /^(id|vehicle_id|visited_at|technician_id|notes|axles|recorded_at|together|from_vehicle|(more_)?photo_.*|capture.*|received_at)$/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('each column of a recorded visit is a fact of the list, or named as another thing', async () => {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = 'calibration_set'`.execute(database.db);
  const said = rows.map(({ name }) => name).filter((name) => !OTHERS.test(name));
  expect(said.toSorted()).toEqual(VISIT_FACTS.map(({ field }) => field).toSorted());
});

test('each that is given is said, and none that is not', () => {
  expect(factWords(factColumns(NO_FACTS))).toEqual([]);
  const all = {
    ...NO_FACTS,
    weighbridge: 'Example Creek',
    ticket_number: '7',
    lift_axle: 'raised',
    not_behind: 'TRAILERA',
  } as const;
  expect(factWords(factColumns(all))).toEqual([
    'weighed at Example Creek',
    'ticket 7',
    'lift axle raised',
    'Trailer A not behind the truck',
  ]);
});

const COLUMNS = VISIT_FACTS.map(({ field }) => field);

/** A set that was logged while its table had no column `fact`, which was added since, as its migration adds it. */
async function loggedWithout(fact: string): Promise<string> {
  const { db, pool } = database;
  const { rows } = await pool.query<{ definition: string }>(
    `select concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid)) as definition
      from pg_attribute a left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
      where a.attrelid = 'calibration_set'::regclass and a.attname = $1`,
    [fact],
  );
  await pool.query(`alter table calibration_set drop column ${fact}`);
  const rego = `SET${COLUMNS.findIndex((column) => column === fact)}`;
  const id = await db.transaction().execute(async (tx) => {
    const vehicle = await tx.insertInto('vehicle').values({ rego }).returning(['id', 'rego']).executeTakeFirstOrThrow();
    const technicianId = await findOrAddActor(tx, { name: 'Jo' });
    const visitedAt = new Date('2026-11-20T00:00:00Z');
    const set = await tx
      .insertInto('calibrationSet')
      .values({ vehicleId: vehicle.id, technicianId, visitedAt, axles: '[{"axle":"STEER"}]' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const records = [{ table: 'vehicle' as const, key: vehicle.id }];
    await appendLeaves(tx, [
      calibrationSetEvent(
        vehicle,
        { ...set, visitedAt, dueOn: null },
        { technician: 'Jo', zone: 'Australia/Sydney', records },
      ),
    ]);
    return set.id;
  });
  await pool.query(`alter table calibration_set add column ${fact} ${rows[0]?.definition}`);
  return id;
}

test.each(COLUMNS)('a set that is older than %s is what was logged, until it says something', async (fact) => {
  const id = await loggedWithout(fact);
  const check = async () =>
    (await checkRecords(database.db, [{ table: 'calibration_set', key: id }])).get(`calibration_set ${id}`);
  expect(await check()).toMatchObject({ state: 'covered' });
  await database.pool.query(`set session_replication_role = replica;
    update calibration_set set ${fact} = 'x' where id = '${id}'; set session_replication_role = origin`);
  expect(await check()).toMatchObject({ state: 'differs', why: `its ${fact} is not what was logged` });
});
