// The counts on the dashboard: now, and 30 days before.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';

/** A count now, and at the earlier moment that it is compared with. */
export type Count = { now: number; before: number };

export const COUNTED_DAYS = 30;

/**
 * Counts the live rows of `table` now and at `then`. An imported row without a creation date counts as always there.
 * One statement gives both counts of the same moment, and reads only the rows that were added or removed since `then`.
 */
async function countLive(
  db: Db,
  then: Date,
  {
    table,
    came,
    went,
    nowCount = sql`select count(*) from ${table} where ${went} is null`,
  }: {
    table: RawBuilder<unknown>;
    came: RawBuilder<unknown>;
    went: RawBuilder<unknown>;
    nowCount?: RawBuilder<unknown>;
  },
): Promise<Count> {
  const { rows } = await sql<{ now: number; came: number; went: number }>`select
    (${nowCount}) as now,
    (select count(*) from ${table} where ${came} > ${then} and ${went} is null) as came,
    (select count(*) from ${table} where ${went} > ${then} and (${came} is null or ${came} <= ${then})) as went`.execute(
    db,
  );
  const row = rows[0] ?? { now: 0, came: 0, went: 0 };
  return { now: row.now, before: row.now - row.came + row.went };
}

const BY_RECORD = { came: sql`added_at`, went: sql`deleted_at` };

/** The live count of vehicles sums counts that triggers maintain, so its cost does not grow with the registry. */
export const countVehicles = (db: Db, then: Date) =>
  countLive(db, then, {
    table: sql`vehicle`,
    ...BY_RECORD,
    nowCount: sql`select coalesce(sum(n), 0)::int from vehicle_state_total`,
  });

export const countAdmins = (db: Db, then: Date) => countLive(db, then, { table: sql`admin`, ...BY_RECORD });

export const countTechnicians = (db: Db, then: Date) => countLive(db, then, { table: sql`technician`, ...BY_RECORD });

/** Counts the applications that wait for a decision. */
export const countApplications = (db: Db, then: Date) =>
  countLive(db, then, { table: sql`application`, came: sql`requested_at`, went: sql`decided_at` });

/** Counts the calibrations that a person has recorded. A correction does not count. */
async function countCalibrationsOf(db: Db, then: Date, personId: string): Promise<Count> {
  const { rows } = await sql<Count>`select count(*) as now, count(*) filter (where calibrated_at <= ${then}) as before
    from calibration where technician_id in (select id from actor where person_id = ${personId}) and corrects_id is null`.execute(
    db,
  );
  return rows[0] ?? { now: 0, before: 0 };
}

export const COUNTS = {
  admin: countAdmins,
  vehicle: countVehicles,
  application: countApplications,
  technician: countTechnicians,
  calibration: countCalibrationsOf,
} as const;

/**
 * Counts the calibrations from each of `bounds` to the next (exclusive): one number fewer than bounds. Bounds are whole
 * quarters of an hour. Writes keep these counts (count_readings.sql), so the cost does not grow with the registry.
 */
export async function countCalibrationsBetween(db: Db, bounds: readonly Date[]): Promise<number[]> {
  // From one bound to the next: the days from the first bound's on, up to the next bound's. `before` is what lies in a
  // bound's day before the bound; the first bound's is taken off, the next one's is put on.
  const { rows } = await sql<{ n: number }>`
    with bound as (
      select b as quarter, (b at time zone 'UTC')::date as day from unnest(${bounds}::timestamptz[]) b
    ), span as (
      select quarter, day, lead(day) over later as next_day, before, lead(before) over later as next_before
      from bound cross join lateral (
        select coalesce(sum(n), 0) as before from reading_count c where c.day = bound.day and c.quarter < bound.quarter
      ) earlier
      window later as (order by quarter)
    )
    select (next_before - before + (
      select coalesce(sum(n), 0) from reading_count c where c.quarter is null and c.day >= span.day and c.day < next_day
    ))::int as n
    from span where next_day is not null order by quarter`.execute(db);
  return rows.map(({ n }) => n);
}
