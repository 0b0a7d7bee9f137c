// Which of a vehicle's records its page reads, as SQL: those of its newest visits, so that the page costs what it shows
// and not what is stored; or all of them, for the page of the whole history.
//
// A visit counts as one of the newest if more than a visit's time lies between it and the next. The newest readings are
// looked at in the order of their ids, which grow with the time of recording: what corrects a reading always comes
// after it. So all that belongs to a reading is among the later ones.
import { sql, type RawBuilder } from 'kysely';
import { VISIT_MS } from '#app/readings/calibration-set.ts';
import { newestFirst, ofRulingVisit } from '#app/transparency-log/ruling-visit.server.ts';

export type Scope = 'newest' | 'whole';

/** The newest visits on a vehicle's page and in its report: the last, and the one before, which it is compared with. */
export const VISITS_SHOWN = 2;
const READINGS_LOOKED_AT = 96;
/** More of them are only counted. */
const WAITING_MAX = 20;
/** Readings of two sets of one axle: its line, and the one that it is compared with. */
const TWO_SETS = 8;
const DECISIONS = 10;

/**
 * Expressions of a WITH over `v`, the vehicle's row: `shown_reading` (rego, id, visit_id, set_id), `shown_visit` (id),
 * `shown_validation` (id), and `shown` with one row: `from_at`, the time from which on everything is read; null: from
 * the beginning.
 */
export const shownRecords = (scope: Scope): RawBuilder<unknown> => (scope === 'newest' ? NEWEST : WHOLE);

const WHOLE = sql`
  shown_reading as materialized (select c.rego, c.id, c.visit_id, c.set_id from v join calibration c on c.vehicle_id = v.id),
  shown_visit as materialized (select t.id from v join visit t on t.vehicle_id = v.id),
  shown_validation as materialized (select d.id from v join validation d on d.vehicle_id = v.id),
  shown as (select null::timestamptz as from_at)`;

const NEWEST = sql`
  ruling as materialized (${ofRulingVisit(sql`(select id from v)`, sql`t.id, t.state, t.opened_at`)}),
  looked_at as materialized (
    select coalesce((
      select least(c.id, (select floor(extract(epoch from opened_at) * 1000)::bigint from ruling
        where state <> 'taken-over' and isfinite(opened_at)))
      from calibration c where c.vehicle_id = (select id from v)
      order by c.id desc offset ${sql.lit(READINGS_LOOKED_AT - 1)} limit 1), 0) as first_id),
  newest as materialized (
    select c.*, sum(case when c.is_later then 1 else 0 end)
      over (order by c.calibrated_at desc, c.id desc) as place
    from (
      select c.rego, c.id, c.axle, c.visit_id, c.set_id, c.calibrated_at,
        lag(c.calibrated_at) over (order by c.calibrated_at desc, c.id desc)
          > c.calibrated_at + ${sql.lit(VISIT_MS)} * interval '1 millisecond' as is_later
      from calibration c where c.vehicle_id = (select id from v) and c.id >= (select first_id from looked_at)) c),
  places as materialized (
    select first_id = 0 as is_all, (select max(place) from newest) as last from looked_at),
  shown as materialized (
    select case when is_all and coalesce(last, 0) < ${sql.lit(VISITS_SHOWN)} then null else (
      -- The last of those looked at may go on before them, and one visit may be in two places.
      select min(calibrated_at) from newest
      where place < least(${sql.lit(VISITS_SHOWN)}, case when is_all then last + 1 else greatest(last - 1, 1) end)) end as from_at
    from places),
  of_newest as materialized (
    select n.* from newest n, shown where from_at is null or n.calibrated_at >= from_at),
  shown_reading as materialized (
    select rego, id, visit_id, set_id from of_newest
    union
    select n.rego, n.id, n.visit_id, n.set_id from newest n
    where n.visit_id = (select id from ruling) or n.visit_id in (select visit_id from of_newest) or n.axle not in (
      select o.axle from of_newest o
      where not exists (select from visit t where t.id = o.visit_id and t.state in ('waits', 'set-aside'))
      group by o.axle having count(*) >= ${sql.lit(TWO_SETS)})),
  shown_visit as materialized (
    select id from ruling
    union
    select visit_id from shown_reading where visit_id is not null
    union
    (select t.id from visit t where t.vehicle_id = (select id from v) and t.state = 'waits' order by ${newestFirst('t')}
      limit ${sql.lit(WAITING_MAX)})
    union
    (select t.id from visit t where t.vehicle_id = (select id from v) order by ${newestFirst('t')} limit 1)
    union
    select t.id from visit t join visit_decision d on d.visit_id = t.id, shown
    where t.vehicle_id = (select id from v) and d.decided_at >= from_at),
  shown_validation as materialized (
    (select d.id from validation d where d.vehicle_id = (select id from v) order by d.id desc limit ${sql.lit(DECISIONS)})
    union
    (select d.id from validation d where d.vehicle_id = (select id from v) and d.decided_at < (select from_at from shown)
      order by d.id desc limit 1)
    union
    -- And those since the last that validated: the first of them withdrew it.
    select d.id from validation d where d.vehicle_id = (select id from v) and d.id >= (
      select max(l.id) from validation l where l.vehicle_id = (select id from v) and l.validated))`;
