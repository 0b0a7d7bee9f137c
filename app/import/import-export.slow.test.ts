import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCalibration } from '#app/readings/queries.server.ts';
import { searchVehicles } from '#app/vehicles/search-vehicles.server.ts';
import { demoExport } from '#commands/demo/export.ts';
import type { TestDatabase } from '#test/database.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';

type Json = Record<string, Record<string, Record<string, unknown>>>;

let bench: ImportBench;
let database: TestDatabase;
let run: ImportBench['run'];
let tableCounts: ImportBench['tableCounts'];
beforeEach(async () => {
  bench = await openImportBench();
  ({ database, run, tableCounts } = bench);
});
afterEach(() => bench.close());

// A fresh copy each time, as tests alter it.
const demo = (): Json => JSON.parse(JSON.stringify(demoExport('2026-11-21')));
const calibrationsOf = (vehicle: Record<string, unknown> | undefined): Record<string, Record<string, unknown>> =>
  JSON.parse(JSON.stringify(vehicle?.['calibrations'] ?? {}));
const countOf = (data: Json) =>
  Object.values(data['Vehicles'] ?? {}).reduce((sum, vehicle) => sum + Object.keys(calibrationsOf(vehicle)).length, 0);

test('trucks with long histories are written in smaller blocks, so that memory is bounded', async () => {
  const reading = {
    axle_type: 'DRIVE',
    calibrating_technician: 'J. Nguyen',
    calibration_attribute: 'Empty Volt',
    calibration_value: '0.61',
    calibration_date_time: '1/2/2024, 11:24:45 am',
  };
  const calibrations = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [1_700_000_000_000 + n, reading]));
  const regos = Array.from({ length: 7 }, (_, n) => `LONG${n}`);
  const { report } = await run({ Vehicles: Object.fromEntries(regos.map((rego) => [rego, { rego, calibrations }])) });
  expect(report.of('Calibrations', 'added')).toBe(7 * 1500);
  // A block is a transaction: three trucks, three and one.
  const { rows } = await sql<{ leaves: number }>`select count(*)::int as leaves from log_leaf l
    join record_leaf r on r.leaf_index = l.index and r.record_table = 'calibration' group by l.xmin::text order by 1`.execute(
    database.db,
  );
  expect(rows.map(({ leaves }) => leaves)).toEqual([1500, 4500, 4500]);
});

test('everything comes over once: a second run changes nothing, and an altered record is the only change', async () => {
  const data = demo();
  const first = await run(data, { bucket: DEMO_BUCKET });
  expect(first.report.of('Vehicles', 'added')).toBe(60);
  expect(first.report.of('Calibrations', 'added')).toBe(countOf(data));
  expect([
    first.report.of('Admins', 'added'),
    first.report.of('Technicians', 'added'),
    first.report.of('Applications', 'added'),
    first.report.of('ActivityLogs', 'added'),
  ]).toEqual([3, 6, 4, 8]);
  expect(first.report.of('Files', 'added')).toBe(27);
  expect(first.lines.filter((line) => line.includes('link kept'))).toHaveLength(1);
  const counts = await tableCounts();
  const followed = await database.db
    .selectFrom('activityLog')
    .select('index')
    .where('topics', '@>', sql<string[]>`array['logs']`)
    .execute();
  expect(followed).toHaveLength(counts['activity_log'] ?? 0);

  const second = await run(data, { bucket: DEMO_BUCKET });
  expect(second.report.changes()).toBe(0);
  expect(await tableCounts()).toEqual(counts);

  const vehicle = data['Vehicles']?.['XV11QT'];
  if (vehicle === undefined) throw new Error('the demo has XV11QT');
  vehicle['company_name'] = 'Altered Haulage';
  const third = await run(data, { bucket: DEMO_BUCKET });
  expect(third.report.changes()).toBe(1);
  expect(third.lines.filter((line) => line.includes('changed'))).toEqual([
    expect.stringMatching(/^Vehicles\/XV11QT: changed: companyName .* → Altered Haulage$/),
  ]);
  expect(await tableCounts()).toEqual({
    ...counts,
    activity_log: (counts['activity_log'] ?? 0) + 1,
    activity_detail: (counts['activity_detail'] ?? 0) + 1,
    log_leaf: (counts['log_leaf'] ?? 0) + 1,
    record_leaf: (counts['record_leaf'] ?? 0) + 1,
    leaf_opening: (counts['leaf_opening'] ?? 0) + 1,
  });
  const [entry] = await database.db
    .selectFrom('activityDetail')
    .selectAll()
    .orderBy('index', 'desc')
    .limit(1)
    .execute();
  expect(entry?.changes).toEqual([{ field: 'companyName', from: expect.any(String), to: 'Altered Haulage' }]);
});

