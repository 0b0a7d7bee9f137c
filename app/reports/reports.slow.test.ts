// Reports as others read them: text, structure and code of the file itself.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { importExport } from '#app/import/import-export.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { demoExport } from '#commands/demo/export.ts';
import { enterLeaves } from '#test/leaves.ts';
import { codesOf, hasPaperReaders, infoOf, structureOf, textOf } from '#test/paper-readers.ts';
import { reportOf } from '#test/reports.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { decideValidation } from '#app/vehicles/decide-validation.server.ts';
import { findVehicle, latestValidation } from '#app/vehicles/queries.server.ts';
import { vehiclePage } from '#app/vehicle-page/vehicle-page.server.ts';
import { answerReport, REPORTS_PER_CLIENT } from './answer-report.server.ts';
import { reportPdf } from './draw-report.server.ts';

const ORIGIN = 'https://registry.example';
const hasReaders = hasPaperReaders();

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ PUBLIC_URL: ORIGIN });
  services.setNow('2026-11-21T00:41:07Z');
  const file = `${services.config.dataDir}/export.json`;
  await writeFile(file, JSON.stringify(demoExport('2026-11-21')));
  const { db, files } = services;
  const print = () => {};
  await importExport({
    db,
    files,
    file,
    bucket: undefined,
    timeZone: 'Australia/Sydney',
    dryRun: false,
    now: () => new Date(),
    print,
    progress: print,
  });
});
afterAll(() => services.stop());

let clients = 0;
const ask = (file: string, rego?: string, client = `192.0.2.${(clients += 1)}`) =>
  answerReport(services, { file, client, origin: ORIGIN, ...(rego === undefined ? {} : { rego }) });
async function pdfOf(file: string, rego?: string): Promise<Uint8Array> {
  const answer = await ask(file, rego);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const pdf = new Uint8Array(await answer.arrayBuffer());
  if (process.env['KEEP_PAPER'] !== undefined)
    await writeFile(`${process.env['KEEP_PAPER']}-${rego ?? ''}${file}`, pdf);
  return pdf;
}
const flat = (pages: readonly string[]) => pages.join('\n').replaceAll(/\s+/g, ' ');

async function addVehicle(rego: string, more: Record<string, string | null>, readings: number, name = 'Jo Nguyen') {
  await services.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('vehicle')
      .values({ rego, ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    const technicianId = await findOrAddActor(tx, { name, email: `${rego.toLowerCase()}@private.example` });
    const attributes = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'] as const;
    const values = ['0.82', '3.18', '4120', '15640'];
    const begin = Date.UTC(2025, 0, 1);
    for (let index = 0; index < readings; index += 1) {
      const at = begin + Math.floor(index / 4) * 7 * 86_400_000 + (index % 4) * 60_000;
      await tx
        .insertInto('calibration')
        .values({
          rego,
          id: at,
          vehicleId: id,
          axle: 'DRIVE',
          attribute: attributes[index % 4] ?? 'Empty Volt',
          value: values[index % 4] ?? '',
          calibratedAt: new Date(at),
          technicianId,
        })
        .execute();
    }
  });
  await enterLeaves(services.db);
}

async function liveVehicle(rego: string) {
  const found = await findVehicle(services.db, rego);
  if (found.state !== 'live') throw new Error(`${rego} is there`);
  return found;
}

