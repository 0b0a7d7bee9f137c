// What another admin proposed, or a technician asked for, and this one may confirm.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { liveRego } from '#app/vehicles/queries.server.ts';
import { FULL_VIN } from '#app/vehicles/vehicle.ts';
import { listConflicts } from '#app/vin-conflicts/queries.server.ts';

export type ToConfirm = { to: string; count: number; words: string };

/** In the order in which they are shown. `to`: where all of them are; else the oldest is opened. */
const KINDS: readonly { kind: string; one: string; more: string; to?: string }[] = [
  { kind: 'rules', one: 'change of the rules to confirm', more: 'changes of the rules to confirm', to: '/settings' },
  { kind: 'withdrawal', one: 'withdrawal to confirm', more: 'withdrawals to confirm' },
  { kind: 'lift', one: 'lift to confirm', more: 'lifts to confirm' },
  { kind: 'plate', one: 'plate to confirm', more: 'plates to confirm' },
  { kind: 'conflict', one: 'VIN on several vehicles', more: 'VINs on several vehicles' },
  { kind: 'join', one: 'join of records to confirm', more: 'joins of records to confirm' },
  { kind: 'removal', one: 'removal of admins to decide', more: 'removals of admins to decide' },
];

/** What waits for a second person, as SQL. `by`: the first. */
export const PROPOSALS = sql`
  select case when w.confirmed_at is null then 'withdrawal' else 'lift' end as kind,
    w.id || case when w.confirmed_at is null then '' else '@' || extract(epoch from w.lift_proposed_at) end as key,
    r.name as label, case when w.confirmed_at is null then 'Withdraw' else 'Lift the withdrawal' end
      || ' for ' || to_char(w.from_on, 'FMDD FMMonth YYYY') || ' to ' || to_char(w.to_on, 'FMDD FMMonth YYYY')
      || '. You may confirm it.' as words,
    '/references/recalls/' || w.id as path, coalesce(w.lift_proposed_at, w.proposed_at) as at, a.person_id as by
  from reference_withdrawal w join reference r on r.id = w.reference_id
    join actor a on a.id = coalesce(w.lift_proposed_by, w.proposed_by)
  where (w.confirmed_at is null and w.dropped_at is null) or (w.lift_proposed_at is not null and w.lifted_at is null)
  union all
  select 'plate', p.id::text, ve.rego, 'Another plate is asked for: ' || p.rego || '. You may confirm it.',
    '/vehicles/plates/' || p.id, p.asked_at, a.person_id
  from plate_request p join actor a on a.id = p.asked_by cross join ${liveRego('p.vehicle_id')} ve where p.ended is null
  union all
  select 'join', j.id::text, ve.rego, 'Join it with ' || kept.rego || '. You may confirm it.', '/vehicles/vins',
    j.asked_at, a.person_id
  from joined_record j join actor a on a.id = j.asked_by cross join ${liveRego('j.vehicle_id')} ve
    cross join ${liveRego('j.kept_id')} kept
  where j.declined_at is null and j.joined_at is null
  union all
  select 'removal', r.id::text, coalesce(nullif(s.name, ''), s.email),
    'Removed from the office. You may confirm or refuse it.', '/admins/removals', r.proposed_at, a.person_id
  from admin_removal r join staff s on s.id = r.admin_id join actor a on a.id = r.proposed_by where r.outcome is null
  union all
  select 'rules', p.id::text, 'Rules', 'A change makes them less strict. You may confirm it.',
    '/settings/policy/proposal', p.proposed_at, a.person_id
  from policy_proposal p join actor a on a.id = p.proposed_by
  where p.outcome is null and p.takes_effect_at is null and p.base_version = coalesce((select max(version) from policy), ${FIRST_POLICY.version})`;

/** What others than `personId` proposed, plates that were asked for, and VINs on several vehicles. */
export async function listToConfirm(db: Db, personId: string): Promise<ToConfirm[]> {
  const { rows } = await sql<{ kind: string; count: number; oldest: string }>`
    select kind, count(*)::int as count, (array_agg(path order by at))[1] as oldest from (${PROPOSALS}) p
    where kind = 'plate' or by is distinct from ${personId}::uuid group by kind`.execute(db);
  const conflicts = (await listConflicts(db, FULL_VIN)).length;
  const found = conflicts === 0 ? rows : [...rows, { kind: 'conflict', count: conflicts, oldest: '/vehicles/vins' }];
  return KINDS.flatMap(({ kind, one, more, to }) =>
    found
      .filter((row) => row.kind === kind)
      .map(({ count, oldest }) => ({ to: to ?? oldest, count, words: count === 1 ? one : more })),
  );
}
