// What is public of the reports about a record: that one is open, since when, and what was decided. Never who, and no
// words; it moves no verdict.
import { sql, type RawBuilder } from 'kysely';
import { named } from '#app/platform/database/named-columns.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { ReportDecision } from '#database/report-tables.ts';

export type PublicReport = {
  openedOn: string;
  isOpen: boolean;
  visitId: string | null;
  visitedOn: string | null;
  decision: ReportDecision | 'taken-back' | null;
  decidedOn: string | null;
  entry: number | null;
};

const COLUMNS = named<PublicReport>({
  openedOn: 'r.opened_on::text',
  isOpen: "r.state not in ('decided', 'closed')",
  visitId: 'r.visit_id',
  visitedOn: 't.visited_on::text',
  decision: 'r.decision',
  decidedOn: 'r.decided_on::text',
  entry: 'r.leaf_index',
});

/** Of a vehicle and of the records that were joined with it, as SQL. */
export const reportsOfVehicle = (vehicleId: RawBuilder<unknown>): RawBuilder<PublicReport> =>
  sql`select ${COLUMNS} from wrong_report r left join visit t on t.id = r.visit_id
    where r.opened_on is not null and r.vehicle_id = any(array(
      select ${vehicleId} union all select j.id from vehicle j where j.joined_into = ${vehicleId})) order by r.number`;

/** 'A report is open since 3 May.'; null: none is. */
export function openWords(reports: readonly Pick<PublicReport, 'openedOn' | 'isOpen'>[]): string | null {
  const open = reports.filter(({ isOpen }) => isOpen).map(({ openedOn }) => openedOn);
  const [first] = open.toSorted();
  if (first === undefined) return null;
  const since = formatDay(first);
  return open.length === 1 ? `A report is open since ${since}.` : `${open.length} reports are open, the first since ${since}.`;
}

/** The same of one weighbridge, or of one reading with its visit. */
export async function openReports(db: Db, of: { referenceId: string } | { reading: string; visitId: string | null }): Promise<string | null> {
  const about = 'referenceId' in of ? sql`r.reference_id = ${of.referenceId}` : sql`r.vehicle_id is not null
    and (r.reading = ${of.reading} or r.visit_id = ${of.visitId}::uuid)`;
  const reports = sql<PublicReport>`select ${COLUMNS} from wrong_report r left join visit t on t.id = r.visit_id
    where r.opened_on is not null and ${about}`;
  return openWords((await reports.execute(db.withoutPlugins())).rows);
}
