// Whether a visit's readings are copied: those of two axle groups or more, or the whole of a visit, digit for digit as
// an earlier visit's; or of two groups or more each within a step of another truck's. One group alone meets others by
// chance: a steer axle that of another fleet at 2.4e-7 a pair, so one honest visit in six at a million of them.
//
// Each lookup is by an index, in a registry of four million readings too. A near group lies in one of sixteen cells of
// a grid, so the visit's groups are looked up but one, the steer axle, which has the most neighbours: of two that
// match, one is another.
import { sql, type RawBuilder } from 'kysely';
import type { FourReadings } from '#app/readings/calibration-line.ts';
import type { Axle } from '#app/vehicles/axle.ts';
import type { Copied } from './visit-facts.ts';

/** The four readings of an axle of a visit. */
export type CompleteAxle = { axle: Axle } & FourReadings;

const STEP = { volts: sql.lit(0.01), kg: sql.lit(20) };
const IS_NEAR = sql`abs(f.readings[1] - o.readings[1]) <= ${STEP.volts} and abs(f.readings[2] - o.readings[2]) <= ${STEP.kg}
  and abs(f.readings[3] - o.readings[3]) <= ${STEP.volts} and abs(f.readings[4] - o.readings[4]) <= ${STEP.kg}`;

/** `closedAt`: null while it closes: whatever closed before is earlier, though it was opened later. */
type Visit = { id: string; vehicleId: string; closedAt: Date | null };

/** Null: they are not. As SQL. `axles`: those of the visit with all four readings. */
export const copiedOf = (visit: Visit, axles: readonly CompleteAxle[]): RawBuilder<Copied | null> =>
  sql`(with own as materialized (
      select axle, readings_fingerprint(empty_volt, empty_weight, loaded_volt, loaded_weight) as fingerprint,
        array[empty_volt, empty_weight, loaded_volt, loaded_weight]::numeric[] as readings
      from jsonb_to_recordset(${JSON.stringify(axles)}::jsonb)
        as a (axle text, empty_volt text, empty_weight text, loaded_volt text, loaded_weight text)),
    -- As readings_cell says: 48 calls of it would take longer than all the rest.
    cells as materialized (
      select distinct o.axle, hashtextextended(concat_ws(' ',
        floor((o.readings[1] + v.a * ${STEP.volts}) * 50), floor((o.readings[2] + w.a * ${STEP.kg}) * 0.025),
        floor((o.readings[3] + v.b * ${STEP.volts}) * 50), floor((o.readings[4] + w.b * ${STEP.kg}) * 0.025)), 0) as cell
      from own o cross join (values (-1, -1), (-1, 1), (1, -1), (1, 1)) v (a, b)
        cross join (values (-1, -1), (-1, 1), (1, -1), (1, 1)) w (a, b)
      where (select count(*) from own) > 1 and o.axle <> 'STEER' and readings_cell(o.readings) is not null),
    -- Each by its index ("offset 0"): as a join, the fingerprints of all visits would be read.
    met as (
      select f.vehicle_id, f.visit_id from own o cross join lateral (
        select vehicle_id, visit_id from axle_fingerprint where fingerprint = o.fingerprint offset 0) f
      union
      select f.vehicle_id, f.visit_id from cells c join own o on o.axle = c.axle cross join lateral (
        select * from axle_fingerprint where readings_cell(readings) = c.cell offset 0) f
      where ${IS_NEAR} and f.vehicle_id <> ${visit.vehicleId}::uuid)
    select json_build_object('isOwn', how.is_own, 'isExact', how.is_exact)
    from met left join lateral (select * from visit where id = met.visit_id offset 0) v on true
      cross join lateral (
        select count(distinct o.axle) filter (where is_equal) as exact, count(distinct o.axle) filter (where is_near) as near,
          -- Of one group: where it is the whole visit. A truck's own visit before may have had more.
          case when (select count(*) from own) = 1 and (met.vehicle_id = ${visit.vehicleId}::uuid or (
            select count(distinct axle) from axle_fingerprint
            where vehicle_id = met.vehicle_id and visit_id is not distinct from met.visit_id) = 1) then 1 else 2 end as needed
        from (select * from axle_fingerprint where vehicle_id = met.vehicle_id offset 0) f cross join own o
          cross join lateral (select f.fingerprint = o.fingerprint as is_equal, f.axle = o.axle and ${IS_NEAR}
            and greatest(scale(o.readings[1]), scale(o.readings[3])) >= 2 as is_near) agreement
        -- What was taken over is one visit, however long it is.
        where f.visit_id is not distinct from met.visit_id and (is_equal or is_near)) same
      cross join lateral (select met.vehicle_id = ${visit.vehicleId}::uuid as is_own, same.exact >= same.needed as is_exact) how
    where met.visit_id is distinct from ${visit.id}::uuid
      and (v.id is null or ${visit.closedAt}::timestamptz is null or v.closed_at <= ${visit.closedAt}::timestamptz)
      and (how.is_exact or (not how.is_own and same.near >= 2))
    order by how.is_exact desc, how.is_own desc limit 1)`;
