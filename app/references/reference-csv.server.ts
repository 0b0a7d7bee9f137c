// Reads weighbridges and their verification periods from a table: a line for each period, or for a weighbridge without
// one.
// An empty cell says nothing of its field.
import { z } from 'zod';
import { isKept, plainCell } from '#app/platform/http/csv.ts';
import { headingKey, isWhy, NO_LINES, readTable } from '#app/platform/http/read-table.server.ts';
import { identifierMark, MAY_HAVE_CHANGED, textMark } from '#app/platform/http/spreadsheet-mark.ts';
import { orderOfColumn, readColumnDay } from '#app/platform/time/table-day.ts';
import { coordinatesRefused, periodOf, REFERENCE_SHAPE, verificationSchema } from './reference-entry.ts';
import { referenceKey } from './reference.ts';
import type { VerificationPeriod } from './add-verification.server.ts';

const factsSchema = z.object(REFERENCE_SHAPE);
type Facts = z.infer<typeof factsSchema>;

/** The fields of a weighbridge, then those of a period. */
export const CSV_COLUMNS = [...factsSchema.keyof().options, ...verificationSchema('').keyof().options];
const REQUIRED = ['name', 'place', 'state'] as const;
export const LINES_MAX = 1000;
const PROBLEMS_MAX = 100;

/** What is wrong with a line, in a sentence. `question`: nothing is, when somebody says so. */
export type LineProblem = { line: number; message: string; question?: true };
/** `taken`: the lines whose questions somebody has answered. */
type Reading = { today: string; taken: ReadonlySet<number> };

/** One weighbridge of the file: its first line, what its lines give, and its periods. */
export type CsvReference = {
  line: number;
  named: Pick<Facts, 'name' | 'place' | 'state'>;
  given: Partial<Facts>;
  periods: (VerificationPeriod & { line: number })[];
};
export type ReadCsv = { ok: true; references: CsvReference[] } | { ok: false; problems: LineProblem[] };

type Column = (typeof CSV_COLUMNS)[number];
type Row = { line: number; cells: Partial<Record<Column, string>> };

const DAYS: readonly Column[] = ['from', 'to'];
const IDENTIFIERS: readonly Column[] = ['certificate_number', 'licence'];
const NUMBERS: readonly Column[] = ['latitude', 'longitude', 'capacity_kg', 'interval_kg'];

/** `today` is in the registry's zone. */
export function readReferenceCsv(text: string, today: string, taken: ReadonlySet<number> = new Set()): ReadCsv {
  const problems: LineProblem[] = [];
  const rows = readRows(text, { today, taken }, problems);
  const references = new Map<string, CsvReference>();
  for (const row of rows) problems.push(...takeRow(references, row, today));
  return problems.length === 0
    ? { ok: true, references: [...references.values()] }
    : { ok: false, problems: problems.toSorted((a, b) => a.line - b.line).slice(0, PROBLEMS_MAX) };
}

// The rows that can be taken so far. What cannot is added to `problems`.
function readRows(text: string, { taken }: Reading, problems: LineProblem[]): Row[] {
  const table = readTable(text, LINES_MAX);
  const headings = table.ok ? table.headings : [];
  const columns = headings.map((name) => CSV_COLUMNS.find((known) => known === headingKey(name)));
  const noLines = table.ok && table.lines.length === 0 ? NO_LINES : undefined;
  const wrong = table.ok ? (refuseHeader(headings, columns) ?? noLines) : table.message;
  if (!table.ok || wrong !== undefined) {
    problems.push({ line: table.line, message: wrong ?? '' });
    return [];
  }
  const orders = columns.map((_, place) =>
    orderOfColumn(table.lines.map(({ cells }) => plainCell(cells[place] ?? ''))),
  );
  return table.lines.flatMap(({ line, cells: given, extra }) => {
    const cells: Row['cells'] = {};
    const notes: LineProblem[] = extra === undefined ? [] : [{ line, message: extra }];
    const ask = (message: string) => notes.push({ line, message, question: true });
    for (const [place, column] of columns.entries()) {
      const cell = given[place] ?? '';
      const text = plainCell(cell);
      if (column === undefined || text === '') continue;
      cells[column] = text;
      const order = orders[place];
      if (DAYS.includes(column) && order !== undefined) {
        const day = readColumnDay(text, order);
        if (day.ok) cells[column] = day.day;
        else notes.push({ line, message: `${column}: ${day.message}` });
        if (day.ok && day.question !== undefined) ask(`${column}: ${day.question}`);
      } else if (!NUMBERS.includes(column) && !isKept(cell)) {
        const mark = IDENTIFIERS.includes(column) ? identifierMark(text) : textMark(text);
        if (mark !== undefined) ask(`${column}: ${text}. ${MAY_HAVE_CHANGED} ${mark}`);
      }
    }
    const left = notes.filter(({ question }) => question !== true || !taken.has(line));
    problems.push(...left);
    return notes.some(({ question }) => question !== true) ? [] : [{ line, cells }];
  });
}

