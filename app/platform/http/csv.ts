// CSV by RFC 4180, safe to open in a spreadsheet.

/** The byte order mark. Without it Excel reads UTF-8 in the machine's legacy code page. */
export const CSV_BEGIN = '\uFEFF';

// Characters that make a spreadsheet run a cell as a formula. Some programs accept the full-width signs too.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\t\r\n]|^\s|\s$/;

/** One line. A cell that a spreadsheet would run gets an apostrophe in front, and so stays text. */
export function csvLine(cells: readonly (string | boolean | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | boolean | null): string {
  const text = value === null ? '' : String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
