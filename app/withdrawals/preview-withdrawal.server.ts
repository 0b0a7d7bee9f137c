// What a withdrawal of a weighbridge would change now, before anybody confirms it.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { addDays, formatDay, instantOfDay } from '#app/platform/time/calendar.ts';
import type { Policy } from '#app/policy/policy.ts';
import type { Span } from '#app/references/withdrawal.ts';
import { counts, newestFirst } from '#app/transparency-log/ruling-visit.server.ts';
import { visitsWeighedAt } from '#app/transparency-log/weighed-places.server.ts';
import { restsOnState } from '#app/vehicles/due-date.server.ts';
import { judge, verdictFacts } from '#app/vehicles/verdict.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

const SHOWN = 5;
/** Visits dated this close to the days of the withdrawal, and recorded within them, are listed. */
export const NEAR_DAYS = 7;
const LISTED_MAX = 100;

/**
 * `trucks`: removed ones too. `fallBack`: trucks whose due date changes. `lose`: trucks that are valid today, and then
 * are not. `near`: visits dated close by and recorded within. `examples`: of the trucks whose verdict changes, then of
 * the others.
 */
export type WithdrawalPreview = Awaited<ReturnType<typeof previewWithdrawal>>;

type Row = {
  rego: string;
  visits: number;
  visitedOn: string;
  removed: boolean;
  lastCalibratedAt: Date | null;
  calibrationValidated: boolean;
  restsOn: string;
  nextCalibrationDueOn: string | null;
  stateAfter: string | null;
  dueAfter: string | null;
};

const isValid = (verdict: Verdict): boolean => verdict === 'valid' || verdict === 'due-soon';

/** `zone`: the registry's. */
export async function previewWithdrawal(
  db: Db,
  referenceId: string,
  { span, today, policy, zone }: { span: Span; today: string; policy: Policy; zone: string },
) {
  const rows = await trucksOf(db, referenceId, span);
  const then = rows.map((row) => {
    const restsOn = restsOnState(row.stateAfter ?? undefined);
    const after = { ...row, restsOn, nextCalibrationDueOn: row.dueAfter };
    return {
      row,
      falls: row.dueAfter !== row.nextCalibrationDueOn || restsOn !== row.restsOn,
      now: judge(verdictFacts(row), today, policy).verdict,
      after: judge(verdictFacts(after), today, policy).verdict,
    };
  });
  const live = then.filter(({ row }) => !row.removed);
  return {
    visits: rows.reduce((sum, { visits }) => sum + visits, 0),
    trucks: rows.length,
    fallBack: then.filter(({ falls }) => falls).length,
    lose: live.filter(({ now, after }) => isValid(now) && !isValid(after)).length,
    near: (await nearVisits(db, referenceId, { ...span, zone })).length,
    examples: live
      .toSorted((a, b) => Number(a.now === a.after) - Number(b.now === b.after))
      .slice(0, SHOWN)
      .map(({ row, now, after }) => ({
        rego: row.rego,
        visitedOn: formatDay(row.visitedOn, 'short'),
        now,
        after,
        dueAfter: row.dueAfter === null ? 'None' : formatDay(row.dueAfter, 'short'),
      })),
  };
}

// Each truck with a visit there, and what would rule it without these visits.
async function trucksOf(db: Db, referenceId: string, { fromOn, toOn }: Span): Promise<Row[]> {
  const days = { fromOn: sql`${fromOn}::date`, toOn: sql`${toOn}::date` };
  const { rows } = await sql<Row>`with reached as materialized ${visitsWeighedAt(sql`${referenceId}::uuid`, days)}
    select ve.rego, hit.visits, hit.visited_on, ve.deleted_at is not null as removed, ve.last_calibrated_at,
      ve.calibration_validated, ve.rests_on, ve.next_calibration_due_on, ruling.state as state_after,
      ruling.due_on as due_after
    from (
      select vehicle_id, count(*) as visits, max(visited_on) as visited_on from visit
      where id in (select id from reached) and state not in ('open', 'taken-over')
      group by vehicle_id
    ) hit
    join vehicle ve on ve.id = hit.vehicle_id
    left join lateral (
      select v.state, coalesce(v.hand_due_on, v.due_on) as due_on from visit v
      where v.vehicle_id = hit.vehicle_id and ${counts('v.state')}
        and v.id not in (select id from reached)
      order by ${newestFirst('v')} limit 1
    ) ruling on true
    order by ve.rego`.execute(db);
  return rows;
}

export type NearVisit = { id: string; rego: string; visitedOn: string; openedAt: Date; state: string };

/** Visits dated up to seven days outside the withdrawal but recorded inside it: to decide one by one. At most 100. */
export async function nearVisits(
  db: Db,
  referenceId: string,
  { fromOn, toOn, zone }: { zone: string } & Span,
): Promise<NearVisit[]> {
  const { rows } = await sql<NearVisit>`
    select v.id, ve.rego, v.visited_on, v.opened_at, v.state from visit v join vehicle ve on ve.id = v.vehicle_id
    where v.reference_id = ${referenceId}::uuid
      and (v.visited_on between ${addDays(fromOn, -NEAR_DAYS)}::date and ${addDays(fromOn, -1)}::date
        or v.visited_on between ${addDays(toOn, 1)}::date and ${addDays(toOn, NEAR_DAYS)}::date)
      and v.opened_at >= ${instantOfDay(fromOn, zone)} and v.opened_at < ${instantOfDay(addDays(toOn, 1), zone)}
      and v.state not in ('open', 'taken-over')
    order by v.visited_on, v.id limit ${LISTED_MAX}`.execute(db);
  return rows;
}
