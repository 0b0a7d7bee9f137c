// Text as an attack, or as an accident: no record of an export, whatever it holds, may stop the others.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCalibration } from '#app/readings/queries.server.ts';
import { DEMO_BUCKET, openImportBench, type ImportBench } from '#test/import-run.ts';

let bench: ImportBench;
beforeEach(async () => {
  bench = await openImportBench();
});
afterEach(() => bench.close());

const LONE = '\ud83d';
const reading = (more: Record<string, unknown> = {}) => ({
  axle_type: 'STEER',
  calibration_attribute: 'Empty Volt',
  calibration_value: '1.20',
  ...more,
});
const unplacedOf = async (key: string) =>
  (await bench.database.db.selectFrom('importRecord').select('unplaced').where('key', '=', key).executeTakeFirst())
    ?.unplaced;

test.each<[string, Record<string, unknown>]>([
  ['a rego with a NUL', { Vehicles: { 'AB\u0000C': { vin: 'X' } } }],
  [
    'a key of a megabyte',
    { Vehicles: { ['A'.repeat(1_000_000)]: {} }, ActivityLogs: { ['b'.repeat(1_000_000)]: { action: 'x' } } },
  ],
  ['an address with a NUL', { Admins: { 'a\u0000b@x,example': { name: 'A' } } }],
  ['an address with a next-line mark', { Admins: { 'a\u0085b@x,example': { name: 'A' } } }],
  ['a name of a megabyte', { Admins: { 'a@x,example': { name: 'N'.repeat(1_000_000) } } }],
  ['a company of a thousand emoji', { Technicians: { 't@x,example': { rep_name: '🚚'.repeat(1000) } } }],
  ['an actor of a thousand emoji', { Vehicles: { A1: { added_by: `x${'🚚'.repeat(1000)}` } } }],
  [
    'the text \\u0000 in an unknown field',
    { Vehicles: { A1: { odd: 'a\\u0000b', odder: 'a\u0000b', [`c\u0000`]: 1 } } },
  ],
  ['half a character in an unknown field', { Vehicles: { A1: { odd: LONE, [LONE]: { deep: [LONE] } } } }],
  [
    'half a character in a reading',
    {
      Vehicles: { A1: { calibrations: { 1: reading({ calibration_date_time: LONE, calibrating_technician: LONE }) } } },
    },
  ],
  [
    'a stated time of emoji',
    { Vehicles: { A1: { calibrations: { 1: reading({ calibration_date_time: `x${'🚚'.repeat(500)}` }) } } } },
  ],
  [
    'half a character in a key',
    { ActivityLogs: { [LONE]: { action: LONE, details: LONE, name: LONE, timestamp: LONE } } },
  ],
  ['a log entry that is none', { ActivityLogs: { a: null, b: 'text', c: [] } }],
  ['a stated time of a log in year 0', { ActivityLogs: { a: { action: 'x', timestamp: '0000-01-01T00:00:00Z' } } }],
  [
    'an ancient instant',
    { Vehicles: { A1: { added_at: '-271821-04-20T00:00:00Z', updated_at: '0000-01-01T00:00:00Z' } } },
  ],
  [
    'a key beyond all time',
    {
      Vehicles: {
        A1: {
          calibrations: { 8640000000000000: reading(), 8640000000000001: reading(), '99999999999999999999': reading() },
        },
      },
    },
  ],
])('%s stops nothing, and nothing changes in a second run', async (_name, hostile) => {
  const data = { ...hostile, Vehicles: { ...Object(hostile['Vehicles']), GOOD01: { calibrations: { 5: reading() } } } };
  const { lines } = await bench.run(data);
  expect(await findCalibration(bench.database.db, 'GOOD01', 5)).toMatchObject({ value: '1.20' });
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1000);
  const counts = await bench.tableCounts();
  const second = await bench.run(data);
  expect(second.report.changes()).toBe(0);
  expect(await bench.tableCounts()).toEqual(counts);
});

test('a record nested without end is refused, and named', async () => {
  const endless = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { report, lines } = await bench.run(`{"Vehicles": {"A1": {"odd": ${endless}}, "GOOD01": {}}}`);
  expect([report.of('Vehicles', 'added'), report.of('Vehicles', 'refused')]).toEqual([1, 1]);
  expect(lines).toContain('Vehicles/A1: refused: the record is nested too deep');
});

test('a key that stands twice in the file is taken once or not at all, never merged', async () => {
  const { report } = await bench.run(
    '{"Vehicles": {"A1": {"make": "x"}, "A1": {"make": "y"}}, "ActivityLogs": {"k": {"action": "x"}, "k": {"action": "y"}}, "Vehicles": {"A2": {}}}',
  );
  expect([report.of('Vehicles', 'added'), report.of('Vehicles', 'refused')]).toEqual([1, 2]);
  expect([report.of('ActivityLogs', 'added'), report.of('ActivityLogs', 'refused')]).toEqual([1, 1]);
});

test('an export that begins with a byte order mark is read', async () => {
  const { report } = await bench.run(`\uFEFF${JSON.stringify({ Vehicles: { A1: {} } })}`);
  expect(report.of('Vehicles', 'added')).toBe(1);
});