test('a changed and a new calibration are taken, with the old value in the log', async () => {
  const data = demo();
  await run(data);
  const vehicle = data['Vehicles']?.['XV04KL'];
  const calibrations = calibrationsOf(vehicle);
  const [id = ''] = Object.keys(calibrations);
  const before = String(calibrations[id]?.['calibration_value']);
  calibrations[id] = { ...calibrations[id], calibration_value: '9.99' };
  calibrations['1795000000000'] = { ...calibrations[id], calibration_value: '1.25' };
  if (vehicle !== undefined) vehicle['calibrations'] = calibrations;
  const { report } = await run(data);
  expect([
    report.of('Calibrations', 'changed'),
    report.of('Calibrations', 'added'),
    report.of('Vehicles', 'changed'),
  ]).toEqual([1, 1, 0]);
  expect((await findCalibration(database.db, 'XV04KL', Number(id)))?.value).toBe('9.99');
  const details = await database.db
    .selectFrom('activityDetail')
    .select('changes')
    .where('details', 'like', `calibration ${id} of XV04KL%`)
    .execute();
  expect(details).toEqual([{ changes: [{ field: 'value', from: before, to: '9.99' }] }]);
  expect((await run(data)).report.changes()).toBe(0);
});

test('what was edited here stays, what was deleted here is not revived, but calibrations still come', async () => {
  const data = demo();
  await run(data);
  const { db } = database;
  await db.updateTable('vehicle').set({ notes: 'edited here', version: 2 }).where('rego', '=', 'XV11QT').execute();
  await db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', 'XV27BD').execute();
  for (const rego of ['XV11QT', 'XV27BD']) {
    const vehicle = data['Vehicles']?.[rego];
    if (vehicle !== undefined)
      Object.assign(vehicle, {
        notes: 'from the export',
        calibrations: {
          ...calibrationsOf(vehicle),
          1795000000001: { axle_type: 'STEER', calibration_attribute: 'Empty Volt', calibration_value: '1' },
        },
      });
  }
  const { report, lines } = await run(data);
  expect(lines.filter((line) => line.includes(': kept: '))).toEqual(
    expect.arrayContaining([expect.stringContaining('edited here'), expect.stringContaining('deleted here')]),
  );
  expect(report.of('Calibrations', 'added')).toBe(1);
  expect(
    await db
      .selectFrom('vehicle')
      .select(['rego', 'notes'])
      .where('rego', 'in', ['XV11QT', 'XV27BD'])
      .orderBy('rego')
      .execute(),
  ).toMatchObject([{ rego: 'XV11QT', notes: 'edited here' }, { rego: 'XV27BD' }]);
  expect((await searchVehicles(db, 'XV27BD', 1)).total).toBe(0);
  expect(await findCalibration(db, 'XV11QT', 1795000000001)).toMatchObject({ value: '1' });
  expect(await findCalibration(db, 'XV27BD', 1795000000001)).toBeUndefined();
});

test('regos and addresses that mean the same are refused and named, never merged', async () => {
  const { report, lines } = await run({
    Vehicles: { 'ABC 123': { vin: 'A' }, ABC123: { vin: 'B' }, 'abc-123': { vin: 'C' }, OTHER1: { vin: 'D' } },
    Admins: { 'a,b@x,example': { name: 'One' }, 'A,B@x,example': { name: 'Two' } },
  });
  expect(report.of('Vehicles', 'refused')).toBe(3);
  expect(report.of('Admins', 'refused')).toBe(2);
  expect(report.of('Vehicles', 'added')).toBe(1);
  expect(lines.filter((line) => line.includes('ABC 123, ABC123, abc-123. None is taken'))).toHaveLength(3);
  expect(await database.db.selectFrom('vehicle').select('rego').execute()).toEqual([{ rego: 'OTHER1' }]);
  expect(await database.db.selectFrom('admin').select('email').execute()).toEqual([]);
});

