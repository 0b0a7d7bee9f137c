// What stood beside a vehicle at a visit, as SQL: the vehicles whose visits were recorded with the same press, and
// which of the trailers that it names are registered here.
import { sql, type RawBuilder } from 'kysely';

/** Regos, in the order of the road: the truck first. */
export type WeighedWith = { together: string[]; registered: string[] };

// 'TRAILERA T12345; own T67890' as the regos of it.
const NAMED = sql`string_to_array(regexp_replace(s.trailers, '(^|; )[A-Za-z]+ ', ' ', 'g'), ' ')`;

// Each by its index ("offset 0"): as joins, all vehicles would be read.
/** A JSON value of the set with this id; null: there is no such set. */
export const weighedWith = (setId: RawBuilder<unknown>): RawBuilder<WeighedWith | null> => sql`(
  select json_build_object(
    'together', (
      select coalesce(json_agg(o.rego order by o.kind, o.rego), '[]')
      from calibration_set c cross join lateral (select * from vehicle where id = c.vehicle_id offset 0) o
      where c.together = s.together and c.id <> s.id and o.deleted_at is null),
    'registered', (
      select coalesce(json_agg(o.rego), '[]') from unnest(${NAMED}) n (rego) cross join lateral (
        select rego from vehicle where rego = n.rego collate "C" and deleted_at is null offset 0) o))
  from calibration_set s where s.id = ${setId})`;
