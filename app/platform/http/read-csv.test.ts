import { CsvError, parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { demoRandom } from '#commands/demo/random.ts';
import { readCsv } from './read-csv.server.ts';

/** As another reader reads it; undefined: not at all. */
function asOthersRead(text: string): unknown {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

test('whatever text is read as another reader reads it', () => {
  const random = demoRandom('csv');
  let compared = 0;
  for (let nth = 0; nth < 3000; nth += 1) {
    const text = Array.from({ length: random.whole(1, 14) }, () =>
      random.pick(['a', 'b', ',', ',', '"', '"', '""', '\n', '\r\n', '\r']),
    ).join('');
    // With no comma in its first line, a text has another delimiter or none.
    const given = `x,y\n${text}`;
    const read = readCsv(given, { most: 100, keepEmpty: true });
    const others = asOthersRead(given);
    // Text goes on behind a closing mark: no two readers agree.
    if (JSON.stringify(others)?.includes('"\\"') === true) continue;
    compared += others === undefined ? 0 : 1;
    expect([given, read.ok ? read.lines.map(({ cells }) => cells) : undefined]).toEqual([given, others]);
  }
  expect(compared).toBeGreaterThan(1000);
});

test('blanks around a quoted cell are no part of it, and a line is named where it ends', () => {
  expect(readCsv('a; "b;c" ;d\n\n"1\n2";3', { most: 9 })).toEqual({
    ok: true,
    lines: [
      { line: 1, cells: ['a', 'b;c', 'd'] },
      { line: 4, cells: ['1\n2', '3'] },
    ],
  });
});
