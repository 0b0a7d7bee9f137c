// Who had a part in a visit: who recorded or captured it, and who corrected a reading of it.
import { sql } from 'kysely';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

export type VisitOfPeople = { id: string; vehicleId: string; personId: string | null };
/** `isAdmin`: is one, or was. `isRecorder`: recorded or captured it. */
type Part = { personId: string; isAdmin: boolean; isRecorder: boolean };

export async function partsIn(tx: Tx | Db, visit: VisitOfPeople): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select part.person_id, bool_or(is_recorder) as is_recorder,
      exists (select from admin where person_id = part.person_id) as is_admin
    from (
      select ${visit.personId}::uuid as person_id, true as is_recorder
      union all select a.person_id, false from calibration c join actor a on a.id = c.technician_id
        where c.vehicle_id = ${visit.vehicleId} and c.visit_id = ${visit.id}
      union all select ${captorOf(visit.id)}, true) part
    where part.person_id is not null group by part.person_id`.execute(tx);
  return rows;
}

/** SQL text: the person who captured the visit, if somebody else sent its file. */
export const captorOf = (visitId: string) =>
  sql`(select a.person_id from calibration_set s join actor a on a.id = s.captured_by where s.id = ${visitId}::uuid)`;
