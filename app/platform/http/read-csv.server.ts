// Reads CSV as spreadsheets and people write it: with a mark in front or none, separated by tabs, semicolons or commas, each kind
// of line end, quotes where they are not needed. Its memory is bounded: a line that is too long ends the reading.
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';

/** Longer than any line of ours. */
const LINE_MAX = 64 * 1024;
const DELIMITERS = ['\t', ';', ','] as const;

/** `line`: in the text, from 1; the last one, where a cell has several. */
export type CsvLine = { line: number; cells: string[] };
export type ReadCsv = { ok: true; lines: CsvLine[] } | { ok: false; line: number; reason: 'too-long' | 'open-quote' };

const recordsSchema = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/** The first `most` lines of `text`. `keepEmpty`: lines without a text too. */
export function readCsv(text: string, { most, keepEmpty = false }: { most: number; keepEmpty?: boolean }): ReadCsv {
  try {
    const records: unknown = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: !keepEmpty,
      skip_records_with_empty_values: !keepEmpty,
      trim: !keepEmpty,
      max_record_size: LINE_MAX,
      to: most,
    });
    return {
      ok: true,
      lines: recordsSchema.parse(records).map(({ record, info }) => ({ line: info.lines, cells: record })),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = z.object({ lines: z.number() }).safeParse(error).data?.lines ?? 1;
    return { ok: false, line, reason: error.code === 'CSV_MAX_RECORD_SIZE' ? 'too-long' : 'open-quote' };
  }
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
