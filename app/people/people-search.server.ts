// How people are searched: a case-insensitive substring of the key (the address with commas for dots), the address, or a
// name.
import { sql, type RawBuilder } from 'kysely';

/** How many admins, applications or technicians stand on a page. */
export const PEOPLE_PER_PAGE = 5;

/** Whether a row's `email` (its key too) or one of `names` holds `text`. */
export function holdsPersonText(text: string, names: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const needle = text.normalize('NFC').trim().toLowerCase();
  if (needle === '') return sql`true`;
  const fields = [sql`email`, sql`replace(email, '.', ',')`, ...names];
  return sql`(${sql.join(
    fields.map((field) => sql`strpos(lower(${field}), ${needle}) > 0`),
    sql` or `,
  )})`;
}
