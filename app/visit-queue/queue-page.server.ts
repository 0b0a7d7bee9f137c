// The visits of one state for admins: the oldest first of those that wait, the newest first of the others.
import { sql } from 'kysely';
import type { SignedIn } from '#app/access/session.server.ts';
import { whyNotYours } from '#app/visits/may-decide.server.ts';
import { whyItWaits } from '#app/visits/why-it-waits.ts';
import { checksOf } from '#app/visits/visit-queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { holdsName } from '#app/platform/database/name-search.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { daysBetween, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import { policyAndLogSize } from '#app/policy/queries.server.ts';
import { verdictOf } from '#app/vehicles/listed-vehicle.ts';
import { holdsRego } from '#app/vehicles/verdict-sql.server.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import { listAlike } from './alike-group.server.ts';
import { SINCE } from './waits-since.server.ts';
import { waitedWords, type ListedState } from './visit-filter.ts';

const PER_PAGE = 10;
/** More are not counted. */
export const COUNTED_MAX = 999;

export type QueueRow = Awaited<ReturnType<typeof queuePage>>['list']['items'][number];
type Found = {
  id: string;
  vehicleId: string;
  rego: string;
  visitedOn: string;
  since: Date;
  personId: string | null;
  technician: string | null;
  checks: unknown;
  isStretched: boolean;
  calibrationValidated: boolean;
  nextCalibrationDueOn: string | null;
  lastCalibratedAt: Date | null;
};

export async function queuePage(
  { db, config, now }: Services,
  who: SignedIn,
  { state, text, page }: { state: ListedState } & ListAddress,
) {
  const { policy, since } = await policyAndLogSize(db);
  const today = todayIn(config.timeZone, now());
  const isAlone = !(await hasOtherAdmin(db, who.personId));
  const from = foundBy(state, text);
  const order = state === 'waits' ? sql`asc` : sql`desc`;
  const count = async () => (await sql<{ n: number }>`select count(*) as n from ${from}`.execute(db)).rows[0]?.n ?? 0;
  const list = await listPage({ page, perPage: PER_PAGE }, count, async (limit, offset) => {
    const { rows } = await sql<Found>`select v.id, v.vehicle_id, ve.rego, v.visited_on, a.person_id,
      a.name as technician, v.checks, v.is_stretched,
      is_validated(ve.calibration_validated, ve.rests_on) as calibration_validated, ve.next_calibration_due_on,
      ve.last_calibrated_at, ${SINCE} as since
      from ${from} order by ${state === 'waits' ? SINCE : sql`v.closed_at`} ${order}, v.id limit ${limit} offset ${offset}`.execute(
      db,
    );
    return Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        rego: row.rego,
        day: formatDay(row.visitedOn, 'short'),
        technician: row.technician ?? 'N/A',
        // What holds it back: a check's name, and its sentence.
        held: whyItWaits({ ...row, checks: checksOf(row.checks), state: 'waits' }),
        verdict: verdictOf(row, today, policy),
        waited: waitedWords(Math.max(0, daysBetween(todayIn(config.timeZone, row.since), today))),
        notYours: isAlone ? null : ((await whyNotYours(db, who, { visit: row, now: now() })) ?? null),
      })),
    );
  });
  return {
    since,
    state,
    list,
    counts: await counts(db),
    medianDays: await medianDays(db, now()),
    alike: state === 'waits' ? await listAlike(db) : [],
    policyVersion: policy.version,
  };
}

// Live vehicles only: nothing is decided about a removed one.
const foundBy = (state: ListedState, text: string) =>
  sql`visit v join vehicle ve on ve.id = v.vehicle_id left join actor a on a.id = v.technician_id
    where v.state = ${sql.lit(state)} and ve.deleted_at is null
      and (${holdsRego(sql`ve.rego`, text)} or ${holdsName(sql`a.name`, text)})`;

async function counts(db: Db): Promise<Record<ListedState, number>> {
  const one = (
    state: ListedState,
  ) => sql`(select count(*) from (select from visit v join vehicle ve on ve.id = v.vehicle_id
    where v.state = ${sql.lit(state)} and ve.deleted_at is null limit ${COUNTED_MAX + 1}) found)`;
  const { rows } = await sql<{ waits: number; accepted: number; setAside: number; partial: number }>`select
    ${one('waits')} as waits, ${one('accepted')} as accepted, ${one('set-aside')} as set_aside,
    ${one('partial')} as partial`.execute(db);
  const { waits = 0, accepted = 0, setAside = 0, partial = 0 } = rows[0] ?? {};
  return { waits, accepted, 'set-aside': setAside, partial };
}

// How many days half of those decided within 30 days waited at most; null: none was.
async function medianDays(db: Db, now: Date): Promise<number | null> {
  const since = new Date(now.getTime() - 30 * 24 * 3_600_000);
  const { rows } = await sql<{ days: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from d.decided_at - coalesce(v.waits_since, v.closed_at)) / 86400) as days
    from visit_decision d join visit v on v.id = d.visit_id where d.decided_at > ${since}
      and isfinite(d.decided_at) and isfinite(v.closed_at)`.execute(db);
  const days = rows[0]?.days ?? null;
  return days === null ? null : Math.max(1, Math.ceil(days));
}

/** How many visits wait, for the sidebar and the dashboard; at most `COUNTED_MAX` + 1. */
export async function countWaiting(db: Db): Promise<number> {
  // Each vehicle by itself: in a join, PostgreSQL reads all vehicles of a small registry.
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select from visit v
    cross join lateral (select from vehicle where id = v.vehicle_id and deleted_at is null limit 1) live
    where v.state = 'waits' limit ${COUNTED_MAX + 1}) found`.execute(db);
  return rows[0]?.n ?? 0;
}
