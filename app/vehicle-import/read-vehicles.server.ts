// Reads vehicles from a table, with the columns of the list's export or with headings of people's own, so that what was
// exported can be changed and read again. A line has its rego and what is to be set; an empty cell sets nothing.
import { isKept, plainCell } from '#app/platform/http/csv.ts';
import {
  headingKey,
  isWhy,
  NO_LINES,
  readTable,
  type Table,
  type TableLine,
} from '#app/platform/http/read-table.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { orderOfColumn, readColumnDay, readTableDay } from '#app/platform/time/table-day.ts';
import { EXPORTED_COLUMNS } from '#app/vehicles/export-columns.ts';
import { isStateHeading, regoPlace } from '#app/vehicles/table-headings.server.ts';
import { VEHICLE_FIELDS, type Field } from '#app/vehicles/vehicle-fields.ts';
import type { CellNote, TableRead } from './import-answer.ts';

export const LINES_MAX = 10_000;

export type GivenVehicle = {
  line: number;
  rego: string;
  /** Days as in ISO 8601. */
  cells: Partial<Record<Field['name'], string>>;
  /** Why the line is refused, whatever the registry has. */
  wrong?: CellNote;
  /** Cells that are taken only when somebody says so. */
  asked?: CellNote[];
  /** Columns whose cell no spreadsheet has changed. */
  kept?: string[];
};
export type ReadVehicles =
  | { ok: true; vehicles: GivenVehicle[]; table: Table & { ok: true }; read: TableRead }
  | { ok: false; message: string };

export function readVehicles(text: string): ReadVehicles {
  const table = readTable(text, LINES_MAX);
  if (!table.ok)
    return { ok: false, message: text.trim() === '' ? table.message : `Line ${table.line}: ${table.message}` };
  const { headings, lines } = table;
  const places = placesOf(headings);
  if (typeof places === 'string') return { ok: false, message: places };
  if (lines.length === 0) return { ok: false, message: `Line ${table.line}: ${NO_LINES}` };
  const columns = VEHICLE_FIELDS.flatMap((field) => {
    const place = places.get(field.name);
    if (place === undefined) return [];
    const order = field.kind === 'day' ? orderOfColumn(lines.map(({ cells }) => plainCell(cells[place] ?? ''))) : null;
    return [{ field, place, order }];
  });
  const dated = columns.filter(({ order }) => order !== null).map(({ place }) => place);
  return {
    ok: true,
    table,
    vehicles: lines.map((line) => vehicleOf(line, places.get('rego') ?? 0, columns)),
    read: {
      lines: lines.length,
      headings: [...places].flatMap(([name, place]) => {
        const heading = headings[place] ?? '';
        return headingKey(heading) === name ? [] : [{ heading, label: labelOf(name) }];
      }),
      unread: headings.filter((name, place) => name !== '' && !isRead(name, place, places)),
      day: exampleOf(lines, dated),
    },
  };
}

type Column = { field: Field; place: number; order: ReturnType<typeof orderOfColumn> | null };

function vehicleOf({ line, cells, extra }: TableLine, regoAt: number, columns: readonly Column[]): GivenVehicle {
  const vehicle: GivenVehicle = { line, rego: plainCell(cells[regoAt] ?? ''), cells: {} };
  const kept = isKept(cells[regoAt] ?? '') ? ['rego'] : [];
  if (extra !== undefined) vehicle.wrong = { column: '', cell: `${cells.length} columns`, why: extra };
  for (const { field, place, order } of columns) {
    const cell = cells[place] ?? '';
    const text = plainCell(cell);
    if (text === '') continue;
    if (isKept(cell)) kept.push(field.name);
    const day = order === null ? undefined : readColumnDay(text, order);
    vehicle.cells[field.name] = day?.ok === true ? day.day : typed(field, text);
    if (day?.ok === false) vehicle.wrong ??= { column: field.name, cell: text, why: day.message };
    if (day?.ok === true && day.question !== undefined)
      (vehicle.asked ??= []).push({ column: field.name, cell: text, why: day.question });
  }
  if (kept.length > 0) vehicle.kept = kept;
  return vehicle;
}

// Headings of people's own, where none has the export's name or the form's label.
const OTHER_HEADINGS: readonly (readonly [Field['name'], RegExp])[] = [
  ['vin', /(?:^|_)(?:vin|chassis)(?:_|$)/],
  ['plate_state', /^(?:state|rego_state|state_or_territory)$/],
  ['scale_serial_number', /serial|(?:^|_)s_?n(?:_|$)/],
];

/** The place of each column that is read; a sentence: the header cannot be read. */
function placesOf(headings: readonly string[]): Map<string, number> | string {
  const keys = headings.map(headingKey);
  const twice = keys.find((key, place) => EXPORTED_COLUMNS.includes(key) && keys.indexOf(key) !== place);
  if (twice !== undefined) return `The header has the column “${twice}” twice.`;
  const rego = regoPlace(headings);
  if (rego === -1) return 'The header needs the column “rego”.';
  const places = new Map<string, number>([['rego', rego]]);
  const take = (name: string, place: number) => {
    if (place !== -1 && !places.has(name) && ![...places.values()].includes(place)) places.set(name, place);
  };
  for (const { name } of VEHICLE_FIELDS) take(name, keys.indexOf(name));
  for (const field of VEHICLE_FIELDS)
    for (const label of [field.label, 'fact' in field ? field.fact : field.label])
      take(field.name, keys.indexOf(headingKey(label)));
  for (const [name, pattern] of OTHER_HEADINGS)
    take(
      name,
      keys.findIndex((key) => pattern.test(key)),
    );
  return places;
}

const isRead = (heading: string, place: number, places: ReadonlyMap<string, number>): boolean =>
  [...places.values()].includes(place) ||
  isWhy(heading) ||
  (EXPORTED_COLUMNS.includes(headingKey(heading)) && !isStateHeading(heading));

const labelOf = (name: string): string => VEHICLE_FIELDS.find((field) => field.name === name)?.label ?? 'rego';

// A day that could be read in two ways, and how it was.
function exampleOf(lines: readonly TableLine[], places: readonly number[]): TableRead['day'] {
  for (const { cells } of lines)
    for (const place of places) {
      const text = plainCell(cells[place] ?? '');
      const read = text === '' ? undefined : readTableDay(text);
      if (read?.ok === true && read.order === 'either') return { text, words: formatDay(read.day) };
    }
  return undefined;
}

// The export says true and false, the form yes and no.
function typed({ kind, name }: Field, cell: string): string {
  if (name === 'plate_state') return cell.toUpperCase();
  if (kind !== 'yes-no') return cell;
  const words: Record<string, string> = { true: 'yes', false: 'no' };
  return words[cell.toLowerCase()] ?? cell.toLowerCase();
}
