// CSV by RFC 4180, safe to open in a spreadsheet.

/** The byte order mark. Without it Excel reads UTF-8 in the machine's legacy code page. */
export const CSV_BEGIN = '\uFEFF';

// Characters that make a spreadsheet run a cell as a formula. Some programs accept the full-width signs too.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;
// What a spreadsheet makes a number, a date, yes or no, an error or a formula of.
const CHANGED = /\d|^(?:true|false|#)|[=+\-@＝＋－＠]/i;
/** Of a text in a formula. */
const KEPT_MAX = 255;

type Cell = string | boolean | null;

/** One line. A cell that a spreadsheet would run gets an apostrophe in front, and so stays text. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((value) => quotedCell(harmless(String(value ?? '')))).join(',')}\r\n`;
}

/** The same for Excel: a cell that it would change is a formula that says the text, ="000123". `plainCell` reads it. */
export function csvLineForExcel(cells: readonly Cell[]): string {
  return `${cells.map((value) => quotedCell(kept(String(value ?? '')))).join(',')}\r\n`;
}

/** Of cells of somebody's own file, in which a text may be kept so. */
export const csvLineAsGiven = (cells: readonly string[]): string =>
  `${cells.map((cell) => quotedCell(isKept(cell) || cell.startsWith("'") ? cell : harmless(cell))).join(',')}\r\n`;

const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const kept = (text: string): string =>
  CHANGED.test(text) && text.length <= KEPT_MAX && !/[\r\n]/.test(text) ? keptCell(told(text)) : harmless(text);

// What Excel writes of it when it saves the file must not look like a cell that was written here.
const told = (text: string): string =>
  KEPT.test(text) || (text.startsWith("'") && FORMULA.test(text)) ? `'${text}` : text;

export const keptCell = (text: string): string => `="${text.replaceAll('"', '""')}"`;

/** In quotes where a reader needs them, whatever parts the cells. */
export const quotedCell = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The text of a cell that was written as above. */
export const plainCell = (cell: string): string => {
  const text = KEPT.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
};

const KEPT = /^="((?:[^"]|"")*)"$/;

/** Whether no spreadsheet can have changed it since it was written. */
export const isKept = (cell: string): boolean => KEPT.test(cell);
