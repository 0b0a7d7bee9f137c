// Many trucks that were weighed on many weighbridges, for tests and benchmarks of withdrawals: put in with SQL, so that
// a hundred thousand are there within a minute. Only what a withdrawal reads is in them, and no leaf.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { CHECKS } from '#app/policy/checks.ts';

/** The days of a withdrawal that reaches the latest visit of every fifth truck. */
export const WEIGHED_IN = { fromOn: '2026-05-03', toOn: '2026-05-19' } as const;

/**
 * Trucks `B1` to `B{vehicles}`, each weighed each May for `visitsEach` years: the latest of every fifth on one
 * weighbridge and in `WEIGHED_IN`. Returns that weighbridge's id.
 */
export async function fillWeighbridges(
  db: Db,
  personId: string,
  { vehicles, visitsEach }: { vehicles: number; visitsEach: number },
): Promise<string> {
  const { id: actorId } = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', personId)
    .executeTakeFirstOrThrow();
  const bridges = await db
    .insertInto('reference')
    .values(
      Array.from({ length: 50 }, (_, index) => ({
        name: `Bench ${index}`,
        place: 'Example Creek',
        state: 'VIC' as const,
        addedBy: actorId,
        updatedBy: actorId,
      })),
    )
    .returning('id')
    .execute();
  const [hit, ...others] = bridges.map(({ id }) => id);
  if (hit === undefined) throw new Error('no weighbridge was added');
  const checks = JSON.stringify(
    CHECKS.map(({ check }) => ({
      check,
      rule: 'must',
      answer: 'passed',
      sentence: `What the check ${check} says of an honest visit.`,
    })),
  );
  await sql`insert into vehicle (rego, vin, make, axle_groups, calibration_validated, last_calibrated_at, rests_on,
      next_calibration_due_on)
    select 'B' || n, 'VIN' || n, 'Volvo', 'STEER DRIVE', true, '2026-05-10', 'visit', '2026-11-10'
    from generate_series(1, ${vehicles}) n`.execute(db);
  await sql`insert into visit (vehicle_id, technician_id, visited_at, visited_on, opened_at, closed_at, due_on, state, judged,
      checks, policy_version, is_confirmed, reference_id)
    select v.id, ${actorId}, at, at::date, at, at, at::date + 184, 'counts', 'counts', ${checks}::jsonb, 1, true,
      case when k = 0 and n % 5 = 0 then ${hit}::uuid else (${others}::uuid[])[1 + (n + k) % 49] end
    from (select id, substr(rego, 2)::int as n from vehicle where vin = 'VIN' || substr(rego, 2)) v,
      generate_series(0, ${visitsEach - 1}) k,
      lateral (select timestamptz '2026-05-10 02:00Z' - k * interval '1 year' + (n % 7 - 3) * interval '1 day' as at) t`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  return hit;
}

/**
 * An independent count of the weighbridge's visits of those days that are not in `state`, and of others that are held
 * back.
 */
export async function standAsTheyShould(
  db: Db,
  reference: string,
  state: 'waits' | 'counts',
): Promise<{ missing: number; more: number }> {
  const { rows } = await sql<{ missing: number; more: number }>`select
    count(*) filter (where is_hit and state <> ${state}) as missing,
    count(*) filter (where before_recall is not null and (not is_hit or ${state} = 'counts')) as more
    from (select state, before_recall, reference_id = ${reference}::uuid
      and visited_on between ${WEIGHED_IN.fromOn}::date and ${WEIGHED_IN.toOn}::date as is_hit from visit) v`.execute(
    db,
  );
  const [counted] = rows;
  if (counted === undefined) throw new Error('the count returned no row');
  return counted;
}
