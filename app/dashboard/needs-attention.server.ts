// The vehicles that need attention first.
import { sql } from 'kysely';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { verdictOf } from '#app/vehicles/listed-vehicle.ts';
import type { ListedVehicle } from '#app/vehicles/queries.server.ts';
import { hasVerdict } from '#app/vehicles/verdict-sql.server.ts';
import type { VerdictPolicy } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

export type Attention = { rego: string; verdict: Verdict; due: string; companyName: string };

const SHOWN = 10;

type Row = Pick<ListedVehicle, 'rego' | 'calibrationValidated' | 'lastCalibratedAt'> & {
  nextCalibrationDueOn: string;
  companyName: string;
};

/** Lists the first overdue and due soon vehicles, the oldest due day first. */
export async function listNeedsAttention(db: Db, today: string, policy: VerdictPolicy): Promise<Attention[]> {
  const { rows } = await sql<Row>`
    select rego, is_validated(calibration_validated, rests_on) as calibration_validated, next_calibration_due_on, last_calibrated_at, company_name from vehicle
    where deleted_at is null and ${hasVerdict(['overdue', 'due-soon'], today, policy)}
    order by next_calibration_due_on, rego limit ${SHOWN}`.execute(db);
  return rows.map((row) => ({
    rego: row.rego,
    verdict: verdictOf(row, today, policy),
    due: formatDay(row.nextCalibrationDueOn, 'short'),
    companyName: row.companyName,
  }));
}
