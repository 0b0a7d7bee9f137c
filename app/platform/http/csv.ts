// CSV as RFC 4180 has it, for people who open it in a spreadsheet.

/** Without it Excel takes UTF-8 for the machine's old code page. */
export const CSV_BEGIN = '\uFEFF';

// What makes a spreadsheet run a cell; the full-width signs too, which some take for the plain ones.
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
