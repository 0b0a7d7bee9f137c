import { readFileSync } from 'node:fs';
import path from 'node:path';

export type Row = Readonly<Record<string, string>>;

export const RECORDS = readFileSync(path.join(import.meta.dirname, 'records.txt'), 'utf8');

/** The rows of a table of records.txt, by the columns that its first line names. */
export function tableOf(name: string): Row[] {
  const [, table = ''] = new RegExp(`^# ${name}\\n([^#]*)`, 'm').exec(RECORDS) ?? [];
  const lines = table.trim().replaceAll(/\n\s+/g, '|').split('\n');
  const [columns = [], ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])));
}
