-- Appends entries and notifies every process. Called last in the transaction of the write that it describes, as it holds
-- the lock of the log's state row until the commit. `entries` is an array of objects with the columns of activity_log
-- (kind, origin, actor_id, subject, subject_id, rego, topics, occurred_at) and activity_detail (action, details, changes).
-- Returns the index of the first entry.
create or replace function append_activity(entries jsonb) returns bigint language plpgsql as $$
declare
  first bigint;
  moment timestamptz;
  n int := jsonb_array_length(entries);
begin
  update activity_state set size = size + n, last_at = greatest(clock_timestamp(), last_at)
    returning size - n, last_at into first, moment;
  with entry as (
    select first + ordinality - 1 as index, e from jsonb_array_elements(entries) with ordinality as t (e, ordinality)
  ), logged as (
    insert into activity_log (index, at, occurred_at, kind, origin, actor_id, subject, subject_id, rego, topics)
    select index, moment, coalesce((e ->> 'occurred_at')::timestamptz, moment), e ->> 'kind',
      coalesce(e ->> 'origin', 'recorded'), (e ->> 'actor_id')::bigint, coalesce(e ->> 'subject', ''),
      coalesce(e ->> 'subject_id', ''), e ->> 'rego',
      coalesce((select array_agg(value) from jsonb_array_elements_text(nullif(e -> 'topics', 'null'))), '{}')
    from entry
  )
  insert into activity_detail (index, action, details, changes)
  select index, coalesce(e ->> 'action', ''), coalesce(e ->> 'details', ''), nullif(e -> 'changes', 'null')
  from entry
  where e ->> 'action' <> '' or e ->> 'details' <> '' or jsonb_typeof(e -> 'changes') = 'array';
  perform pg_notify('activity', (first + n)::text);
  return first;
end $$;
