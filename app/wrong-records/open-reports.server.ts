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

type Column = 'reference_id' | 'visit_id' | 'vehicle_id';
/** 'A report is open since 3 May.', of a weighbridge, a visit, or a vehicle's record without a visit; null: none is. */
export async function openReports(db: Db, [column, id]: readonly [Column, string]): Promise<string | null> {
  const isOf = sql`${sql.ref(`r.${column}`)} = ${id}::uuid and (${column} <> 'vehicle_id' or r.visit_id is null)`;
  return openWords((await publicReports(isOf).execute(db.withoutPlugins())).rows);
}
