import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#app/platform/time/calendar.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { enterLeaves } from '#test/leaves.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { keepChecks } from '#app/transparency-log/history-checks.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { exportLines } from './export-vehicles.server.ts';
import { parseListQuery } from './list-query.ts';
import { listVehicles } from './list-vehicles.server.ts';

const GIVEN = { today: '2026-11-21', policy: FIRST_POLICY, origin: 'https://registry.example' };
const MANY = 1_203;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db
    .insertInto('vehicle')
    .values(
      Array.from({ length: MANY }, (_, index) => ({
        rego: `MANY${String(index).padStart(4, '0')}`,
        deletedAt: index % 3 === 0 ? new Date('2026-01-01T00:00:00Z') : null,
        calibrationValidated: index % 2 === 0,
        nextCalibrationDueOn: index % 5 === 0 ? null : addDays(GIVEN.today, (index * 7) % 90),
        warrantyExpiresOn: index % 4 === 0 ? null : addDays(GIVEN.today, index % 11),
        vin: index % 6 === 0 ? '' : `V${String((index * 7919) % 10_007).padStart(5, '0')}`,
        companyName: index % 10 === 1 ? 'Merri Haulage' : '',
      })),
    )
    .execute();
  const actorId = await db
    .transaction()
    .execute((tx) => findOrAddActor(tx, { name: '=cmd|calc', email: 'm@x.example' }));
  const { id } = await db
    .insertInto('vehicle')
    .values({
      rego: 'HOSTILE1',
      vin: '6T9HZ8FM2PA100418',
      companyName: '=1+1',
      driverName: '@SUM(A1)',
      notes: '+61, "quoted"\nsecond line',
      scaleSerialNumber: '-LC-40',
      calibrationValidated: true,
      nextCalibrationDueOn: '2026-11-20',
      warrantyExpiresOn: '2028-06-30',
      lastCalibratedAt: new Date('2026-05-01T02:03:04Z'),
      addedAt: new Date('2026-01-02T03:04:05Z'),
      addedBy: actorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('vehicleFile')
    .values({ vehicleId: id, role: 'certificate', externalUrl: 'https://old.example/c.pdf' })
    .execute();
  await enterLeaves(db);
});
afterAll(() => database.drop());

async function exported(search: string): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of exportLines(database.db, parseListQuery(new URLSearchParams(search)), GIVEN))
    blocks.push(block);
  return blocks;
}

test('every vehicle that is found is in the file once, by rego, in blocks', async () => {
  const blocks = await exported('q=MANY');
  const regos = blocks
    .join('')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0]);
  const expected = Array.from({ length: MANY }, (_, index) => `MANY${String(index).padStart(4, '0')}`);
  expect(regos).toEqual(expected.filter((_, index) => index % 3 !== 0));
  expect(blocks.length).toBe(1 + Math.ceil((expected.length * (2 / 3)) / 500));
});

test('the file has what the list finds, in its order, whatever page is shown', async () => {
  const regosOf = async (search: string) =>
    (await exported(search))
      .join('')
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0] ?? '');
  const listed = async (search: string) => {
    const query = parseListQuery(new URLSearchParams(search));
    const regos: string[] = [];
    for (let page = 1; ; page += 1) {
      const { items, pages } = await listVehicles(
        database.db,
        { ...query, page },
        { today: GIVEN.today, policy: GIVEN.policy },
      );
      regos.push(...items.map(({ rego }) => rego));
      if (page >= pages) return regos;
    }
  };
  for (const search of [
    'q=MANY&verdict=never-calibrated&sort=due&dir=desc',
    'q=MANY&sort=due&dir=asc',
    'sort=warranty&dir=desc',
    'q=MANY0&sort=rego&dir=desc',
    'company=merri&sort=vin&dir=desc',
    'serial=lc-4',
  ])
    expect([search, await regosOf(`${search}&page=7`)]).toEqual([search, await listed(search)]);
  expect(await regosOf('company=merri')).not.toEqual([]);
});

test('a row has the specification’s names, and no cell that a spreadsheet would run', async () => {
  const text = (await exported('q=HOSTILE1')).join('');
  expect(text).toBe(
    '\uFEFFrego,plate_state,vin,kind,make,model,company_name,driver_name,scale_serial_number,scale_make,scale_model,scale_category,conformance_certificate,firmware,axle_groups,group_details,scale_unit,fitted_location,fitted_date,' +
      'warranty_expiry_date,next_calibration_due,calibration_validated,valid_calibration,verdict,due_in_force,matches_log,as_at,' +
      'policy_version,last_calibrated_at,certificate,notes,added_at,added_by,updated_at,updated_by\r\n' +
      "HOSTILE1,,6T9HZ8FM2PA100418,truck,,,'=1+1,'@SUM(A1),'-LC-40,,,unknown,,,,,own,,,2028-06-30,2026-11-20,true,false,overdue,true,true,2026-11-21,1," +
      `2026-05-01T02:03:04.000Z,https://old.example/c.pdf,"'+61, ""quoted""\nsecond line",` +
      "2026-01-02T03:04:05.000Z,'=cmd|calc,,\r\n",
  );
});

test('of a truck with an altered record the file says that it does not match the log', async () => {
  const { id } = await database.db
    .selectFrom('vehicle')
    .select('id')
    .where('rego', '=', 'HOSTILE1')
    .executeTakeFirstOrThrow();
  await keepChecks(
    database.db,
    [{ id, rego: 'HOSTILE1', findings: ['A reading is not what was logged.'] }],
    new Date('2026-11-21T00:00:00Z'),
  );
  expect((await exported('q=HOSTILE1')).join('')).toContain(',true,false,overdue,true,false,2026-11-21,1,');
  await database.db.deleteFrom('historyCheck').execute();
});

test('text without letters or digits exports the heading alone', async () => {
  expect(await exported('q=%25%25')).toHaveLength(1);
  expect(await exported('q=NOTHERE9')).toHaveLength(1);
});
