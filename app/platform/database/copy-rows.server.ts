// Writes many rows to a table by COPY, at a fifth of the cost of an INSERT with parameters.
// Buys: a fifth of what the same rows cost as parameters of an INSERT. Deletable with the import and the restore.
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Tx } from './database.server.ts';

export type CopyValue = string | number | boolean | null;

// A chunk is some hundred kilobytes, so that a large block of rows is not in memory several times over.
const ROWS_A_PIECE = 500;
const COPY = /^copy .+ from stdin$/;

/**
 * Writes `rows` to `columns` of `table`, in one statement of the transaction; triggers and constraints hold as for an
 * INSERT. An instant is given as ISO text, bytes as `\x…`.
 */
export async function copyRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly CopyValue[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const listed = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  await tx.executeQuery(CompiledQuery.raw(`copy ${pg.escapeIdentifier(table)} (${listed}) from stdin`, [rows]));
}

/** Whether a statement comes from `copyRows`. The driver cannot send it like others. */
export function isCopy(statement: string): boolean {
  return COPY.test(statement);
}

/** Sends a statement of `copyRows`, on behalf of the pool. */
export async function sendCopy(client: pg.ClientBase, statement: string, rows: unknown) {
  if (!Array.isArray(rows)) throw new Error('COPY takes rows');
  const into = client.query(copyFrom(statement));
  await pipeline(Readable.from(piecesOf(rows)), into);
  return { command: 'COPY', rowCount: into.rowCount, rows: [] };
}

function* piecesOf(rows: readonly (readonly CopyValue[])[]): Generator<Buffer> {
  for (let from = 0; from < rows.length; from += ROWS_A_PIECE)
    yield Buffer.from(textOf(rows, from, Math.min(from + ROWS_A_PIECE, rows.length)));
}

// Concatenates by hand: joining arrays would double the garbage.
function textOf(rows: readonly (readonly CopyValue[])[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) {
    let between = '';
    for (const value of rows[at] ?? []) {
      text += between + fieldOf(value);
      between = '\t';
    }
    text += '\n';
  }
  return text;
}

// The text format: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value;
}
