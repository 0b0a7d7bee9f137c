// A thousand fleets go out, are opened and saved by Excel in Australia, and come in again. Of the export for Excel
// nothing is changed and nothing is asked; of the plain one nothing is changed in silence.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoRandom } from '#commands/demo/random.ts';
import { csvLine, csvLineForExcel, plainCell } from '#app/platform/http/csv.ts';
import { readCsv } from '#app/platform/http/read-csv.server.ts';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import { isDay } from '#app/platform/time/calendar.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { previewImport } from '#app/vehicle-import/import-block.server.ts';
import { readVehicles } from '#app/vehicle-import/read-vehicles.server.ts';
import { exportLines } from '#app/vehicles/export-vehicles.server.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { csvOf, EXCEL, EXCEL_CSV, odsOf, xlsxOf, type SheetCell, type SheetRows } from './workbooks.ts';

const FLEETS = 1000;
const A_FLEET = 4;
const random = demoRandom('round trip');
const MONTHS = ['JAN', 'MAR', 'SEP', 'DEC'];
const regoOf = (nth: number): string =>
  random.pick([
    `XV${nth}`,
    `${nth}ABC`,
    String(nth).padStart(7, '0'),
    String(nth),
    `${nth}E${random.whole(1, 9)}`,
    `${random.whole(1, 28)}${random.pick(MONTHS)}${nth}`,
  ]);
const SERIALS = [
  '',
  'SN-1',
  '000123',
  '00',
  '1E5',
  '1-2',
  '46082',
  '12345678901234567890',
  '9.30',
  '1,234',
  'TRUE',
  '3/4',
  '+61 2',
  '=1+1',
];
const VINS = ['6T9HZ8FM2PA', '61925300000', '0000123', '1E'];
const NAMES = [
  '',
  'Volvo',
  '500',
  '9-3',
  '1-2',
  '1MAR',
  '=SUM(A1)',
  '"Quoted", Pty',
  "O'Brien",
  "'=x",
  '-5',
  '50%',
  '1:30',
  'Café; Söhne',
  '@home',
  '#N/A',
  '007',
  '="x"',
];
const DAYS = [null, '2024-04-03', '2027-12-31', '2000-02-29', '1999-01-01'];
const NOTES = ['', 'Two\nlines', '1E5', '=1', '12\n34', '0400 000 000'];

let services: TestServices;
const fleets: string[][] = [];
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const rows = Array.from({ length: FLEETS * A_FLEET }, (_, nth) => ({
    rego: regoOf(nth),
    vin: random.whole(0, 2) === 0 ? '' : `${random.pick(VINS)}${String(nth).padStart(6, '0')}`,
    make: random.pick(NAMES),
    model: random.pick(NAMES),
    companyName: random.pick(NAMES),
    scaleSerialNumber: random.pick(SERIALS),
    fittedOn: random.pick(DAYS),
    warrantyExpiresOn: random.pick(DAYS),
    notes: random.pick(NOTES),
    calibrationValidated: random.whole(0, 1) === 0,
  }));
  const known = new Set<string>();
  const kept = rows.filter(({ rego }) => !known.has(rego) && known.add(rego));
  for (let from = 0; from < kept.length; from += 500)
    await services.db
      .insertInto('vehicle')
      .values(kept.slice(from, from + 500))
      .execute();
  for (let from = 0; from < kept.length; from += A_FLEET)
    fleets.push(kept.slice(from, from + A_FLEET).map(({ rego }) => rego));
}, 60_000);
afterAll(() => services.stop());

async function exported(regos: readonly string[], lineOf: typeof csvLine): Promise<string> {
  const context = { today: '2026-11-21', policy: FIRST_POLICY, origin: 'https://registry.example', lineOf };
  let text = '';
  const query = { ...parseListQuery(new URLSearchParams()), regos };
  for await (const lines of exportLines(services.db, query, context)) text += lines;
  return text;
}

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayOf = (year: number, month: number, day: number): SheetCell => {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isDay(text) ? { day: text } : null;
};

