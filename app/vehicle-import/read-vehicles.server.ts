// Reads vehicles from CSV, with the columns of the list's export, so that what was exported can be changed and read again. A line
// has its rego and what is to be set; an empty cell sets nothing.
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { delimiterOf } from '#app/many-trucks/read-list.server.ts';
import { EXPORTED_COLUMNS } from '#app/vehicles/export-vehicles.server.ts';
import { VEHICLE_FIELDS, type Field } from '#app/vehicles/vehicle-fields.ts';

export const LINES_MAX = 10_000;
const RECORD_MAX = 64 * 1024;

export type GivenVehicle = { line: number; rego: string; cells: Partial<Record<Field['name'], string>> };
export type ReadVehicles = { ok: true; vehicles: GivenVehicle[] } | { ok: false; message: string };

export function readVehicles(text: string): ReadVehicles {
  const records = readRecords(text.replace(/^\uFEFF/, ''));
  if ('message' in records) return { ok: false, message: records.message };
  const [header, ...lines] = records.lines;
  if (header === undefined) return { ok: false, message: 'Paste the lines of a CSV file, or choose one.' };
  const names = header.cells.map((name) => name.toLowerCase());
  const refusal = refuseHeader(names) ?? refuseLines(lines, names.length);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const at = (cells: readonly string[], name: string) => plain(cells[names.indexOf(name)] ?? '');
  const given = VEHICLE_FIELDS.filter(({ name }) => names.includes(name));
  return {
    ok: true,
    vehicles: lines.map(({ line, cells }) => ({
      line,
      rego: at(cells, 'rego'),
      cells: Object.fromEntries(
        given.map((field) => [field.name, typed(field, at(cells, field.name))]).filter(([, cell]) => cell !== ''),
      ),
    })),
  };
}

function refuseHeader(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !EXPORTED_COLUMNS.includes(name));
  if (unknown !== undefined) return `There is no column “${unknown}”. See the columns above.`;
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) return `The header has the column “${twice}” twice.`;
  return names.includes('rego') ? undefined : 'The header needs the column “rego”.';
}

type Line = { line: number; cells: string[] };

function refuseLines(lines: readonly Line[], width: number): string | undefined {
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

const recordsSchema = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/** `line`: its last line, where a cell has several. */
function readRecords(text: string): { lines: Line[] } | { message: string } {
  try {
    const records: unknown = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size: RECORD_MAX,
      // The header, and one more than may be, to know that there are more.
      to: LINES_MAX + 2,
    });
    return { lines: recordsSchema.parse(records).map(({ record, info }) => ({ line: info.lines, cells: record })) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = z.object({ lines: z.number() }).safeParse(error).data?.lines ?? 1;
    return {
      message:
        error.code === 'CSV_MAX_RECORD_SIZE'
          ? `Line ${line} is too long to be a line of vehicles.`
          : `Line ${line}: the quotes do not match. A cell in quotes ends with one, and has each quote in it twice.`,
    };
  }
}
