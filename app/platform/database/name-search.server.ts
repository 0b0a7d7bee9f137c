// Names in SQL, as `foldName` has them: in whatever letters, and with whatever marks for an apostrophe or a hyphen.
import { sql, type RawBuilder } from 'kysely';
import { foldName, MARKS } from '#app/platform/process/typed-text.ts';

/** The column as `foldName` writes names. */
export const foldedName = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`translate(lower(${column}), ${sql.lit(MARKS.marks)}, ${sql.lit(MARKS.plain)})`;

/** Whether the column contains `text`. */
export const holdsName = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql`strpos(${foldedName(column)}, ${foldName(text)}) > 0`;
