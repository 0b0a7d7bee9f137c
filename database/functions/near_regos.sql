-- The live regos nearest to each of `asked` (normalised), without itself. Near is a look-alike (O/0, I/1/L, S/5, B/8, Z/2), in
-- any number of places, or one swapped pair of neighbours; where there is none, and of 4 to 10 characters, one wrong
-- character. Those that differ in the fewest places come first, `most` at most.
-- One after the other: for a join, a plan that knows nothing of `asked` may read all vehicles.
create or replace function near_regos(asked text[], most int) returns table (asked_rego text, near_rego text)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  swapped text[];
  changed text[];
begin
  foreach asked_rego in array asked loop
    swapped := array(
      select left(asked_rego, i - 1) || substr(asked_rego, i + 1, 1) || substr(asked_rego, i, 1) || substr(asked_rego, i + 2)
      from generate_series(1, length(asked_rego) - 1) i
    );
    for near_rego in
      select n.rego from (
        select v.rego from vehicle v
          where v.deleted_at is null and translate(v.rego, 'OILSBZ', '011582') = translate(asked_rego, 'OILSBZ', '011582')
        union
        select v.rego from vehicle v where v.deleted_at is null and v.rego = any(swapped)
      ) n
      where n.rego <> asked_rego
      order by (
        select count(*) from generate_series(1, length(asked_rego)) i where substr(asked_rego, i, 1) <> substr(n.rego, i, 1)
      ), n.rego
      limit most
    loop
      return next;
    end loop;
    continue when found or length(asked_rego) not between 4 and 10;
    -- Each possible rego is looked up by itself: 35 a place.
    changed := array(
      select overlay(asked_rego placing c from i for 1)
      from generate_series(1, length(asked_rego)) i, string_to_table('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', null) c
    );
    for near_rego in
      select v.rego from vehicle v where v.deleted_at is null and v.rego = any(changed) and v.rego <> asked_rego
      order by v.rego limit most
    loop
      return next;
    end loop;
  end loop;
end $$;