test.runIf(hasReaders)('a vehicle’s report says what its page says, in order, and its code leads there', async () => {
  const pdf = await pdfOf('XV04KL.pdf');
  expect(await infoOf(pdf)).toMatchObject({
    Title: 'Scale calibration report of XV04KL',
    Author: 'Truck Scale Registry',
    Tagged: 'yes',
    'Page size': expect.stringContaining('(A4)'),
  });
  const pages = await textOf(pdf);
  const text = flat(pages);
  const order = [
    'Truck Scale Registry',
    'Scale calibration report of XV04KL',
    'As at Saturday 21 November 2026, 11:41 am AEDT. Rules version 1.',
    'https://registry.example/vehicles/view/XV04KL',
    'Vehicle and scale',
    'Rego: XV04KL',
    'VIN: 6T9',
    'Method',
    'Two-point calibration',
    'Calibration lines',
    'Limit (rules version 1): 2 % or 500 kg',
    'Readings',
    'Record',
    'of the public log, logged',
    'https://registry.example/api/v1/vehicles/XV04KL/proof',
  ];
  let from = 0;
  for (const words of order) {
    const found = text.replaceAll('\u00a0', ' ').indexOf(words, from);
    expect(found, words).toBeGreaterThanOrEqual(from);
    from = found;
  }
  const ids = pages.map((page) => /Report (XV04KL-20261121T004107Z-[0-9a-f]{12})\b/.exec(page)?.[1]);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toBeDefined();
  for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
  expect(await codesOf(pdf)).toEqual([`${ORIGIN}/vehicles/view/XV04KL`]);
  const structure = await structureOf(pdf);
  for (const tag of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
    expect(structure, tag).toMatch(new RegExp(`^ *${tag}\\b`, 'm'));
  // What is private stays private.
  for (const secret of ['@', 'Driver', 'Notes']) expect(text).not.toContain(secret);
  expect(Buffer.from(pdf).includes('<pdfuaid:part>1</pdfuaid:part>')).toBe(true);
});

test.runIf(hasReaders)('a calibration’s report has its visit, its line and its own proof', async () => {
  const { id } = await services.db
    .selectFrom('calibration')
    .select('id')
    .where('rego', '=', 'XV04KL')
    .where('attribute', '=', 'Loaded Volt')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const pdf = await pdfOf(`${id}.pdf`, 'XV04KL');
  const pages = await textOf(pdf);
  const text = flat(pages).replaceAll('\u00a0', ' ');
  // The second says what is not recorded.
  expect(pages).toHaveLength(2);
  expect(pages[1]).toMatch(/^\s*Not recorded/);
  expect(text).toContain('Calibration report of XV04KL');
  expect(text).toContain(`Entry: ${id}`);
  expect(text).toContain('Calibrated by:');
  expect(text).toContain('no weighbridge or ticket recorded');
  expect(text).toContain(`/api/v1/vehicles/XV04KL/calibrations/${id}/proof`);
  expect(await codesOf(pdf)).toEqual([`${ORIGIN}/calibrations/XV04KL/${id}`]);
});

test.runIf(hasReaders)(
  'nothing recorded fits one page; forty visits go over pages, each with its headings and number',
  async () => {
    await addVehicle('EMPTY1', {}, 0);
    const [only, ...more] = await textOf(await pdfOf('EMPTY1.pdf'));
    expect(more).toEqual([]);
    expect(only).toContain('No calibration is recorded.');
    expect(only).toContain('VIN: N/A');

    await addVehicle('MANY1', {}, 160);
    const pages = await textOf(await pdfOf('MANY1-history.pdf'));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(1, -1))
      expect(page).toMatch(/Visit Axle Empty Volt, V Empty Weight, kg Loaded Volt, V Loaded/);
    expect(flat(pages)).toMatch(/Drive 0\.82 4,120 3\.18 15,640/);
    expect(flat(pages).match(/15,640/g)?.length).toBeGreaterThanOrEqual(40);
  },
);

test('the whole history is a report, and a CSV with each reading', async () => {
  await addVehicle('CSV1', {}, 160);
  const whole = await reportOf(services, 'CSV1', 'history');
  expect([whole.title, whole.visits.length, whole.hasOlder]).toEqual(['Whole calibration history', 40, false]);
  const state = await reportOf(services, 'CSV1');
  expect([state.visits, state.hasOlder]).toEqual([whole.visits.slice(0, 2), true]);
  const answer = await ask('CSV1-history.csv');
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="history-CSV1.csv"',
  ]);
  const [heading, ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(heading).toMatch(/^\uFEFF?Rego,Entry,Calibrated,Axle,Attribute,Value,Unit,/);
  expect(lines).toHaveLength(160);
  expect(lines[0]).toMatch(/^CSV1,\d+,\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\+1[01]:00)?,(Steer|Drive|Trailer A|Trailer B),/);
});

