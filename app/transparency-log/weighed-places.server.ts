// Where and when a visit was weighed, in SQL: at its own weighbridge on its day, and where one of its weighings names
// another of the register or another day.
import { sql, type RawBuilder } from 'kysely';

/** Rows of `reference_id` and `on_day`. `visit`: the name of its table in the query. */
export const placesOfVisit = (visit: string): RawBuilder<unknown> => {
  const v = sql.raw(visit);
  return sql`(select ${v}.reference_id, ${v}.visited_on as on_day
    union select (x ->> 'reference')::uuid, coalesce((x ->> 'on')::date, ${v}.visited_on)
      from calibration_set s cross join lateral jsonb_array_elements(s.weighings::jsonb) x
      where s.id = ${v}.id and x ? 'reference')`;
};

/** Whether the withdrawal `w` covers the visit. */
export const isCovered = (visit: string): RawBuilder<boolean> => sql`exists (select from ${placesOfVisit(visit)} place
  where place.reference_id = w.reference_id and place.on_day between w.from_on and w.to_on)`;

/** The ids of the visits that were weighed there in that time. */
export const visitsWeighedAt = (
  referenceId: RawBuilder<unknown>,
  { fromOn, toOn }: { fromOn: RawBuilder<unknown>; toOn: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`(
    select id from visit where reference_id = ${referenceId} and visited_on between ${fromOn} and ${toOn}
    union select s.id from calibration_set s
      cross join lateral (select visited_on from visit where id = s.id offset 0) v
      cross join lateral jsonb_array_elements(s.weighings::jsonb) x
    where s.weighings is not null and s.weighings::jsonb @> jsonb_build_array(jsonb_build_object('reference', ${referenceId}::text))
      and x ->> 'reference' = ${referenceId}::text and coalesce((x ->> 'on')::date, v.visited_on) between ${fromOn} and ${toOn})`;
