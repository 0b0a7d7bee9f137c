// Reads a list of trucks as people have it: pasted text, or the text of a file from whatever program. One line of the
// answer for each line of the list, in its order: empty ones, doubled ones and the heading too, so that nobody searches
// for a line that was left out. What cannot be read as a list is refused whole, with a sentence.
import { isKept, keptCell, plainCell, quotedCell } from '#app/platform/http/csv.ts';
import { BREAK_IN_CELL, readCsv } from '#app/platform/http/read-csv.server.ts';
import { headingKey } from '#app/platform/http/read-table.server.ts';
import { isStateHeading, regoPlace } from '#app/vehicles/table-headings.server.ts';
import { STATE, stateIn } from '#app/vehicles/state-in.ts';
import type { GivenLine } from './line-answer.ts';

export const LINES_MAX = 10_000;

export type ReadList = { ok: true; lines: GivenLine[] } | { ok: false; message: string };

/** The lines of a list. Of several columns the first, or the one whose heading names it. */
export function readList(given: string): ReadList {
  // A heading beside as many as may be, and one more, to know that there are more.
  const read = readCsv(given, { most: LINES_MAX + 2, keepEmpty: true });
  if (!read.ok) return { ok: false, message: `Line ${read.line} ${WRONG[read.reason]}` };
  const { lines } = read;
  const [first, ...more] = lines;
  if (first === undefined || lines.every(({ cells }) => cells.every((cell) => cell.trim() === '')))
    return { ok: false, message: 'Paste the regos or VINs, one a line, or choose a file.' };
  // Everything in one line: each cell is a truck.
  if (more.length === 0 && first.cells.length > 1)
    return first.cells.length > LINES_MAX
      ? tooMany()
      : { ok: true, lines: first.cells.map((cell, place) => asGiven(cell, place + 1)) };
  const column = more.length === 0 ? -1 : headingPlace(first.cells);
  const hasHeading = column !== -1;
  if (lines.length - (hasHeading ? 1 : 0) > LINES_MAX) return tooMany();
  const states = hasHeading ? first.cells.findIndex((name, at) => at !== column && isStateHeading(name)) : -1;
  return {
    ok: true,
    lines: lines.map(({ line, cells }, place) => ({
      ...withState(asGiven(cells[Math.max(0, column)] ?? '', line), place === 0 ? '' : (cells[states] ?? '')),
      isHeading: place === 0 && hasHeading,
      ...(place === 0 && states !== -1 ? { states: first.cells[states]?.trim() ?? '' } : {}),
    })),
  };
}

function headingPlace(names: readonly string[]): number {
  const rego = regoPlace(names);
  // A cell with a digit is a truck's.
  if (rego !== -1 && !/\d/.test(names[rego] ?? '')) return rego;
  return names.findIndex((name) => /(?:^|_)(?:vin|chassis)(?:_|$)/.test(headingKey(name)));
}

// Excel keeps a rego such as 007 as text by writing it as a formula: ="007".
function asGiven(given: string, number: number): GivenLine {
  const cell = given.trim();
  const line = { number, text: plainCell(cell).trim(), isHeading: false };
  return isKept(cell) ? { ...line, isKept: true } : line;
}

// The state of a column beside the rego, as if it was typed behind it.
function withState(line: GivenLine, cell: string): GivenLine {
  const state = plainCell(cell.trim()).trim().toUpperCase();
  if (line.text === '' || !IS_STATE.test(state) || stateIn(line.text) !== undefined) return line;
  return { ...line, text: `${line.text} ${state}` };
}

const IS_STATE = new RegExp(`^(${STATE})$`);

/** How many lines of a list ask for a truck: all but the heading. */
export const countAsked = (lines: readonly Pick<GivenLine, 'isHeading'>[]): number =>
  lines.filter(({ isHeading }) => !isHeading).length;

const WRONG = {
  'too-long': 'is too long to be a line of a list.',
  'too-many-cells': 'is where the list has more than a million cells. Take the column of regos alone.',
  'open-quote': 'opens a quotation mark that nothing closes. Mend it, or paste the column alone.',
} as const;

/** The lines as text that `readList` reads as the same lines: blank lines in a cell keep the numbers of those below. */
export function listText(lines: readonly GivenLine[]): string {
  let before = 0;
  return lines
    .map(({ number, text, states, isKept: kept }) => {
      const gap = '\n'.repeat(Math.max(0, number - before - 1));
      before = number;
      const cell = gap + (kept === true ? keptCell(text) : text.replaceAll('\n', BREAK_IN_CELL));
      return quotedCell(cell) + (states === undefined ? '' : `,${quotedCell(states)}`);
    })
    .join('\n');
}

const tooMany = (): ReadList => ({
  ok: false,
  message: `The list has more than ${LINES_MAX.toLocaleString('en-AU')} lines. Divide it, and check the parts one after the other.`,
});
