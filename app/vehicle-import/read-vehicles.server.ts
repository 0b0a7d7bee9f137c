// Reads vehicles from CSV, with the columns of the list's export, so that what was exported can be changed and read
// again. A line has its rego and what is to be set; an empty cell sets nothing.
import { readCsv, type CsvLine } from '#app/platform/http/read-csv.server.ts';
import { EXPORTED_COLUMNS } from '#app/vehicles/export-columns.ts';
import { VEHICLE_FIELDS, type Field } from '#app/vehicles/vehicle-fields.ts';

export const LINES_MAX = 10_000;

export type GivenVehicle = { line: number; rego: string; cells: Partial<Record<Field['name'], string>> };
/** `rows`: the cells of each vehicle's line. */
export type ReadVehicles =
  | { ok: true; vehicles: GivenVehicle[]; header: string[]; rows: string[][] }
  | { ok: false; message: string };

/** Where the lines that were left out say why. It is not read. */
export const WHY_COLUMN = 'left_out_because';

export function readVehicles(text: string): ReadVehicles {
  // The header, and one more than may be, to know that there are more.
  const read = readCsv(text, { most: LINES_MAX + 2 });
  if (!read.ok) return { ok: false, message: `Line ${read.line} ${WRONG[read.reason]}` };
  const [header, ...lines] = read.lines;
  if (header === undefined) return { ok: false, message: 'Paste the lines of a CSV file, or choose one.' };
  const names = header.cells.map((name) => name.toLowerCase());
  const refusal = refuseHeader(names) ?? refuseLines(lines, names.length);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const at = (cells: readonly string[], name: string) => plain(cells[names.indexOf(name)] ?? '');
  const given = VEHICLE_FIELDS.filter(({ name }) => names.includes(name));
  return {
    ok: true,
    header: names,
    rows: lines.map(({ cells }) => cells),
    vehicles: lines.map(({ line, cells }) => ({
      line,
      rego: at(cells, 'rego'),
      cells: Object.fromEntries(
        given.map((field) => [field.name, typed(field, at(cells, field.name))]).filter(([, cell]) => cell !== ''),
      ),
    })),
  };
}

const WRONG = {
  'too-long': 'is too long to be a line of vehicles.',
  'too-many-cells': 'is where the file has more than a million cells.',
  'open-quote': 'opens a quotation mark that nothing closes.',
} as const;

function refuseHeader(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !EXPORTED_COLUMNS.includes(name) && name !== WHY_COLUMN);
  if (unknown !== undefined) return `There is no column “${unknown}”. See the columns above.`;
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) return `The header has the column “${twice}” twice.`;
  return names.includes('rego') ? undefined : 'The header needs the column “rego”.';
}

function refuseLines(lines: readonly CsvLine[], width: number): string | undefined {
  if (lines.length === 0) return 'There is no line below the header.';
  if (lines.length > LINES_MAX)
    return `At most ${LINES_MAX.toLocaleString('en-AU')} lines at once. Divide the file, and import the parts one after the other.`;
  const uneven = lines.find(({ cells }) => cells.length !== width);
  return uneven === undefined
    ? undefined
    : `Line ${uneven.line} has ${uneven.cells.length} cells; the header has ${width}.`;
}

// The export writes an apostrophe before what a spreadsheet would run, and Excel keeps 007 as text by writing ="007".
const plain = (cell: string): string =>
  /^="(.*)"$/.exec(cell)?.[1] ?? (/^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell);

// The export says true and false, the form yes and no.
function typed({ kind }: Field, cell: string): string {
  if (kind !== 'yes-no') return cell;
  const words: Record<string, string> = { true: 'yes', false: 'no' };
  return words[cell.toLowerCase()] ?? cell.toLowerCase();
}
