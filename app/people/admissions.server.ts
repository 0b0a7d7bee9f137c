// Queries on who was admitted when, by whom, and what limited it: what the check 'technician in good standing' and the
// rule of who may decide ask.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Admission } from './good-standing.ts';

type Admitted = Omit<Admission, 'from' | 'to'> & { addedAt: Date | null; deletedAt: Date | null };

/**
 * Every time in which the person was a technician or an admin, for `isInGoodStanding`: an admin is never suspended and
 * has no licence. `zone`: the registry's. Null when the person was neither, as one whom an imported record only names.
 */
export async function admissionsOf(db: Db | Tx, personId: string, zone: string): Promise<Admission[] | null> {
  const { rows } = await sql<Admitted>`
    select added_at, deleted_at, licence_ends_on, (
      select coalesce(json_agg(json_build_object('from', from_on, 'to', to_on) order by from_on), '[]')
      from suspension where technician_id = technician.id) as suspensions
    from technician where person_id = ${personId}
    union all select added_at, deleted_at, null, '[]' from admin where person_id = ${personId}`.execute(db);
  if (rows.length === 0) return null;
  const dayOf = (at: Date | null) => (at === null ? null : todayIn(zone, at));
  return rows.map(({ addedAt, deletedAt, ...limits }) => ({ from: dayOf(addedAt), to: dayOf(deletedAt), ...limits }));
}

/** The admin who approved an application, by their person, and when. */
export type AdmittedBy = { personId: string; at: Date };

/**
 * Who admitted the technician `personId`, and when: once for each of their records, the newest first. Nobody for a
 * record that was imported without a name or a date.
 */
export function admittedBy(db: Db | Tx, personId: string): Promise<AdmittedBy[]> {
  return db
    .selectFrom('technician')
    .innerJoin('actor', 'actor.id', 'technician.addedBy')
    .select(['actor.personId', 'technician.addedAt as at'])
    .where('technician.personId', '=', personId)
    .where('technician.addedAt', 'is not', null)
    .$narrowType<{ at: Date }>()
    .orderBy('technician.addedAt', 'desc')
    .execute();
}
