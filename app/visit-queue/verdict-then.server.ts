// What a vehicle's verdict and due date are, and would be if a visit counted.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import { counts } from '#app/transparency-log/ruling-visit.server.ts';
import type { Vehicle } from '#app/vehicles/queries.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import type { VisitRow } from '#app/visits/visit-queries.server.ts';

export type VerdictThen = { verdict: Verdict; due: string };

export function verdictThen(vehicle: Vehicle, today: string, policy: Policy): VerdictThen {
  const { verdict } = judge(verdictFacts(vehicle), today, policy);
  const due = vehicle.nextCalibrationDueOn;
  return { verdict, due: due === null ? 'no due date' : formatDay(due, 'short') };
}

/** The vehicle if the visit counted: due as the visit says, unless a newer visit rules. */
export async function ifAccepted(db: Db, vehicle: Vehicle, visit: VisitRow): Promise<Vehicle> {
  const newer = await db
    .selectFrom('visit')
    .select('id')
    .where('vehicleId', '=', vehicle.id)
    .where(counts('state'))
    .where(sql<boolean>`(visited_on, opened_at) > (${visit.visitedOn}::date, ${visit.openedAt}::timestamptz)`)
    .limit(1)
    .executeTakeFirst();
  const due = newer === undefined ? (visit.handDueOn ?? visit.dueOn) : vehicle.nextCalibrationDueOn;
  return { ...vehicle, calibrationValidated: true, restsOn: 'visit', nextCalibrationDueOn: due };
}
