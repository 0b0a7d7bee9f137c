// Reads the first sheet of a workbook in a thread of its own (read-workbook.server.ts), and answers with its lines as
// text. No formula is worked out and no macro, link or picture is opened: of what is packed only the sheets, their
// texts and their styles are unpacked, and so much of them at most, whatever the file says of itself.
import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { CFB, read, SSF, type CellObject, type ParsingOptions, type WorkBook } from '@e965/xlsx';
import { keptCell, quotedCell } from './csv.ts';
import { BREAK_IN_CELL } from './read-csv.server.ts';
import type { ReadTable } from './read-workbook.server.ts';

export const ROWS_MAX = 100_000;
const UNPACKED_MAX_BYTES = 100_000_000;
const ENTRIES_MAX = 10_000;
/** What a form can carry. */
const TEXT_MAX = 8_000_000;

const WANTED = /\.(?:xml|rels)$/i;
const UNWANTED =
  /(?:^|\/)(?:externalLinks|drawings|charts|pivot\w+|customXml|media|theme|threadedComments|docProps|Thumbnails|Configurations2|Object \d+)\/|\/comments\d*\.xml$/i;

const OPTIONS: ParsingOptions = {
  type: 'buffer',
  dense: true,
  cellNF: true,
  cellHTML: false,
  // A formula without a result is not an empty cell.
  sheetStubs: true,
  sheetRows: ROWS_MAX + 1,
};

const refuse = (message: string): ReadTable => ({ ok: false, message });

function readSheet(given: Buffer): ReadTable {
  const isZip = given[0] === 0x50;
  const bytes = isZip ? unpacked(given) : given;
  if (!Buffer.isBuffer(bytes)) return bytes;
  const first = read(bytes, { ...OPTIONS, sheets: 0 });
  const place = Math.max(0, first.Workbook?.Sheets?.findIndex((sheet) => (sheet.Hidden ?? 0) === 0) ?? 0);
  const book = place === 0 ? first : read(bytes, { ...OPTIONS, sheets: place });
  const sheet = book.SheetNames[place] ?? '';
  const rows: unknown = book.Sheets[sheet]?.['!data'];
  const lines = Array.isArray(rows) ? linesOf(rows, book) : [];
  while (lines.at(-1) === '') lines.pop();
  if (lines.length > ROWS_MAX)
    return refuse(`The sheet has more than ${ROWS_MAX.toLocaleString('en-AU')} rows. Divide it.`);
  const text = lines.join('\n');
  if (text.length > TEXT_MAX) return refuse('The sheet has more than 8 MB of text. Take the needed columns alone.');
  return { ok: true, text, sheet: { name: sheet, of: book.SheetNames.length } };
}

// The parts that are read, not packed. `inflateRawSync` ends at the limit: what an entry says of its size is not asked.
function unpacked(bytes: Buffer): Buffer | ReadTable {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const count = end === -1 ? 0 : bytes.readUInt16LE(end + 10);
  if (count === 0 || count > ENTRIES_MAX) return refuse(BROKEN);
  const parts = CFB.utils.cfb_new();
  const names = new Set<string>();
  let left = UNPACKED_MAX_BYTES;
  let at = bytes.readUInt32LE(end + 16);
  for (let nth = 0; nth < count; nth += 1) {
    const size = bytes.readUInt32LE(at + 20);
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, nameEnd);
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const isPacked = bytes.readUInt16LE(at + 10) !== 0;
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (!WANTED.test(name) || UNWANTED.test(name) || names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    const packed = bytes.subarray(from, from + size);
    const content = isPacked ? inflateRawSync(packed, { maxOutputLength: left }) : packed;
    if ((left -= content.length) <= 0) return refuse(UNPACKS_TO_TOO_MUCH);
    CFB.utils.cfb_add(parts, name, content);
  }
  if (!names.has('xl/workbook.xml') && !names.has('content.xml')) return refuse(OTHER_PACKAGE);
  return Buffer.from(CFB.write(parts, { fileType: 'zip', type: 'buffer', compression: false }));
}

const BROKEN = 'This workbook cannot be read. Open it, save it again as .xlsx or CSV, and choose that file.';
const UNPACKS_TO_TOO_MUCH = 'This workbook unpacks to more than 100 MB. Save the first sheet alone, or as CSV.';
const OTHER_PACKAGE = 'This file is no workbook of Excel or LibreOffice. Save it as .xlsx, .ods or CSV.';

function linesOf(rows: readonly unknown[], { Workbook }: WorkBook): string[] {
  const date1904 = Workbook?.WBProps?.date1904 === true;
  return Array.from(rows, (row) => {
    const cells = (Array.isArray(row) ? Array.from<CellObject | undefined>(row) : []).map((cell) =>
      cell === undefined || cell === null ? '' : textOf(cell, { date1904 }),
    );
    while (cells.at(-1) === '') cells.pop();
    return cells.map((text) => quotedCell(text.replaceAll(/\r\n?|\n/g, BREAK_IN_CELL))).join('\t');
  });
}

function textOf({ t, v, w, f, z }: CellObject, dates: { date1904: boolean }): string {
  // A formula that only says a text: ="000123".
  if (f !== undefined && /^"(?:[^"]|"")*"$/.test(f)) return keptCell(String(v ?? ''));
  if (t === 'z' || v === undefined) return f === undefined ? '' : '#VALUE!';
  if (t === 'e') return w ?? '#VALUE!';
  if (t === 'b') return v === true ? 'TRUE' : 'FALSE';
  return typeof v === 'number' ? numberText(v, String(z ?? 'General'), dates) : String(v);
}

/** A day as it stands in an Australian sheet, 14/05/2027; a number whole, or as a format such as 000000 shows it. */
function numberText(value: number, format: string, dates: { date1904: boolean }): string {
  const isDate = SSF.is_date(format);
  if (isDate && value >= 1) {
    const { y, m, d, H, M } = SSF.parse_date_code(value, dates);
    const two = (number: number) => String(number).padStart(2, '0');
    return `${two(d)}/${two(m)}/${y}${H + M === 0 ? '' : ` ${two(H)}:${two(M)}`}`;
  }
  return isDate || /^0{2,}$|["\\%]|^0+[- ]/.test(format)
    ? SSF.format(format, value)
    : String(Number(value.toPrecision(15)));
}

function answer(): ReadTable {
  try {
    return readSheet(Buffer.from(workerData));
  } catch (error) {
    const text = error instanceof Error ? `${error.message} ${'code' in error ? String(error.code) : ''}` : '';
    if (/password|encrypt/i.test(text)) return refuse('This workbook has a password. Save it without one.');
    return refuse(text.includes('ERR_BUFFER_TOO_LARGE') ? UNPACKS_TO_TOO_MUCH : BROKEN);
  }
}

parentPort?.postMessage(answer());
