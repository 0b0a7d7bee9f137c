// The search in lists of people: a case-insensitive substring of the address, its key (commas for dots), or a name.
import { sql, type RawBuilder, type SelectQueryBuilder, type Simplify } from 'kysely';
import { holdsName } from '#app/platform/database/name-search.server.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import type { Tables } from '#database/tables.ts';

/** Rows on a page of admins, applications or technicians. */
const PEOPLE_PER_PAGE = 5;

/** A page of the people that `query` finds, and how many these are. */
export function listPeople<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  page: number,
): Promise<ListPage<Simplify<Row>>> {
  const count = query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('n'));
  return listPage(
    { page, perPage: PEOPLE_PER_PAGE },
    async () => (await count.executeTakeFirstOrThrow()).n,
    (limit, offset) => query.limit(limit).offset(offset).execute(),
  );
}

/** SQL: whether a row's `email`, its key or one of `names` contains `text`. True when `text` is blank. */
export function holdsPersonText(text: string, names: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  if (text.trim() === '') return sql`true`;
  const fields = [sql`email`, sql`replace(email, '.', ',')`, ...names];
  return sql`(${sql.join(
    fields.map((field) => holdsName(field, text)),
    sql` or `,
  )})`;
}
