// Workbooks of people who mean ill: each is answered with a sentence, or with what its first sheet says, and the memory
// that it takes is bounded.
import { CFB } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import { EXCEL, odsOf, xlsxOf, type SheetRows } from './workbooks.ts';
import { zipOf } from './zip.ts';

const MB = 1_000_000;
const ROWS: SheetRows = [['Rego'], ['XV04KL']];
const START =
  '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
const END = '</sheetData></worksheet>';

/** The parts of a workbook of Excel, with others in place of some of them. */
function parts(others: Record<string, string | Buffer>): Buffer {
  const book = xlsxOf(ROWS, EXCEL);
  const zip = CFB.read(book, { type: 'buffer' });
  const found: Record<string, string | Buffer> = {};
  for (const [place, path] of zip.FullPaths.entries()) {
    const name = String(path).replace(/^Root Entry\//, '');
    const { content } = zip.FileIndex[place];
    if (content !== undefined && content.length > 0 && !name.includes('Sh33tJ5')) found[name] = Buffer.from(content);
  }
  return zipOf({ ...found, ...others });
}

const repeated = (row: string, times: number) =>
  Buffer.concat([Buffer.from(START), Buffer.alloc(row.length * times, row), Buffer.from(END)]);
const SHEET = 'xl/worksheets/sheet1.xml';
const encrypted = () => {
  const box = CFB.utils.cfb_new();
  CFB.utils.cfb_add(box, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 64, 0, 0, 0, 60, 63]));
  CFB.utils.cfb_add(box, '/EncryptedPackage', Buffer.alloc(5000, 7));
  return Buffer.from(CFB.write(box, { type: 'buffer' }));
};
// What a zip says of its sizes is a lie: 1 byte each.
function lying(): Buffer {
  const bytes = parts({ [SHEET]: repeated('<row r="1"/>', 20 * MB) });
  for (let at = bytes.indexOf('PK\x01\x02'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes.writeUInt32LE(1, at + 24);
  return bytes;
}
// Many names for the same hundred kilobytes, which unpack to a hundred megabytes each.
function overlapping(): Buffer {
  const bytes = zipOf({ 'xl/workbook.xml': Buffer.alloc(90 * MB, 32) });
  const entry = bytes.subarray(bytes.indexOf('PK\x01\x02'), bytes.lastIndexOf('PK\x05\x06'));
  const files = bytes.subarray(0, bytes.indexOf('PK\x01\x02'));
  const entries = Array.from({ length: 1000 }, (_, n) => {
    const copy = Buffer.from(entry);
    copy.write(`x/workbook${String(n).padStart(4, '0')}`.slice(-15), 46, 'latin1');
    copy.write('.xml', 46 + 11, 'latin1');
    return copy;
  });
  const end = Buffer.from(bytes.subarray(bytes.lastIndexOf('PK\x05\x06')));
  end.writeUInt16LE(entries.length, 10);
  return Buffer.concat([files, ...entries, end]);
}

test.each([
  ['a zip bomb', () => parts({ [SHEET]: Buffer.alloc(1000 * MB, 32) }), /unpacks to more than 100 MB/],
  [
    'a zip bomb in the texts',
    () => parts({ 'xl/sharedStrings.xml': Buffer.alloc(400 * MB, 65) }),
    /unpacks to more than 100 MB/,
  ],
  ['a zip that lies about its sizes', lying, /unpacks to more than 100 MB/],
  ['one part under a thousand names', overlapping, /unpacks to more than 100 MB|no workbook/],
  ['ten million rows', () => parts({ [SHEET]: repeated('<row><c><v>1</v></c></row>', 10 * MB) }), /unpacks to more/],
  [
    'three million short rows',
    () => parts({ [SHEET]: repeated('<row><c><v>1</v></c></row>', 3 * MB) }),
    /more than 100,000 rows|too much/,
  ],
  ['ten million empty rows', () => parts({ [SHEET]: repeated('<row/>', 10 * MB) }), /./],
  ['a row of a million cells', () => parts({ [SHEET]: repeated('<c><v>1</v></c>', 4 * MB) }), /./],
  [
    'one cell of 50 MB',
    () => parts({ [SHEET]: `${START}<row><c t="str"><v>${'x'.repeat(50 * MB)}</v></c></row>${END}` }),
    /more than 8 MB|cannot be read/,
  ],
  [
    'entities in entities',
    () =>
      parts({
        [SHEET]: `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${START}<row><c t="str"><v>&b;</v></c></row>${END}`,
      }),
    /./,
  ],
  ['an .ods whose last rows repeat to the end of the sheet', () => odsOf(ROWS), undefined],
  ['a password', encrypted, /has a password/],
  ['half a workbook', () => xlsxOf(ROWS, EXCEL).subarray(0, 800), /cannot be read/],
  ['a zip of something else', () => zipOf({ 'word/document.xml': '<x/>' }), /no workbook of Excel or LibreOffice/],
  [
    'half an old workbook',
    () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array.from({ length: 600 }, () => 7)]),
    /cannot be read/,
  ],
  [
    'a page that is called .xls',
    () => Buffer.from('<html><table><tr><td>Rego</td></tr></table></html>'),
    /no table that can be read/,
  ],
  ['a PDF', () => Buffer.from('%PDF-1.4\n1 0 obj'), /no table that can be read|not text/],
] as const)(
  '%s is answered with a sentence, in bounded memory and time',
  { timeout: 120_000 },
  async (_, make, sentence) => {
    const bytes = make();
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
    const started = performance.now();
    const read = await textOfFile(bytes);
    clearInterval(watch);
    expect(performance.now() - started).toBeLessThan(40_000);
    expect((peak - before) / MB).toBeLessThan(1200);
    if (sentence === undefined) expect(read.ok).toBe(true);
    else expect(read.ok ? 'read' : read.message).toMatch(sentence);
  },
);

test('macros, links to other files and formulas are not opened: what the sheet shows is read', async () => {
  const rows: SheetRows = [
    ['Rego', 'Make'],
    ['XV04KL', { formula: 'WEBSERVICE("http://192.0.2.1/")' }],
    ['1GH551', '=cmd|calc!A1'],
  ];
  const book = xlsxOf(rows, EXCEL);
  const zip = CFB.read(book, { type: 'buffer' });
  CFB.utils.cfb_add(zip, 'xl/vbaProject.bin', Buffer.from('Sub Auto_Open()'));
  CFB.utils.cfb_add(
    zip,
    'xl/externalLinks/externalLink1.xml',
    '<externalLink><externalBook r:id="rId1"/></externalLink>',
  );
  const bytes = Buffer.from(CFB.write(zip, { fileType: 'zip', type: 'buffer', compression: true }));
  expect(await textOfFile(bytes)).toMatchObject({
    ok: true,
    text: 'Rego\tMake\nXV04KL\t#VALUE!\n1GH551\t=cmd|calc!A1',
  });
});