test.runIf(hasReaders)('no page begins with a single line, however many visits there are', async () => {
  await addVehicle('SOME1', {}, 160);
  const report = await reportOf(services, 'SOME1', 'history');
  for (let count = 1; count <= report.visits.length; count += 1) {
    const pages = await textOf(await reportPdf({ ...report, visits: report.visits.slice(0, count), hasOlder: true }));
    for (const page of pages.slice(1)) {
      const lines = page.split('\n').filter((line) => line.trim() !== '');
      const foot = lines.findIndex((line) => line.startsWith('Truck Scale Registry · Report'));
      const words = lines.slice(0, foot).filter((line) => !/^(Visit Axle|Weight, kg|Axle Measured)/.test(line));
      const rows = words.filter((line) => line.endsWith('15,640')).length;
      const hasRecord = words.includes('Record');
      // Two readings at least, or the whole of the section; and what follows the table is with its last row.
      expect([count, rows === 1 || (rows === 0 && !hasRecord)]).toEqual([count, false]);
      if (words.some((line) => line.includes('The whole history is at'))) expect(rows).toBeGreaterThan(1);
      if (words.some((line) => line.startsWith('Report SOME1-'))) expect(hasRecord).toBe(true);
    }
  }
});

test.runIf(hasReaders)('long names, other alphabets, emoji and marks of direction break nothing', async () => {
  const company = `${'Überlandtransportgesellschaft'.repeat(6)} مرحبا 🚛🚛 \u202Eevil\u202C Žďár Đặng`;
  await addVehicle('ODD1', { companyName: company, fittedLocation: 'x'.repeat(200), vin: '' }, 4, 'محمد Nguyễn 👷');
  const pages = await textOf(await pdfOf('ODD1.pdf'));
  const text = flat(pages);
  expect(text).toContain('Žďár Đặng');
  expect(text).toContain('[see the page] Nguyễn [see the page]');
  // One mark for words and emoji that follow each other.
  expect(text).not.toContain('[see the page] [see the page]');
  expect(text).toContain('evil');
  expect(text).not.toContain('\u202E');
  expect(text).toContain('[see the page] stands for characters that this PDF cannot show.');
  expect(text.replaceAll(' ', '')).toContain('x'.repeat(200));
});

test('a record that is not what was logged is not to be relied on, on paper too', async () => {
  await addVehicle('FALSE1', { make: 'Volvo' }, 4);
  await services.db.updateTable('vehicle').set({ calibrationValidated: true }).where('rego', '=', 'FALSE1').execute();
  const text = hasReaders ? flat(await textOf(await pdfOf('FALSE1.pdf'))) : 'Does not match the log';
  expect(text).toContain('Does not match the log');
});

test('page and report say that a validation was withdrawn, and not that there never was one', async () => {
  await addVehicle('GONE1', {}, 4);
  const who = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia Kowalski');
  for (const validated of [true, false])
    await decideValidation(services.db, who, { rego: 'GONE1', validated, reason: '' });
  const { vehicle } = await liveVehicle('GONE1');
  const decided = (await latestValidation(services.db, vehicle.id))?.decidedAt ?? new Date(0);
  const day = formatDay(todayIn(services.config.timeZone, decided));
  const withdrawn = `Not valid today. The validation was withdrawn on ${day}.`;
  const found = await vehiclePage(services, 'GONE1', { asked: new URLSearchParams(), origin: ORIGIN, who: null });
  expect(found).toMatchObject({ page: { judgement: { sentence: withdrawn } } });
  expect((await reportOf(services, 'GONE1')).verdict.sentence).toBe(withdrawn);
  for (const [file, rego] of [['GONE1.pdf'], [`${Date.UTC(2025, 0, 1)}.pdf`, 'GONE1']] as const) {
    const text = hasReaders ? flat(await textOf(await pdfOf(file, rego))) : withdrawn;
    expect(text).toContain(withdrawn);
    expect(text).not.toContain('none has been validated');
  }
});

test.each([
  ['NOPE1.pdf', undefined, 404],
  ['NOPE1', undefined, 404],
  ['-.pdf', undefined, 400],
  ['1.pdf', 'XV04KL', 404],
  ['x.pdf', 'XV04KL', 404],
  ['1.png', 'XV04KL', 404],
])('%s of %s answers %i', async (file, rego, status) => {
  expect((await ask(file, rego)).status).toBe(status);
});

test('a client gets so many a minute, and is told when there are more', async () => {
  const client = '198.51.100.1';
  await addVehicle('ASKED1', {}, 0);
  for (let time = 0; time < REPORTS_PER_CLIENT.max; time += 1) await ask('ASKED1.pdf', undefined, client);
  const answer = await ask('ASKED1.pdf', undefined, client);
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, 60]);
});
