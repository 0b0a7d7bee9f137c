// 42 files as the programs of spreadsheets write them, in each place that takes a table: each cell is read right, or a
// sentence stands at its line. What a spreadsheet changed is never taken in silence.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { importReferences } from '#app/references/import-references.server.ts';
import { readReferenceCsv } from '#app/references/reference-csv.server.ts';
import { readList } from '#app/check-list/read-list.server.ts';
import { textOfFile, WORKBOOK_TYPES } from '#app/platform/http/table-file.server.ts';
import { importBlock, leftOutVehicles, previewImport } from '#app/vehicle-import/import-block.server.ts';
import { readVehicles } from '#app/vehicle-import/read-vehicles.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { createApp } from '#server/app.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import * as as from './workbooks.ts';

let services: TestServices;
let admin: SignedIn;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  services.setNow('2026-11-24T01:00:00Z');
  app = createApp(services);
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const known = { CJ40PL: '000123', '1MAR': '', XV04KL: 'OLD-1' };
  for (const [rego, scale_serial_number] of Object.entries(known))
    await registerVehicle(services, admin, {
      input: vehicleInput({ rego, scale_serial_number }),
      choice: NO_FILES,
      key: undefined,
    });
});
afterAll(() => services.stop());

const encoded = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
/** `breaks`: a line break in a cell takes a line of the file. */
const PROGRAMS = [
  { name: 'Excel, .xlsx', breaks: 0, write: (rows) => as.xlsxOf(rows, as.EXCEL) },
  { name: 'Excel for Mac of old, .xlsx', breaks: 0, write: (rows) => as.xlsxOf(rows, as.EXCEL_FOR_MAC) },
  { name: 'Excel, .xls', breaks: 0, write: as.xlsOf },
  { name: 'Excel, CSV of Windows', breaks: 1, write: (rows) => encoded(as.csvOf(rows, as.EXCEL_CSV), 'latin1') },
  {
    name: 'Excel, CSV UTF-8 with semicolons',
    breaks: 1,
    first: 1,
    write: (rows) => encoded(as.csvOf(rows, { ...as.EXCEL_CSV, delimiter: ';', before: '\uFEFFsep=;\r\n' }), 'utf8'),
  },
  { name: 'Excel, Unicode text', breaks: 1, write: (rows) => encoded(`\uFEFF${as.csvOf(rows, as.PASTED)}`, 'utf16le') },
  { name: 'LibreOffice, .ods', breaks: 0, write: as.odsOf },
  { name: 'LibreOffice, .xlsx', breaks: 0, write: (rows) => as.xlsxOf(rows, as.LIBRE) },
  { name: 'LibreOffice, CSV', breaks: 1, write: (rows) => encoded(as.csvOf(rows, as.LIBRE_CSV), 'utf8') },
  { name: 'Google, .xlsx', breaks: 0, write: (rows) => as.xlsxOf(rows, as.GOOGLE) },
  { name: 'Google, CSV', breaks: 1, write: (rows) => encoded(as.csvOf(rows, as.GOOGLE_CSV), 'utf8') },
  { name: 'Numbers, .xlsx', breaks: 0, write: (rows) => as.xlsxOf(rows, as.NUMBERS) },
  { name: 'Numbers, CSV', breaks: 1, write: (rows) => encoded(as.csvOf(rows, as.NUMBERS_CSV), 'utf8') },
  { name: 'a sheet, pasted', breaks: 1, write: (rows) => encoded(as.csvOf(rows, as.PASTED), 'utf8') },
] as const satisfies { name: string; breaks: number; first?: number; write: (rows: as.SheetRows) => Buffer }[];
type Program = (typeof PROGRAMS)[number];
const firstOf = (program: Program): number => ('first' in program ? program.first : 0);

async function tableOf(bytes: Buffer) {
  const file = await textOfFile(bytes);
  if (!file.ok) throw new Error(file.message);
  const read = readVehicles(file.text);
  if (!read.ok) throw new Error(read.message);
  return { text: file.text, read, preview: await previewImport(services, read) };
}

