// Reads a table with a heading: CSV as read-csv.server.ts takes it, or the text of a workbook's sheet. Cells that are
// missing at a line's end are empty, and an empty one behind the last heading is nothing.
import { CSV_BEGIN, csvLineAsGiven } from './csv.ts';
import { type CsvLine, readCsv } from './read-csv.server.ts';

/** `cells`: one for each heading. `given`: as they stand there. `extra`: why the line cannot be taken. */
export type TableLine = CsvLine & { given: string[]; extra?: string };
export type Table =
  | { ok: true; line: number; headings: string[]; lines: TableLine[] }
  | { ok: false; line: number; message: string };

/** Said once the header is right: of a line that is none nobody wants to hear it. */
export const NO_LINES = 'There is no line below the header.';

/** `most`: so many lines below the heading. */
export function readTable(text: string, most: number): Table {
  // The heading, and one more than may be, to know that there are more.
  const read = readCsv(text, { most: most + 2 });
  if (!read.ok) return { ok: false, line: read.line, message: WRONG[read.reason] };
  const [heading, ...lines] = read.lines;
  if (heading === undefined) return { ok: false, line: 1, message: 'Paste the lines of a table, or choose a file.' };
  const headings = heading.cells.slice(0, heading.cells.findLastIndex((name) => name !== '') + 1);
  const refuse = (line: number, message: string): Table => ({ ok: false, line, message });
  if (lines.length > most)
    return refuse(
      lines[most]?.line ?? 0,
      `At most ${most.toLocaleString('en-AU')} lines at once. Divide the file, and import the parts one after the other.`,
    );
  return { ok: true, line: heading.line, headings, lines: lines.map((line) => fitted(line, headings)) };
}

function fitted({ line, cells }: CsvLine, headings: readonly string[]): TableLine {
  const extra = cells.filter((cell, place) => cell !== '' && (headings[place] ?? '') === '').length;
  return {
    line,
    given: cells,
    cells: headings.map((_, place) => cells[place] ?? ''),
    ...(extra === 0
      ? {}
      : { extra: `${extra} filled ${extra === 1 ? 'cell' : 'cells'} more than the heading has columns.` }),
  };
}

const WRONG = {
  'too-long': 'It is too long to be a line of a table.',
  'too-many-cells': 'Here the file has more than a million cells.',
  'open-quote': 'It opens a quotation mark that nothing closes. A quotation mark in a cell in quotes is written twice.',
} as const;

/** 'Scale S/N' is scale_s_n. */
export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');

/** Where the lines that were left out say why. It is not read. */
export const WHY_COLUMN = 'left_out_because';
export const isWhy = (heading: string): boolean => headingKey(heading) === WHY_COLUMN;

/** The lines of a table that were left out, as they are there, with the reason in a last column. */
export function leftOutCsv({ headings, lines }: Table & { ok: true }, whyOf: (line: number) => string | undefined) {
  const kept = headings.flatMap((name, place) => (isWhy(name) ? [] : [place]));
  const lineOf = (cells: readonly string[], why: string) =>
    csvLineAsGiven([...kept.map((place) => cells[place] ?? ''), why, ...cells.slice(headings.length)]);
  const left = lines.map(({ line, given }) => {
    const why = whyOf(line);
    return why === undefined ? '' : lineOf(given, why);
  });
  return [CSV_BEGIN, lineOf(headings, WHY_COLUMN), ...left].join('');
}

/** The lines that somebody ticked: each a field of the preview, and all of them one field between two blocks. */
export const takenLines = (fields: readonly string[] = []): ReadonlySet<number> =>
  new Set(fields.flatMap((text) => text.split(' ').flatMap((line) => (/^\d{1,7}$/.test(line) ? Number(line) : []))));