test('a technician named once by name and once by address is one, where that is unambiguous', async () => {
  const entry = (who: string) => ({
    axle_type: 'STEER',
    calibration_attribute: 'Empty Volt',
    calibration_value: '1',
    calibrating_technician: who,
  });
  await run({
    Vehicles: {
      ABC123: {
        calibrations: {
          1: entry('Jo Lee'),
          2: entry('jo@x.example'),
          3: entry('Sam Roe'),
          4: entry('sam2@x.example'),
          5: entry('Nobody Known'),
        },
      },
    },
    Technicians: {
      'jo@x,example': { rep_name: 'Jo Lee' },
      'sam1@x,example': { rep_name: 'Sam Roe' },
      'sam2@x,example': { rep_name: 'Sam Roe' },
    },
  });
  const person = async (id: number) => (await findCalibration(database.db, 'ABC123', id))?.technicianPersonId;
  expect(await person(1)).toBe(await person(2));
  expect(await person(3)).not.toBe(await person(4));
  expect((await findCalibration(database.db, 'ABC123', 5))?.technicianName).toBe('Nobody Known');
});

test('a technician who is called otherwise in a later export keeps the name of the day in what is there', async () => {
  const data = (name: string, value: string) => ({
    Vehicles: {
      A1: {
        calibrations: {
          1: {
            axle_type: 'STEER',
            calibration_attribute: 'Empty Volt',
            calibration_value: value,
            calibrating_technician: 'jo@x.example',
          },
        },
      },
    },
    Technicians: { 'jo@x,example': { rep_name: name } },
  });
  await run(data('Jo Lee', '1'));
  await run(data('Jo Lee-Smith', '2'));
  expect(await findCalibration(database.db, 'A1', 1)).toMatchObject({ value: '2', technicianName: 'Jo Lee' });
});

test.each([
  ['cut off in the middle', '{"Vehicles": {"ABC123": {"vin": "A"}, "DEF456": {"vin"', /is incomplete/],
  ['no JSON', 'hello', /not valid JSON/],
  ['a list', '[]', /no object/],
  ['empty', '', /is empty/],
  ['followed by something', '{"Vehicles": {"ABC123": {}}} x', /not valid JSON/],
  ['a list of vehicles', '{"Vehicles": ["a"]}', /something else than records/],
])('a file that is %s is refused before anything is written', async (_name, text, message) => {
  const counts = await tableCounts();
  await expect(run(text)).rejects.toThrow(message);
  expect(await tableCounts()).toEqual(counts);
});

test('a dry run reports the same and writes nothing', async () => {
  const counts = await tableCounts();
  const tried = await run(demo(), { dryRun: true, bucket: DEMO_BUCKET });
  expect(await tableCounts()).toEqual(counts);
  const done = await run(demo(), { bucket: DEMO_BUCKET });
  expect(tried.lines).toEqual(done.lines);
  expect(tried.report.totals()).toEqual(done.report.totals());

  const altered = demo();
  const vehicle = altered['Vehicles']?.['XV11QT'];
  if (vehicle !== undefined) Object.assign(vehicle, { make: 'Other', imageUrls: [] });
  const before = await tableCounts();
  const triedAgain = await run(altered, { dryRun: true });
  expect(await tableCounts()).toEqual(before);
  expect(triedAgain.lines).toEqual((await run(altered)).lines);
});

test('an import that was cut off is completed by the next, also files that were not at hand', async () => {
  const data = demo();
  const regos = Object.keys(data['Vehicles'] ?? {});
  await run({
    ...data,
    Vehicles: Object.fromEntries(regos.slice(0, 25).map((rego) => [rego, data['Vehicles']?.[rego]])),
  });
  const { report } = await run(data, { bucket: DEMO_BUCKET });
  expect(report.of('Vehicles', 'added')).toBe(35);
  expect(report.of('Files', 'added')).toBe(27);
  const { report: again } = await run(data, { bucket: DEMO_BUCKET });
  expect(again.changes()).toBe(0);
});

test('two imports at once double nothing', async () => {
  const data = demo();
  const outcomes = await Promise.allSettled([run(data), run(data)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({
    message: expect.stringContaining('Another import is running'),
  });
  await run(data);
  const { n } = await database.db
    .selectFrom('vehicle')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(n).toBe(60);
});
