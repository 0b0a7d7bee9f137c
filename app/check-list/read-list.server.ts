// Reads a list of trucks as people have it: pasted text, or a CSV file from whatever program. One line of the answer
// for each line of the list, in its order: empty ones, doubled ones and the heading too, so that nobody searches for a
// line that was left out. What cannot be read as a list is refused whole, with a sentence.
import { readCsv } from '#app/platform/http/read-csv.server.ts';
import type { GivenLine } from './line-answer.ts';

export const LINES_MAX = 10_000;

export type ReadList = { ok: true; lines: GivenLine[] } | { ok: false; message: string };

const HEADINGS = ['rego', 'plate', 'registration', 'vin'];

/** The text of a file, or why it is none. */
export function textOfFile(bytes: Uint8Array): { ok: true; text: string } | { ok: false; message: string } {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first === 0x50 && second === 0x4b && third < 8 && fourth < 9)
    return { ok: false, message: 'This is an Excel workbook. Save it as CSV, or copy the column and paste it above.' };
  const encoding = encodingOf(bytes, first, second);
  if (encoding === undefined)
    return { ok: false, message: 'This file is not text. Choose a CSV file, or paste the list above.' };
  return { ok: true, text: new TextDecoder(encoding).decode(bytes) };
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

/** The lines of a list. Of several columns the first, or the one whose heading names it. */
export function readList(given: string): ReadList {
  // A heading beside as many as may be, and one more, to know that there are more.
  const read = readCsv(given, { most: LINES_MAX + 2, keepEmpty: true });
  if (!read.ok) return { ok: false, message: `Line ${read.line} ${WRONG[read.reason]}` };
  const lines = read.lines.map(({ cells }) => cells);
  const [first, ...more] = lines;
  if (first === undefined || lines.every((cells) => cells.every((cell) => cell.trim() === '')))
    return { ok: false, message: 'Paste the regos or VINs, one a line, or choose a CSV file.' };
  // Everything in one line: each cell is a truck.
  const rows = more.length === 0 && first.length > 1 ? first.map((cell) => [cell]) : lines;
  const heading = first.map((cell) => cell.trim().toLowerCase());
  const column = more.length === 0 ? -1 : heading.findIndex((name) => HEADINGS.includes(name));
  if (rows.length - (column >= 0 ? 1 : 0) > LINES_MAX) return tooMany();
  return {
    ok: true,
    lines: rows.map((cells, place) => ({
      number: place + 1,
      text: asTyped(cells[Math.max(0, column)] ?? ''),
      isHeading: place === 0 && column >= 0,
    })),
  };
}

/** How many lines of a list ask for a truck: all but the heading. */
export const countAsked = (lines: readonly Pick<GivenLine, 'isHeading'>[]): number =>
  lines.filter(({ isHeading }) => !isHeading).length;

const WRONG = {
  'too-long': 'is too long to be a line of a list.',
  'too-many-cells': 'is where the list has more than a million cells. Take the column of regos alone.',
  'open-quote': 'opens a quotation mark that nothing closes. Mend it, or paste the column alone.',
} as const;

/** The lines as text that `readList` reads as the same lines. */
export const listText = (lines: readonly GivenLine[]): string =>
  lines.map(({ text }) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\n');

const tooMany = (): ReadList => ({
  ok: false,
  message: `The list has more than ${LINES_MAX.toLocaleString('en-AU')} lines. Divide it, and check the parts one after the other.`,
});

// Excel keeps a rego such as 007 as text by writing it as a formula: ="007".
const asTyped = (cell: string): string => /^="(.*)"$/.exec(cell.trim())?.[1] ?? cell.trim();