function refuseHeader(headings: readonly string[], columns: readonly (Column | undefined)[]): string | undefined {
  const unknown = headings.find((name, place) => name !== '' && columns[place] === undefined && !isWhy(name));
  if (unknown !== undefined) return `There is no column “${unknown}”. See the columns above.`;
  const twice = columns.find((name, place) => name !== undefined && columns.indexOf(name) !== place);
  if (twice !== undefined) return `The header has the column “${twice}” twice.`;
  const missing = REQUIRED.find((column) => !columns.includes(column));
  return missing === undefined ? undefined : `The header needs the column “${missing}”.`;
}

function takeRow(references: Map<string, CsvReference>, { line, cells }: Row, today: string): LineProblem[] {
  const problems: LineProblem[] = [];
  const refuse = (message: string) => void problems.push({ line, message });
  const facts = factsSchema.safeParse(cells);
  if (!facts.success) for (const { path, message } of facts.error.issues) refuse(`${String(path[0])}: ${message}`);
  const period = readPeriod(cells, today);
  if (typeof period === 'string') refuse(period);
  if (!facts.success || typeof period === 'string') return problems;
  const coordinates = Object.entries(coordinatesRefused(facts.data) ?? {})[0];
  if (coordinates !== undefined) refuse(`${coordinates[0]}: ${coordinates[1]}`);
  const { name, place, state } = facts.data;
  const given: Partial<Facts> = Object.fromEntries(
    Object.entries(facts.data).filter(([, value]) => value !== '' && value !== null),
  );
  const key = referenceKey({ name, place, state });
  const known = references.get(key);
  if (known === undefined) {
    const periods = period === undefined ? [] : [{ ...period, line }];
    references.set(key, { line, named: { name, place, state }, given, periods });
    return problems;
  }
  const unlike = Object.entries(given).find(([field, value]) => differs(known.given, field, value));
  if (unlike !== undefined)
    refuse(`${unlike[0]}: Another line of this weighbridge, from line ${known.line} on, gives another value.`);
  known.given = { ...given, ...known.given };
  if (period === undefined) return problems;
  const same = known.periods.find(
    ({ certificateNumber, fromOn }) => certificateNumber === period.certificateNumber && fromOn === period.fromOn,
  );
  if (same === undefined) known.periods.push({ ...period, line });
  else if (same.toOn !== period.toOn) refuse(`to: Line ${same.line} gives another last day for this period.`);
  return problems;
}

// Anybody who writes a name in other letters means the same weighbridge.
function differs(known: Partial<Facts>, field: string, value: unknown): boolean {
  const before = Object.entries(known).find(([name]) => name === field)?.[1];
  return before !== undefined && String(before).toLowerCase() !== String(value).toLowerCase();
}

/** Undefined: the line has none. A sentence: it is not a period. */
function readPeriod(
  { certificate_number = '', from = '', to = '' }: Row['cells'],
  today: string,
): VerificationPeriod | string | undefined {
  if (certificate_number === '' && from === '' && to === '') return undefined;
  const read = verificationSchema(today).safeParse({ certificate_number, from, to });
  if (!read.success) {
    const [issue] = read.error.issues;
    return `${String(issue?.path[0])}: ${issue?.message ?? ''}`;
  }
  const period = periodOf(read.data);
  if (!period.ok) return `to: ${period.message}`;
  return { certificateNumber: read.data.certificate_number, fromOn: period.fromOn, toOn: period.toOn };
}
