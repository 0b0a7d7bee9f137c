-- What an entry concerns is apart from the topics that notify open pages: a change of topics changes nothing that the
-- log's filter or a vehicle's timeline finds.

-- '' where an entry concerns no vehicle. Null where it was not said: in entries from before, of which none is ever changed,
-- and in those of an older version that runs beside this one. Their rego is in their topics.
alter table activity_log add column rego text;

create function activity_vehicle(rego text, topics text[]) returns text language sql immutable parallel safe as $$
  select nullif(coalesce(rego,
    (select substr(topic, 9) from unnest(topics) topic where topic like 'vehicle:%' limit 1)), '')
$$;
-- activity_rego and its index stay for the older version; a later release drops them.
create index activity_log_vehicle on activity_log (activity_vehicle(rego, topics))
  where activity_vehicle(rego, topics) is not null;

-- As before, with the rego.
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
