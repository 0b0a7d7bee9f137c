import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import type { RestsOn } from '#app/references/rests-on-card.tsx';

/** How many visits name the weighbridge, and of how many trucks. */
export async function restsOn(db: Db, referenceId: string): Promise<RestsOn> {
  const { rows } = await sql<RestsOn>`select count(*) as visits, count(distinct vehicle_id) as trucks from visit
    where reference_id = ${referenceId}::uuid or id in (select s.id from calibration_set s where s.weighings is not null
      and s.weighings::jsonb @> jsonb_build_array(jsonb_build_object('reference', ${referenceId}::text)))`.execute(db);
  return rows[0] ?? { visits: 0, trucks: 0 };
}