test('__proto__ as a field is an unknown field like another', async () => {
  const { lines } = await bench.run('{"Vehicles": {"A1": {"make": "Volvo", "__proto__": {"vin": "HIDDEN"}}}}');
  expect(await bench.database.db.selectFrom('vehicle').select('vin').execute()).toEqual([{ vin: '' }]);
  expect(lines.join('\n')).toContain('unknown field __proto__');
});

test('what a reading holds beside its place is stored but not shown and named', async () => {
  const { report, lines } = await bench.run({
    Vehicles: {
      A1: {
        calibrations: {
          1: reading({ calibration_due_date: 'soon', weather: 'rain' }),
          2: reading({ calibration_value: { kg: 4 } }),
          3: reading({ calibration_value: '4 kg' }),
          4: reading({ calibration_attribute: 'Empty Weight', calibration_value: '4820 kg' }),
          5: reading({ calibration_value: 1.5 }),
          6: reading({ calibrating_technician: 7 }),
          7: reading({ calibrating_technician: ['x'] }),
          8: 'text',
        },
      },
    },
  });
  const { db } = bench.database;
  expect(await unplacedOf('Vehicles/A1')).toEqual({
    'calibrations.1.calibration_due_date': 'soon',
    'calibrations.1.weather': 'rain',
    'calibrations.2': reading({ calibration_value: { kg: 4 } }),
    'calibrations.3': reading({ calibration_value: '4 kg' }),
    'calibrations.7.calibrating_technician': ['x'],
    'calibrations.8': 'text',
  });
  expect([report.of('Calibrations', 'added'), report.of('Calibrations', 'refused')]).toEqual([5, 3]);
  expect((await findCalibration(db, 'A1', 4))?.value).toBe('4820');
  expect((await findCalibration(db, 'A1', 5))?.value).toBe('1.5');
  for (const text of ['unknown field weather', '"soon" is not a date', 'was a number', 'calibration 3 '])
    expect(lines.join('\n')).toContain(text);
});

test('an instant is read as the day it was in the registry, not in Greenwich', async () => {
  const { lines } = await bench.run({
    Vehicles: { A1: { fitted_date: '2026-05-13T14:00:00.000Z', added_at: '2026-05-13T14:30:00.000Z' } },
  });
  expect(await bench.database.db.selectFrom('vehicle').select(['fittedOn', 'addedAt']).execute()).toEqual([
    { fittedOn: '2026-05-14', addedAt: new Date('2026-05-13T14:30:00.000Z') },
  ]);
  expect(lines.join('\n')).toContain('read as 2026-05-14');
});

test('hostile and odd records are corrected, stored but not shown or refused, each with a line, and nothing of them is lost', async () => {
  const { report, lines } = await bench.run(
    {
      Vehicles: {
        '../etc/passwd': { vin: 'A' },
        GOOD01: {
          vin: '<script>',
          notes: '=cmd|\u0000\u202Etxt',
          fitted_date: '31/12/2025',
          warranty_expiry_date: 'soon',
          certificate: 'javascript:alert(1)',
          imageUrls: { 0: 'https://x.example/o/..%2F..%2Fetc%2Fpasswd?alt=media' },
          colour: 'red',
          calibration_validated: 'true',
          calibrations: {
            1: { axle_type: 'steer', calibration_attribute: 'Empty Volt', calibration_value: '0,84' },
            2: { axle_type: 'STEER', calibration_attribute: 'Empty Weight', calibration_value: '' },
            3: { axle_type: 'WHEEL', calibration_attribute: 'Empty Volt', calibration_value: '1' },
            '4; drop table vehicle': {
              axle_type: 'STEER',
              calibration_attribute: 'Empty Volt',
              calibration_value: '1',
            },
            5: { axle_type: 'STEER', calibration_attribute: 'Loaded Weight', calibration_value: 'x'.repeat(1_000_000) },
          },
        },
        BAD02: 'text',
        BAD03: null,
      },
      Applications: { 'not an address': {} },
      Surprise: { a: 1 },
    },
    { bucket: DEMO_BUCKET },
  );
  expect([
    report.of('Vehicles', 'added'),
    report.of('Vehicles', 'refused'),
    report.of('Calibrations', 'added'),
    report.of('Applications', 'refused'),
  ]).toEqual([1, 3, 2, 1]);
  for (const text of [
    'unknown field colour',
    'vin "<script>" is not a VIN',
    'fitted_date "31/12/2025" read as 2025-12-31',
    'warranty_expiry_date "soon" is not a date',
    'certificate is not a web address',
    'calibration 3 has no known axle_type',
    'no such collection',
    'the link names no file',
  ])
    expect(lines.join('\n')).toContain(text);
  expect(lines.join('\n')).not.toMatch(/[\u0000\u202e]/);
  const { unplaced } = await bench.database.db
    .selectFrom('importRecord')
    .select('unplaced')
    .where('key', '=', 'Vehicles/GOOD01')
    .executeTakeFirstOrThrow();
  expect(unplaced).toMatchObject({ colour: 'red', vin: '<script>', warranty_expiry_date: 'soon' });
  expect((await findCalibration(bench.database.db, 'GOOD01', 1))?.value).toBe('0.84');
});
