// Checks of a restored registry that neither the check of its files nor that of its log makes.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

// Each compares a derived value with what it is derived from.
const CHECKS = [
  {
    wrong: 'The activity log has gaps, or ends somewhere else than it says.',
    query: sql<{ ok: boolean }>`select s.size = count(l.index) and s.size = coalesce(max(l.index) + 1, 0) as ok
      from activity_state s left join activity_log l on true group by s.size`,
  },
  {
    wrong: 'The search totals do not match the vehicles.',
    query: sql<{ ok: boolean }>`select vehicle_gram_total('') = count(*) as ok from vehicle where deleted_at is null`,
  },
  {
    wrong: 'The dashboard counts do not match the vehicles.',
    query: sql<{ ok: boolean }>`select not exists (
      select from (select calibration_validated v, calibrated c, next_calibration_due_on d, n
        from vehicle_state_total where n <> 0) kept
      full join (select is_validated(calibration_validated, rests_on) v, last_calibrated_at is not null c, next_calibration_due_on d, count(*) n
        from vehicle where deleted_at is null group by 1, 2, 3) counted
      on (kept.v, kept.c) = (counted.v, counted.c) and kept.d is not distinct from counted.d
      where kept.n is distinct from counted.n) as ok`,
  },
  {
    wrong: 'The dashboard counts do not match the readings.',
    query: sql<{ ok: boolean }>`
      select (select coalesce(sum(n), 0) from reading_count where quarter is null) = count(*)
        and (select coalesce(sum(n), 0) from reading_count where quarter is not null) = count(*) as ok
      from calibration where corrects_id is null and calibrated_at is not null`,
  },
  {
    wrong: 'A trigger of the database is switched off.',
    query: sql<{ ok: boolean }>`select not exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and t.tgenabled = 'D') as ok`,
  },
];

/** Reports each that fails. Returns how many. */
export async function checkRestored(db: Db, report: (sentence: string) => void): Promise<number> {
  let wrong = 0;
  for (const check of CHECKS) {
    const { rows } = await check.query.execute(db);
    if (rows[0]?.ok === true) continue;
    wrong += 1;
    report(check.wrong);
  }
  return wrong;
}
