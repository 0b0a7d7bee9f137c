// The text of a table that comes as a file: of a workbook its first sheet, of CSV in any encoding its text. Every table
// that comes in is read here.
import { type ReadTable, readWorkbook } from './read-workbook.server.ts';

/** .xlsx first. */
export const WORKBOOK_TYPES = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/vnd.oasis.opendocument.spreadsheet',
] as const;
export const WORKBOOK_MAX_BYTES = 20 * 1024 * 1024;

/** A file of text is read on the thread. */
const TEXT_FILE_MAX_BYTES = 9 * 1024 * 1024;

const PACKED = [0x50, 0x4b, 3, 4];
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

export async function textOfFile(bytes: Uint8Array): Promise<ReadTable> {
  const begins = (mark: readonly number[]) => mark.every((byte, place) => bytes[place] === byte);
  if (begins(PACKED) || begins(COMPOUND))
    return bytes.length > WORKBOOK_MAX_BYTES
      ? { ok: false, message: 'A workbook has at most 20 MB. Save the first sheet alone, or as CSV.' }
      : readWorkbook(bytes);
  const [first = 0, second = 0] = bytes;
  const encoding = encodingOf(bytes, first, second);
  if (encoding === undefined)
    return { ok: false, message: 'This file is not text. Choose a CSV file or a workbook, or paste the lines.' };
  if (bytes.length > TEXT_FILE_MAX_BYTES)
    return { ok: false, message: 'A CSV file has at most 9 MB. Take the needed columns alone.' };
  const text = new TextDecoder(encoding).decode(bytes);
  return /^\s*(?:<(?:\?xml|!doctype|html|table)|%PDF|\{\\rtf)/i.test(text.slice(0, 200))
    ? { ok: false, message: 'This file is no table that can be read here. Open it, and save it as .xlsx or CSV.' }
    : { ok: true, text };
}

// Spreadsheets write UTF-16 with a mark, some programs without one: then every second byte of plain letters is 0.
function encodingOf(bytes: Uint8Array, first: number, second: number): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1000);
  const zeros = (from: 0 | 1) => start.filter((byte, place) => byte === 0 && place % 2 === from).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (even + odd > 0) {
    if (even === 0 && odd > start.length / 4) return 'utf-16le';
    return odd === 0 && even > start.length / 4 ? 'utf-16be' : undefined;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    // What older programs write. A rego has none of the letters in which it differs.
    return 'windows-1252';
  }
}
