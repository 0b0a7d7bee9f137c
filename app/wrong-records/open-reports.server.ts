// What is public of the reports about a record: that one is open, since when, and what was decided. Never who, and no
// words; it moves no verdict.
import { sql, type RawBuilder } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openWords, type PublicReport } from './report.ts';

const COLUMNS = named<PublicReport>({
  openedOn: 'r.opened_on::text',
  isOpen: "r.state not in ('decided', 'closed')",
  visitedOn: 't.visited_on::text',
  decision: 'r.decision',
  decidedOn: 'r.decided_on::text',
  entry: 'r.leaf_index',
});

const publicReports = (where: RawBuilder<unknown>): RawBuilder<PublicReport> =>
  sql`select ${COLUMNS} from wrong_report r left join visit t on t.id = r.visit_id
    where r.opened_on is not null and ${where} order by r.number`;

/** Of a vehicle and of the records that were joined with it, as SQL. */
export const reportsOfVehicle = (vehicleId: RawBuilder<unknown>): RawBuilder<PublicReport> =>
  publicReports(sql`r.vehicle_id = any(array(
    select ${vehicleId} union all select j.id from vehicle j where j.joined_into = ${vehicleId}))`);

/** 'A report is open since 3 May.', of one weighbridge, or of a reading: of its visit, else of its truck's record. */
export async function openReports(
  db: Db,
  { referenceId, visitId, vehicleId }: { referenceId?: string; visitId?: string | null; vehicleId?: string },
): Promise<string | null> {
  const ofReading = sql`r.vehicle_id = ${vehicleId ?? null}::uuid and r.visit_id is not distinct from ${visitId ?? null}::uuid`;
  const where = referenceId === undefined ? ofReading : sql`r.reference_id = ${referenceId}::uuid`;
  return openWords((await publicReports(where).execute(db.withoutPlugins())).rows);
}
