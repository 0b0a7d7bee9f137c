// Reads weighbridges and their verification periods from CSV: a line for each period, or for a weighbridge without one.
// An empty cell says nothing of its field.
import { z } from 'zod';
import { readCsv } from '#app/platform/http/read-csv.server.ts';
import { inFile } from '#app/platform/time/entered-day.ts';
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

/** What is wrong with a line, in a sentence. */
export type LineProblem = { line: number; message: string };

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

/** `today` is in the registry's zone. */
export function readReferenceCsv(text: string, today: string): ReadCsv {
  const rows = readRows(text);
  if (!Array.isArray(rows)) return { ok: false, problems: [rows] };
  const problems: LineProblem[] = [];
  const references = new Map<string, CsvReference>();
  for (const row of rows) problems.push(...takeRow(references, row, today));
  return problems.length === 0
    ? { ok: true, references: [...references.values()] }
    : { ok: false, problems: problems.slice(0, PROBLEMS_MAX) };
}

function readRows(text: string): Row[] | LineProblem {
  // The header, and one more than may be, to know that there are more.
  const read = readCsv(text, { most: LINES_MAX + 2 });
  if (!read.ok) return { line: read.line, message: WRONG[read.reason] };
  const [header, ...lines] = read.lines;
  if (header === undefined) return { line: 1, message: 'There is no header.' };
  const names = header.cells.map((name) => name.toLowerCase());
  const columns = names.map((name) => CSV_COLUMNS.find((known) => known === name));
  const unknown = columns.findIndex((column) => column === undefined);
  if (unknown !== -1)
    return {
      line: header.line,
      message: `There is no column “${header.cells[unknown] ?? ''}”. See the columns above.`,
    };
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) return { line: header.line, message: `The header has the column “${twice}” twice.` };
  const missing = REQUIRED.find((column) => !columns.includes(column));
  if (missing !== undefined) return { line: header.line, message: `The header needs the column “${missing}”.` };
  if (lines.length === 0) return { line: header.line, message: 'There is no line below the header.' };
  if (lines.length > LINES_MAX)
    return {
      line: lines[LINES_MAX]?.line ?? 0,
      message: `At most ${LINES_MAX.toLocaleString('en-AU')} lines at once.`,
    };
  const uneven = lines.find(({ cells }) => cells.length !== columns.length);
  if (uneven !== undefined)
    return { line: uneven.line, message: `It has ${uneven.cells.length} cells; the header has ${columns.length}.` };
  return lines.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])),
  }));
}

const WRONG = {
  'too-long': 'It is too long to be a line of weighbridges.',
  'too-many-cells': 'The file has more than a million cells.',
  'open-quote': 'The quotes do not match: a cell in quotes ends with one, and has each quote in it twice.',
} as const;

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
    return `${String(issue?.path[0])}: ${inFile(issue?.message ?? '')}`;
  }
  const period = periodOf(read.data);
  if (!period.ok) return `to: ${period.message}`;
  return { certificateNumber: read.data.certificate_number, fromOn: period.fromOn, toOn: period.toOn };
}
