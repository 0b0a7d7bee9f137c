// The people who calibrated, as public pages name them: those with a page of their own
// (technicians/public-technician.server.ts), and their companies. Names that never had an account, and erased people,
// have none.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { named } from '#app/platform/database/named-columns.server.ts';

/** `company`: '' for an admin. */
export type Recorder = { personId: string; company: string };

/** The people with a page among the actors whose ids `actors` selects, as SQL. */
export const recordersIn = (actors: RawBuilder<unknown>): RawBuilder<Recorder> => sql`
  select ${named<Recorder>({
    personId: 'p.id',
    company: `coalesce((select t.company_name from technician t where t.person_id = p.id
      order by t.deleted_at desc nulls first limit 1), '')`,
  })}
  from person p
  where p.id in (select a.person_id from actor a where a.id in (${actors})) and p.email is not null
    and (exists (select from technician t where t.person_id = p.id) or exists (select from admin d where d.person_id = p.id))`;

/** Who recorded the reading; undefined: nobody with a page. */
export async function recorderOf(db: Db, { rego, id }: { rego: string; id: number }): Promise<Recorder | undefined> {
  const actor = sql`select technician_id from calibration where rego = ${rego} and id = ${id}`;
  return (await recordersIn(actor).execute(db.withoutPlugins())).rows[0];
}

/** What stands after the name. */
export const companyOf = ({ company }: Recorder): string[] => (company === '' ? [] : [company]);
