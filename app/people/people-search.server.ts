// The search in lists of people: a case-insensitive substring of the address, its key (commas for dots), or a name.
import { sql, type RawBuilder } from 'kysely';

/** Rows on a page of admins, applications or technicians. */
export const PEOPLE_PER_PAGE = 5;

/** SQL: whether a row's `email`, its key or one of `names` contains `text`. True when `text` is blank. */
export function holdsPersonText(text: string, names: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const needle = text.normalize('NFC').trim().toLowerCase();
  if (needle === '') return sql`true`;
  const fields = [sql`email`, sql`replace(email, '.', ',')`, ...names];
  return sql`(${sql.join(
    fields.map((field) => sql`strpos(lower(${field}), ${needle}) > 0`),
    sql` or `,
  )})`;
}