type Row = { line: number; asked_for: string; answer: string; rego: string | null; rests_on: string };
async function checked(bytes: Buffer): Promise<Row[]> {
  const isBook = bytes[0] === 0x50 || bytes[0] === 0xd0;
  const answer = await app.request(
    'http://127.0.0.1/api/v1/check',
    {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { host: '127.0.0.1', 'content-type': isBook ? WORKBOOK_TYPES[0] : 'text/csv' },
    },
    { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
  );
  expect(answer.status).toBe(200);
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const FLEET: as.SheetRows = [
  ['Make', 'State', 'Rego No.', 'Chassis', 'Scale S/N', 'Fitted date', 'Notes'],
  ['Volvo', 'NSW', 'XV04KL', '6T9HZ8FM2PA100418', 'SN-1', { day: '2024-04-03' }, 'Two\nlines, "quoted"; café'],
  [],
  ['Mack', 'VIC', { says: '007' }, null, { says: '0000123' }, { day: '2024-05-14' }],
  [null, 'VIC', 'BJK709'],
];
test.each(PROGRAMS)('a whole fleet of $name is read right', async (program) => {
  const bytes = program.write(FLEET);
  const [at, breaks] = [firstOf(program), program.breaks];
  const { read } = await tableOf(bytes);
  const notes = 'Two\nlines, "quoted"; café';
  expect(read.vehicles.map(({ kept: _kept, ...vehicle }) => vehicle)).toEqual([
    {
      line: at + breaks + 2,
      rego: 'XV04KL',
      cells: {
        make: 'Volvo',
        vin: '6T9HZ8FM2PA100418',
        plate_state: 'NSW',
        scale_serial_number: 'SN-1',
        fitted_date: '2024-04-03',
        notes: breaks === 1 ? expect.stringMatching(/^Two\r?\nlines, "quoted"; café$/) : notes,
      },
    },
    {
      line: at + breaks + 4,
      rego: '007',
      cells: { make: 'Mack', plate_state: 'VIC', scale_serial_number: '0000123', fitted_date: '2024-05-14' },
    },
    { line: at + breaks + 5, rego: 'BJK709', cells: { plate_state: 'VIC' } },
  ]);
  expect(read.read).toMatchObject({
    lines: 3,
    headings: [
      { heading: 'Rego No.', label: 'rego' },
      { heading: 'Chassis', label: 'VIN' },
      { heading: 'State', label: 'State or territory' },
      { heading: 'Scale S/N', label: 'Scale serial number' },
    ],
    unread: [],
  });
  const rows = await checked(bytes);
  expect(rows.map(({ line, asked_for }) => [line, asked_for])).toEqual([
    [at + 1, 'Rego No.'],
    [at + breaks + 2, 'XV04KL NSW'],
    [at + breaks + 3, ''],
    [at + breaks + 4, '007 VIC'],
    [at + breaks + 5, 'BJK709 VIC'],
  ]);
  expect(rows[0]?.rests_on).toContain('“State” is read with it');
});

const CHANGED: as.SheetRows = [
  ['Rego', 'VIN', 'Scale serial', 'Warranty expiry', 'Make'],
  [7],
  [{ day: '2026-03-01' }],
  [46_082],
  ['1.00E+05'],
  ['1.23457E+19'],
  [true],
  ['XV31PC', null, 1.23457e19],
  ['CJ40PL', null, 123],
  ['1GH551', 61_925_300_000_000_000],
  ['S558BXW', null, null, 46_156],
  ['1GH552', null, { day: '2026-03-01' }],
  ['1GH553', null, null, null, { formula: 'A1&B1' }],
  ['1GH554', null, null, null, 'Sep-24'],
  [100_000],
];
test.each(PROGRAMS)('what a spreadsheet changed is said of each line of $name', async (program) => {
  const { read, preview } = await tableOf(program.write(CHANGED));
  const said = preview.lines.map((line) => line.line - firstOf(program));
  expect(said.toSorted((a, b) => a - b)).toEqual(CHANGED.slice(1).map((_, place) => place + 2));
  expect(preview.lines.filter(({ kind }) => kind === 'new' || kind === 'changed')).toEqual([]);
  const csv = await leftOutVehicles(services, { ...read, taken: new Set() });
  expect(csv.trimEnd().split('\r\n')).toHaveLength(CHANGED.length);
  // The lines before the serial are regos.
  for (const row of (await checked(program.write(CHANGED))).slice(1, 7)) {
    expect([row.asked_for, row.rests_on]).toEqual([row.asked_for, expect.stringMatching(/^A spreadsheet may have/)]);
    expect(row.rego).toBeNull();
  }
});

const DATED: as.SheetRows = [
  ['Plate', 'Fitted date', 'Warranty expiry date'],
  ['DAY1', '05/14/2027', '14/05/2027'],
  ['DAY2', '03/04/2027', '3/4/27'],
  ['DAY3', '2026-03-10', '31/02/2026'],
  ['DAY4', '14-May-27', '14.5.2027'],
  ['DAY5', '2026-03-10', '14 May 2027', 'one more'],
];
test.each(PROGRAMS)('days of $name are read day first, and nothing is swapped', async (program) => {
  const { read, preview } = await tableOf(program.write(DATED));
  const refused = preview.lines.flatMap((line) => ('note' in line ? [[line.rego, line.note.why]] : []));
  expect(refused).toEqual([
    ['DAY1', 'There is no month 14. Day first: a date such as 2026-03-10 or 10/03/2026.'],
    ['DAY2', expect.stringMatching(/^This column has its month first, as in 05\/14\/2027\./)],
    ['DAY3', 'There is no such day. Day first: a date such as 2026-03-10 or 10/03/2026.'],
    ['DAY5', '1 filled cell more than the heading has columns.'],
  ]);
  expect(read.vehicles[3]?.cells).toEqual({ fitted_date: '2027-05-14', warranty_expiry_date: '2027-05-14' });
});

const WEIGHBRIDGES: as.SheetRows = [
  ['Name', 'Place', 'State', 'Certificate number', 'From', 'To', ''],
  ['Example Creek', 'Example Creek', 'VIC', 'VC-1', { day: '2026-03-04' }],
  ['Hollow Plain', 'Plain', 'SA', 1.23457e19, { day: '2026-03-14' }, { day: '2027-03-13' }],
];
test.each(PROGRAMS)('weighbridges of $name are read right, and what was changed is asked about', async (program) => {
  const file = await textOfFile(program.write(WEIGHBRIDGES));
  const text = file.ok ? file.text : '';
  const line = firstOf(program) + 3;
  expect(readReferenceCsv(text, '2026-11-24')).toEqual({
    ok: false,
    problems: [{ line, question: true, message: expect.stringContaining('A spreadsheet may have changed this.') }],
  });
  const taken = new Set([line]);
  const read = readReferenceCsv(text, '2026-11-24', taken);
  expect(
    read.ok ? read.references.map(({ periods }) => periods.map(({ fromOn, toOn }) => [fromOn, toOn])) : [],
  ).toEqual([[['2026-03-04', '2027-03-03']], [['2026-03-14', '2027-03-13']]]);
});

test('a line that is ticked is written as it stands, and only that one', async () => {
  const { read, preview } = await tableOf(as.xlsxOf(CHANGED, as.EXCEL));
  const block = { vehicles: read.vehicles, seen: preview.seen, from: 0, taken: new Set([2, 9, 11]) };
  const done = await importBlock(services, admin, block);
  expect(done).toMatchObject({ added: 2, updated: 1 });
  expect(done?.left).toHaveLength(CHANGED.length - 4);
  // The answer was lost: sent again, it says the same and writes nothing.
  expect(await importBlock(services, admin, block)).toMatchObject({ added: 2, updated: 1 });
  const stored = await services.db
    .selectFrom('vehicle')
    .select(['rego', 'scaleSerialNumber', 'warrantyExpiresOn'])
    .where('rego', 'in', ['7', 'CJ40PL', 'S558BXW', '46082'])
    .orderBy('rego')
    .execute();
  expect(stored).toEqual([
    { rego: '7', scaleSerialNumber: '', warrantyExpiresOn: null },
    { rego: 'CJ40PL', scaleSerialNumber: '123', warrantyExpiresOn: null },
    { rego: 'S558BXW', scaleSerialNumber: '', warrantyExpiresOn: '2026-05-14' },
  ]);
});

test('a certificate that lost its zeros is asked about, and taken when somebody says so', async () => {
  const text = (number: string) => `name,place,state,certificate_number,from\nZero,Creek,VIC,${number},1/2/2026`;
  const run = async (number: string, taken: number[] = []) => {
    const read = readReferenceCsv(text(number), '2026-11-24');
    if (!read.ok) throw new Error('it was not read');
    return importReferences(services.db, admin, { references: read.references, taken: new Set(taken), key: undefined });
  };
  expect(await run('000123')).toMatchObject({ imported: true });
  expect(await run('123')).toMatchObject({ imported: false, problems: [{ line: 2, question: true }] });
  expect(await run('123', [2])).toMatchObject({ imported: true, counts: { periods: 1 } });
});

test('a list of the sheet is the same list on its next page', async () => {
  const file = await textOfFile(as.xlsxOf(FLEET, as.EXCEL));
  expect(file).toMatchObject({ ok: true, sheet: { name: 'Fleet', of: 2 } });
  const read = readList(file.ok ? file.text : '');
  expect(read.ok && read.lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});
