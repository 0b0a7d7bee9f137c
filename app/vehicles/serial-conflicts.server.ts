// Serial numbers that two live vehicles have: of a unit, or of a group's sensor. For the office's list of VINs.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

export type SerialConflict = { serial: string; what: 'unit' | 'sensor'; regos: string[] };

/** By serial. `limit`: at most so many. Reads every vehicle, which takes about a tenth of a second of 100,000. */
export async function serialConflicts(db: Db, limit: number): Promise<SerialConflict[]> {
  const { rows } = await sql<SerialConflict>`
    select serial, what, array_agg(rego order by rego) as regos from (
      select scale_serial_number as serial, 'unit' as what, id, rego from vehicle
        where deleted_at is null and scale_serial_number <> ''
      union select replace(one, '_', ' '), 'sensor', id, rego from vehicle
        cross join regexp_matches(group_details, 'serial:([^; ]+)', 'g') as found (parts)
        cross join string_to_table(found.parts[1], ',') as one
        where deleted_at is null and strpos(group_details, 'serial:') > 0 and one <> '') s
    group by serial, what having count(distinct id) > 1 order by serial, what limit ${limit}`.execute(db);
  return rows;
}