/** What Excel (en-AU) makes of a cell of a CSV file when it opens it. */
function asExcelTakes(cell: string): SheetCell {
  const said = /^="((?:[^"]|"")*)"$/.exec(cell);
  if (said !== null) return { says: (said[1] ?? '').replaceAll('""', '"') };
  const text = cell.trim();
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isNumber = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?(?:E[+-]?\d{1,3})?$/i.test(text);
  if (isNumber) return Number(Number(text.replaceAll(',', '')).toPrecision(15));
  if (isDay(text)) return { day: text };
  const [, day = '', month = ''] =
    /^(\d{1,2})[-/ ]?([a-z]{3})$/i.exec(text) ?? /^(\d{1,2})[-/](\d{1,2})$/.exec(text) ?? [];
  const nth = /^\d/.test(month) ? Number(month) : MONTH_NAMES.indexOf(month.toLowerCase()) + 1;
  if (day !== '' && nth > 0) return dayOf(2026, nth, Number(day)) ?? cell;
  const [, monthOfYear = '', year = ''] = /^([a-z]{3})[-/ ]?(\d{2,4})$/i.exec(text) ?? [];
  if (MONTH_NAMES.includes(monthOfYear.toLowerCase()) && year.length !== 3)
    return dayOf(Number(year.padStart(4, '20')), MONTH_NAMES.indexOf(monthOfYear.toLowerCase()) + 1, 1) ?? cell;
  return cell;
}

function opened(csv: string): SheetRows {
  const read = readCsv(csv, { most: 1000, keepEmpty: true });
  if (!read.ok) throw new Error('the export was not read');
  return read.lines.map(({ cells }, place) => (place === 0 ? cells : cells.map(asExcelTakes)));
}

const SAVED: [string, (rows: SheetRows) => Buffer][] = [
  ['a workbook', (rows) => xlsxOf(rows, EXCEL)],
  ['CSV', (rows) => Buffer.from(`\uFEFF${csvOf(rows, EXCEL_CSV)}`)],
  ['a workbook of LibreOffice', odsOf],
];

async function countsOf(bytes: Buffer) {
  const file = await textOfFile(bytes);
  const read = file.ok ? readVehicles(file.text) : file;
  if (!read.ok) throw new Error(read.message);
  const { counts, lines } = await previewImport(services, read);
  return { lines, counts: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])) };
}

test(`${FLEETS} fleets for Excel, saved by it, change nothing`, { timeout: 300_000 }, async () => {
  expect(fleets.length).toBeGreaterThan(FLEETS * 0.9);
  for (const [nth, fleet] of fleets.entries()) {
    const [, save] = SAVED[nth % 20 === 0 ? (nth / 20) % 3 : 1] ?? [];
    const rows = opened(await exported(fleet, csvLineForExcel));
    const { counts, lines } = await countsOf(save?.(rows) ?? Buffer.alloc(0));
    // CSV says the texts and no longer that they are texts: what only looks changed is as it was.
    expect([fleet, lines, counts.unchanged]).toEqual([fleet, [], fleet.length]);
  }
});

test(
  `${FLEETS} fleets of the plain export, saved by Excel, change nothing in silence`,
  { timeout: 300_000 },
  async () => {
    let marked = 0;
    for (const [nth, fleet] of fleets.entries()) {
      const [how, save] = SAVED[nth % 20 === 0 ? (nth / 20) % 3 : 1] ?? [];
      const { counts, lines } = await countsOf(save?.(opened(await exported(fleet, csvLine))) ?? Buffer.alloc(0));
      const silent = lines.filter(({ kind }) => kind === 'new' || kind === 'changed');
      expect([how, fleet, silent]).toEqual([how, fleet, []]);
      marked += counts.marked ?? 0;
    }
    expect(marked).toBeGreaterThan(FLEETS / 10);
  },
);

test('neither export is changed by being read here', async () => {
  for (const fleet of fleets)
    for (const lineOf of [csvLine, csvLineForExcel]) {
      const { counts, lines } = await countsOf(Buffer.from(await exported(fleet, lineOf)));
      expect([fleet, lines, counts.unchanged]).toEqual([fleet, [], fleet.length]);
    }
}, 300_000);

test('no cell of the export for Excel is run, and each is read back', () => {
  for (const text of [
    ...NAMES,
    ...SERIALS,
    ...NOTES,
    '=HYPERLINK("http://evil.example")',
    '"',
    '""',
    '="',
    '="a"&"b"',
  ]) {
    const read = readCsv(csvLineForExcel([text, 'x']), { most: 9, keepEmpty: true });
    const [cell = ''] = read.ok ? (read.lines[0]?.cells ?? []) : [];
    expect(plainCell(cell)).toBe(text);
    // A formula that is a text and nothing else.
    if (/^[=+\-@]/.test(cell)) expect(cell).toMatch(/^="(?:[^"]|"")*"$/);
  }
});
