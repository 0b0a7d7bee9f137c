// Labels as they come out of a printer: read by programs that are not ours.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, codesOf, hasPaperReaders, infoOf, textOf } from '#test/paper-readers.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { answerLabel, answerSheet } from './answer-labels.server.ts';
import { labelPdf, labelSheet, labelSvg } from './draw-label.server.ts';
import { layOutLabel, type LabelFacts } from './label.ts';
import { readConfig } from '#app/platform/process/config.server.ts';
import { labelOrigin } from './label-origin.ts';

const FACTS: LabelFacts = {
  rego: 'XV04KL',
  plate: 'XV04KL',
  vin: '6T9HZ8FM2PA100418',
  dueMonth: 'May 2027',
  registryName: 'Truck Scale Registry',
  address: 'https://registry.example/vehicles/view/XV04KL',
};
const LONGEST: LabelFacts = {
  rego: 'W'.repeat(20),
  plate: `${'W'.repeat(20)} NSW`,
  vin: 'W'.repeat(30),
  dueMonth: 'September 2027',
  registryName: 'The Very Long Named Registry of On-Board Mass Scales of Every State & Territory “Ž” 🚛 عربي',
  address: `https://a-rather-long-name.of-the-registry.example.gov.au/vehicles/view/${'W'.repeat(20)}`,
};
const hasReaders = hasPaperReaders();

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices({ PUBLIC_URL: 'https://registry.example' });
  await services.db
    .insertInto('vehicle')
    .values([
      {
        rego: 'AAA1',
        vin: FACTS.vin,
        nextCalibrationDueOn: '2027-05-31',
        calibrationValidated: true,
        lastCalibratedAt: new Date('2026-11-20T01:00:00Z'),
      },
      { rego: 'AAA2' },
      { rego: 'GONE1', deletedAt: new Date() },
      ...Array.from({ length: 201 }, (_, index) => ({ rego: `MANY${index}` })),
    ])
    .execute();
});
afterAll(() => services.stop());

test.runIf(hasReaders)(
  'a label is 100 × 50 mm, says its words, and its code leads to the live page at that size',
  async () => {
    const pdf = await labelPdf(FACTS);
    expect(await infoOf(pdf)).toMatchObject({
      Title: 'Label of XV04KL',
      Tagged: 'yes',
      'Page size': '283.465 x 141.732 pts',
    });
    const [text] = await textOf(pdf);
    expect(text).toBe(
      'Truck Scale Registry\nXV04KL\nVIN … 100418\nNext calibration due\nMay 2027\nScan to see whether it is valid today\n',
    );
    // 150 dots an inch is less than any label printer has.
    for (const dpi of [100, 150, 300]) expect(await codesOf(pdf, dpi), String(dpi)).toEqual([FACTS.address]);
  },
);

test.runIf(hasReaders)('the longest words are made smaller, and the code still reads', async () => {
  const pdf = await labelPdf(LONGEST);
  expect(await codesOf(pdf)).toEqual([LONGEST.address]);
  const [text] = await textOf(pdf);
  expect(text).toContain('Every State & Territory “Ž” [see the page]');
  const none = await textOf(await labelPdf({ ...FACTS, vin: '', dueMonth: null }));
  expect(none[0]).toContain('No VIN recorded\nNext calibration due\nnone recorded');
});

test('no line is wider than the place that it has, nor higher than the line before', () => {
  const measure = (text: string, size: number) => text.length * size * 0.9;
  for (const facts of [FACTS, LONGEST])
    for (const { width, size, text } of layOutLabel(facts, measure)) {
      expect(width).toBeLessThanOrEqual(46);
      expect(measure(text, size)).toBeLessThanOrEqual(46.001);
    }
});

test.runIf(hasReaders)('a sheet has ten labels a page, each with its own code', async () => {
  const labels = Array.from({ length: 23 }, (_, index) => ({
    ...FACTS,
    rego: `S${index}`,
    address: `https://registry.example/vehicles/view/S${index}`,
  }));
  const pdf = await labelSheet(labels, 'Truck Scale Registry');
  expect(await infoOf(pdf)).toMatchObject({ Pages: '3', 'Page size': expect.stringContaining('(A4)') });
  const [side, top] = [5, 23.5];
  for (const [index, { address }] of labels.entries()) {
    const place = index % 10;
    const label = [side + (place % 2) * 100, top + Math.floor(place / 2) * 50, 100, 50] as const;
    expect(await codeAt(pdf, Math.floor(index / 10) + 1, label)).toBe(address);
  }
});

test('the SVG is 100 × 50 mm, with every text escaped and held to its width', async () => {
  const svg = await labelSvg({ ...FACTS, registryName: '<script>&"\u0000' });
  expect(svg).toContain('width="100mm" height="50mm" viewBox="0 0 100 50"');
  expect(svg).toContain('&lt;script&gt;&amp;&quot; </text>');
  expect(svg.match(/textLength=/g)).toHaveLength(6);
  expect(svg).not.toContain('style');
});

const sheet = async (search: string) => {
  const answer = await answerSheet(services, new URL(`https://registry.example/vehicles/labels.pdf?${search}`));
  if (answer.headers.get('content-type') === 'application/pdf') return new Uint8Array(await answer.arrayBuffer());
  const { status, code }: { status: number; code: string } = await answer.json();
  return [status, code];
};

test.runIf(hasReaders)('a sheet is of the chosen vehicles, else of what the list finds', async () => {
  const codes = async (search: string) => {
    const pdf = await sheet(search);
    return pdf instanceof Uint8Array
      ? (await codesOf(pdf)).map((address) => address.split('/').at(-1)).toSorted()
      : pdf;
  };
  expect(await codes('q=AAA&rego=AAA2&rego=aaa-1&rego=GONE1&rego=AAA2')).toEqual(['AAA1', 'AAA2']);
  expect(await codes('q=AAA')).toEqual(['AAA1', 'AAA2']);
  expect(await codes('q=AAA&verdict=valid')).toEqual(['AAA1']);
});

test('what cannot be made is said: too many, nothing, no such file, no address', async () => {
  expect(await sheet('')).toEqual([400, 'too-many-labels']);
  expect(await sheet(Array.from({ length: 201 }, (_, index) => `rego=MANY${index}`).join('&'))).toEqual([
    400,
    'too-many-labels',
  ]);
  expect(await sheet('q=ZZZZZ')).toEqual([404, 'vehicle-unknown']);
  expect(await sheet('rego=')).toEqual([404, 'vehicle-unknown']);
  expect(await sheet('q=%25')).toEqual([404, 'vehicle-unknown']);
  for (const file of ['AAA1', 'AAA1.png', 'NOPE1.svg', '.svg', 'GONE1.pdf'])
    expect((await answerLabel(services, file)).status, file).toBe(404);
  const config = (PUBLIC_URL?: string) => readConfig({ PUBLIC_URL, PORT: '3000' });
  for (const url of [undefined, 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://x.localhost'])
    expect(labelOrigin(config(url)), url).toBeUndefined();
  expect(labelOrigin(config('https://registry.example'))).toBe('https://registry.example');
  expect(labelOrigin({ ...config(), isDemo: true })).toBe('http://127.0.0.1:3000');
  const without = { ...services, config: { ...services.config, publicUrl: undefined } };
  expect((await answerLabel(without, 'AAA1.svg')).status).toBe(409);
});
