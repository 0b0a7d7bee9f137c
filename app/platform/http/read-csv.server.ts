// Reads CSV as spreadsheets and people write it: with a mark in front or none, separated by tabs, semicolons or commas,
// each kind of line end, quotes where they are not needed. Its time grows with the text alone, 9 MB in a tenth of a
// second, and its memory is bounded: a line that is too long, or too many cells, end the reading.

/** Longer than any line of ours. */
const LINE_MAX = 128 * 1024;
/** A hundred columns of the longest list. */
const CELLS_MAX = 1_000_000;
const DELIMITERS = ['\t', ';', ','] as const;
const [TAB, LF, CR, SPACE, QUOTE] = [9, 10, 13, 32, 34];

/** `line`: in the text, from 1; the last one, where a cell has several. */
export type CsvLine = { line: number; cells: string[] };
export type ReadCsv =
  | { ok: true; lines: CsvLine[] }
  | { ok: false; line: number; reason: 'too-long' | 'too-many-cells' | 'open-quote' };

/** A line break in a cell that takes no line of the text: a row of a sheet is one line. */
export const BREAK_IN_CELL = '\u2028';

// Excel's own first line: sep=;
const NAMED_DELIMITER = /^\uFEFF?"?sep=([^"\r\n])"?(?:\r\n?|\n|$)/i;

/** The first `most` lines of `text`. `keepEmpty`: lines without a text too, and each cell as it is. */
export function readCsv(text: string, { most, keepEmpty = false }: { most: number; keepEmpty?: boolean }): ReadCsv {
  const named = NAMED_DELIMITER.exec(text);
  const delimiter = (named?.[1] ?? delimiterOf(text)).charCodeAt(0);
  const lines: CsvLine[] = [];
  let at = named?.[0].length ?? (text.startsWith('\uFEFF') ? 1 : 0);
  let line = named === null ? 1 : 2;
  let count = 0;
  while (at < text.length && lines.length < most) {
    const from = at;
    const cells: string[] = [];
    for (; ; at += 1) {
      const cell = cellAt(text, at, delimiter);
      if (cell.end === -1 || cell.end - from > LINE_MAX)
        return { ok: false, line, reason: cell.end - from > LINE_MAX ? 'too-long' : 'open-quote' };
      if ((count += 1) > CELLS_MAX) return { ok: false, line, reason: 'too-many-cells' };
      const said = cell.text.replaceAll(BREAK_IN_CELL, '\n');
      cells.push(keepEmpty ? said : said.trim());
      line += cell.lines;
      at = cell.end;
      if (text.charCodeAt(at) !== delimiter) break;
    }
    if (keepEmpty || cells.some((cell) => cell !== '')) lines.push({ line, cells });
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
  }
  return { ok: true, lines };
}

// `end`: of the cell, at a delimiter, a line end or the end of the text; -1: its quotation mark is not closed. `lines`:
// the line ends in it.
function cellAt(text: string, from: number, delimiter: number): { text: string; end: number; lines: number } {
  let open = from;
  while (isBlank(text.charCodeAt(open), delimiter)) open += 1;
  if (text.charCodeAt(open) !== QUOTE)
    return { text: text.slice(from, (open = endOf(text, from, delimiter))), end: open, lines: 0 };
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE && close - open <= LINE_MAX)
    close = text.indexOf('"', close + 2);
  if (close === -1) return { text: '', end: text.length - open > LINE_MAX ? text.length : -1, lines: 0 };
  let end = close + 1;
  while (isBlank(text.charCodeAt(end), delimiter)) end += 1;
  const lines = text.slice(open, close).match(/\r\n?|\n/g)?.length ?? 0;
  if (end === endOf(text, end, delimiter))
    return { text: text.slice(open + 1, close).replaceAll('""', '"'), end, lines };
  // Text goes on behind the mark: both marks are part of it.
  end = endOf(text, end, delimiter);
  return { text: text.slice(from, end), end, lines };
}

const isBlank = (code: number, delimiter: number) => (code === SPACE || code === TAB) && code !== delimiter;

function endOf(text: string, from: number, delimiter: number): number {
  const most = Math.min(text.length, from + LINE_MAX + 1);
  let end = from;
  for (; end < most; end += 1) {
    const code = text.charCodeAt(end);
    if (code === delimiter || code === LF || code === CR) break;
  }
  return end;
}

// What the first line has outside of quotes.
function delimiterOf(text: string): string {
  const start = text
    .slice(0, LINE_MAX)
    .replace(/^\uFEFF/, '')
    .trimStart();
  const firstLine = /^[^\r\n]*/.exec(start)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  return DELIMITERS.find((known) => firstLine.includes(known)) ?? ',';
}
