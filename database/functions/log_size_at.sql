-- How many entries the log had before an instant. They are in the order of their times, which all have one form, as `instant` has.
create or replace function log_size_at(instant text) returns bigint language sql stable parallel safe as $$
  with recursive search (low, high) as (
    select 0::bigint, s.leaf_size from activity_state s
    union all
    select case when is_before then middle + 1 else low end, case when is_before then high else middle end
    from (select low, high, middle, l.entry::jsonb ->> 'at' < instant as is_before
      from search cross join lateral (select (low + high) / 2 as middle) m join log_leaf l on l.index = middle
      where low < high) halved)
  select low from search where low = high
$$;
